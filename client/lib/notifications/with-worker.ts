/**
 * Starts work with the service worker once there is one, which may be after this page was loaded, or never.
 * @param start loads its code on its own: over plain http nobody needs it
 * @returns the undo
 */
export function withWorker(start: (registration: ServiceWorkerRegistration) => Promise<() => void>): () => void {
  let undo = (): void => {};
  let isStopped = false;
  async function startWhenReady(): Promise<void> {
    const registration = await navigator.serviceWorker.ready;
    if (isStopped) return;
    const stop = await start(registration);
    if (isStopped) stop();
    else undo = stop;
  }
  if ('serviceWorker' in navigator) {
    startWhenReady().catch((error: unknown) => console.warn('Notifikasi tanpa service worker', error));
  }
  return () => {
    isStopped = true;
    undo();
  };
}
