/** The opened page, its data and the chat come first. */
const START_DELAY_MS = 2000;

/** Starts what no page needs to be shown: the service worker, and the look-out for new versions. */
export function startUpdates(): void {
  const load = async (): Promise<void> => (await import('./updates.ts')).watchUpdates();
  const start = (): void => {
    // Without this code the app works, and the next page tries again.
    setTimeout(() => void load().catch(() => undefined), START_DELAY_MS);
  };
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
}
