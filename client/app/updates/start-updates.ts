import { onReachableAgain } from '#client/lib/api/server-reachability.ts';

/**
 * Starts what no page needs to be shown: the service worker, and the look-out for new versions. Its code is loaded right
 * after the page, because after an upgrade it could not be had any more.
 */
export function startUpdates(): void {
  async function load(): Promise<void> {
    try {
      (await import('./updates.ts')).watchUpdates();
    } catch {
      const unbind = onReachableAgain(() => {
        unbind();
        void load();
      });
    }
  }
  if (document.readyState === 'complete') void load();
  else window.addEventListener('load', () => void load(), { once: true });
}
