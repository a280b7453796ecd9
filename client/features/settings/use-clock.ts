import { useEffect, useState } from 'react';

const TICK_MS = 30_000;

/** The time in epoch milliseconds, for words such as '2 jam yang lalu' that must not stand still. */
export function useClock(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
