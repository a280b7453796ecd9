/**
 * Registers the service worker. Plain http has none, and the development server has no build (docs/requirements.md R-PWA-1).
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || !document.documentElement.dataset['build']) return null;
  try {
    // The script itself must never come from the browser's cache, because it names the newest build.
    return await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  } catch {
    // A private window or a blocked storage: the app works without it.
    return null;
  }
}
