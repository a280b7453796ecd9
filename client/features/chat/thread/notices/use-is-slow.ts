import { useEffect, useState } from 'react';

const SLOW_AFTER_MS = 2500;

/** Whether something has been active for so long that the user should know, well before a call times out. */
export function useIsSlow(active: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [active]);
  return active && slow;
}
