import { type ComponentType, useEffect, useState } from 'react';

/** The page itself is loaded first. */
const LOAD_DELAY_MS = 150;
const RETRY_MS = 5000;

/**
 * Loads the code of a component after the page. A failed load does not break the page:
 * it is repeated every few seconds and when the browser is online again.
 * @param load must be a constant, because a new function loads again
 */
export function useLazyComponent(load: () => Promise<ComponentType>, warning: string) {
  const [loaded, setLoaded] = useState<{ Component: ComponentType } | null>(null);
  const [failures, setFailures] = useState(0);
  const [manualRetries, setManualRetries] = useState(0);

  useEffect(() => {
    if (loaded) return undefined;
    let isUnmounted = false;
    async function tryLoading(): Promise<void> {
      try {
        const Component = await load();
        if (!isUnmounted) setLoaded({ Component });
      } catch (error) {
        console.warn(warning, error);
        if (!isUnmounted) setFailures((count) => count + 1);
      }
    }
    const timer = setTimeout(() => void tryLoading(), failures === 0 || manualRetries > 0 ? LOAD_DELAY_MS : RETRY_MS);
    const onOnline = (): void => void tryLoading();
    window.addEventListener('online', onOnline);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
    };
  }, [loaded, failures, manualRetries, load, warning]);

  return {
    Component: loaded?.Component ?? null,
    hasFailed: failures > 0 && loaded === null,
    retry: () => setManualRetries((count) => count + 1),
  };
}
