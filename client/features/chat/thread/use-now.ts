import { useEffect, useState } from 'react';

/** The time, drawn anew every minute: at midnight 'Hari ini' becomes 'Kemarin'. */
export function useIntervalNow(everyMs = 60_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
