import { useEffect, useState } from 'react';

const TICK_MS = 30_000;

/** The time in epoch milliseconds, for words such as '2 jam yang lalu' that must not stand still. */
export function useBrowserTimeMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

/**
 * The same by the server's clock, which dates what it tells of: a browser's own may be days off.
 * @param now what the server's clock said in its last answer, ISO 8601
 * @param answeredAtMs when that came, by this browser's clock
 */
export function useServerTimeMs(now: string | undefined, answeredAtMs: number): number {
  const nowMs = useBrowserTimeMs();
  return now === undefined ? nowMs : Date.parse(now) + Math.max(0, nowMs - answeredAtMs);
}
