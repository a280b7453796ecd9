import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The time shown in headings: when the page was opened, and in a print when it was printed. */
export function useReportTimeMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    // `flushSync`, because the browser captures the page right after the event.
    const update = () => flushSync(() => setNowMs(Date.now()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  return nowMs;
}
