import { type ComponentType, useEffect, useState } from 'react';

/** The page itself is loaded first. */
const LOAD_DELAY_MS = 150;
const RETRY_MS = 5000;

type Options = {
  /** Nothing is loaded before this is true. */
  wanted?: boolean;
  delayMs?: number;
};

/**
 * Loads the code of a component after the page. A failed load does not break the page:
 * it is repeated every few seconds and when the browser is online again.
 * @param load must be a constant, because a new function loads again
 */
export function useLazyComponent<Props = object>(
  load: () => Promise<ComponentType<Props>>,
  { wanted = true, delayMs = LOAD_DELAY_MS }: Options = {},
) {
  const [loaded, setLoaded] = useState<{ Component: ComponentType<Props> } | null>(null);
  const [failures, setFailures] = useState(0);
  const [manualRetries, setManualRetries] = useState(0);

  useEffect(() => {
    if (loaded || !wanted) return undefined;
    let isUnmounted = false;
    async function tryLoading(): Promise<void> {
      try {
        const Component = await load();
        if (!isUnmounted) setLoaded({ Component });
      } catch (error) {
        console.warn('Belum dapat dimuat', error);
        if (!isUnmounted) setFailures((count) => count + 1);
      }
    }
    const timer = setTimeout(() => void tryLoading(), failures === 0 || manualRetries > 0 ? delayMs : RETRY_MS);
    const onOnline = (): void => void tryLoading();
    window.addEventListener('online', onOnline);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
    };
  }, [loaded, wanted, delayMs, failures, manualRetries, load]);

  return {
    Component: loaded?.Component ?? null,
    hasFailed: failures > 0 && loaded === null,
    retry: () => setManualRetries((count) => count + 1),
  };
}
