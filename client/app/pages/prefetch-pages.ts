import { onReachableAgain } from '#client/lib/api/server-reachability.ts';

type LoadPage = () => Promise<unknown>;

/** The opened page, its data and the chat come first. */
const PREFETCH_DELAY_MS = 6000;

/** The user has asked for little traffic, or the connection is very slow. */
export function isTrafficScarce(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || (connection?.effectiveType?.endsWith('2g') ?? false);
}

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callback.
    if (typeof window.requestIdleCallback === 'undefined') setTimeout(resolve, 200);
    else window.requestIdleCallback(() => resolve(), { timeout: 2000 });
  });

/**
 * Loads the code of the other pages in idle moments, one after the other, so that the menu also works without a connection
 * (docs/requirements.md R-UI-18). What cannot be loaded is loaded when the server answers again.
 */
export function prefetchPages(loads: readonly LoadPage[]): void {
  const waiting = [...loads];

  async function loadNext(): Promise<void> {
    for (let load = waiting[0]; load; load = waiting[0]) {
      if (isTrafficScarce()) return;
      await idle();
      try {
        await load();
        waiting.shift();
      } catch {
        const unbind = onReachableAgain(() => {
          unbind();
          void loadNext();
        });
        return;
      }
    }
  }

  setTimeout(() => void loadNext(), PREFETCH_DELAY_MS);
}
