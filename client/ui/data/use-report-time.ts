import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The time for headings: that of opening the page, and on paper that of printing, however long the page was open before. */
export function useReportTimeMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    // At once, because the browser takes its picture of the page right after the event.
    const update = () => flushSync(() => setNowMs(Date.now()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  return nowMs;
}
