export type TabChannel = { post: (data: unknown) => void; close: () => void };

/** Words to the other tabs of this browser; by storage events where there is no BroadcastChannel. Neither needs https. */
export function openTabChannel(name: string, onMessage: (data: unknown) => void): TabChannel {
  if (typeof BroadcastChannel !== 'undefined') {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', (event: MessageEvent<unknown>) => onMessage(event.data));
    let isOpen = true;
    return {
      // Who waits for their turn to speak may be outlived by the channel: signed out in that moment.
      post: (data) => {
        if (isOpen) channel.postMessage(data);
      },
      close: () => {
        isOpen = false;
        channel.close();
      },
    };
  }
  const onStorage = (event: StorageEvent): void => {
    if (event.key !== name || event.newValue === null) return;
    try {
      const { data } = JSON.parse(event.newValue) as { data: unknown };
      onMessage(data);
    } catch (error) {
      console.warn('Pesan antartab tidak terbaca', error);
    }
  };
  window.addEventListener('storage', onStorage);
  return {
    post: (data) => {
      try {
        // The same words twice would be no change, and so no event.
        window.localStorage.setItem(name, JSON.stringify({ data, at: `${Date.now()} ${Math.random()}` }));
      } catch (error) {
        console.warn('Tab lain tidak dapat diberi tahu', error);
      }
    },
    close: () => window.removeEventListener('storage', onStorage),
  };
}
