export type TabChannel = { post: (data: unknown) => void; close: () => void };

/**
 * Sends messages to the other tabs of this browser. It uses storage events where there is no BroadcastChannel; neither needs
 * https.
 */
export function openTabChannel(name: string, onMessage: (data: unknown) => void): TabChannel {
  if (typeof BroadcastChannel !== 'undefined') {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', (event: MessageEvent<unknown>) => onMessage(event.data));
    let isOpen = true;
    return {
      // A tab may still wait to stand for election when the channel is closed at sign-out.
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
        // Storing the same text twice would be no change, so there would be no event.
        window.localStorage.setItem(name, JSON.stringify({ data, at: `${Date.now()} ${Math.random()}` }));
      } catch (error) {
        console.warn('Tab lain tidak dapat diberi tahu', error);
      }
    },
    close: () => window.removeEventListener('storage', onStorage),
  };
}
