import { useEffect, useState } from 'react';

const DEFAULT_TICK_MS = 30_000;

/** The browser's time in epoch milliseconds, updated so that texts such as '2 jam yang lalu' stay right. */
export function useBrowserTimeMs(tickMs = DEFAULT_TICK_MS): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return nowMs;
}

/**
 * The server's time in epoch milliseconds.
 * Times in answers come from the server's clock, and the browser's may be days off.
 * @param now the server's time in its last answer, ISO 8601
 * @param answeredAtMs when that answer came, by the browser's clock
 * @param tickMs how often the result changes
 */
export function useServerTimeMs(now: string | undefined, answeredAtMs: number, tickMs?: number): number {
  const nowMs = useBrowserTimeMs(tickMs);
  return now === undefined ? nowMs : Date.parse(now) + Math.max(0, nowMs - answeredAtMs);
}
