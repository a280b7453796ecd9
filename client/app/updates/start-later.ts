/** Starts what no page needs to be shown, once everything is loaded and the browser has nothing else to do. */
export function startUpdatesLater(): void {
  const load = async () => (await import('./register-worker.ts')).registerWorker();
  const start = (): void => {
    setTimeout(() => void load().catch(() => {}), 2000);
  };
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
}
