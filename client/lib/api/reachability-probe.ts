import { probeServer } from './api.ts';
import { isServerReachable, onNoAnswer, setServerReachable } from './server-reachability.ts';

/** While the server is away, it is asked this often. */
const PROBE_INTERVAL_MS = 3000;

/**
 * Asks the server itself whenever something got no answer, since one lost call is no lost connection. While it does not answer,
 * asks again every few seconds and when the browser comes online. @returns the undo
 */
export function bindReachabilityProbe(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isProbing = false;
  let isStopped = false;

  async function probe(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    clearTimeout(timer);
    const isReachable = await probeServer();
    isProbing = false;
    if (isStopped) return;
    setServerReachable(isReachable);
    if (!isReachable) timer = setTimeout(() => void probe(), PROBE_INTERVAL_MS);
  }

  const probeNow = (): void => void probe();
  // Phones stop the timers of a page in the background.
  const onVisible = (): void => {
    if (document.visibilityState === 'visible' && !isServerReachable()) probeNow();
  };
  const unbind = onNoAnswer(probeNow);
  window.addEventListener('offline', probeNow);
  window.addEventListener('online', probeNow);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    unbind();
    window.removeEventListener('offline', probeNow);
    window.removeEventListener('online', probeNow);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
