import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * For content that only a print shows. `hasPrinted` is false until the first print, so that a long list
 * is not rendered twice without need. It stays true because some phones capture the page after `afterprint`.
 */
export function usePrinting() {
  const [openedAtMs] = useState(() => Date.now());
  // A page may open while it is printed already; then no change follows.
  const [printedAtMs, setPrintedAtMs] = useState(() => (window.matchMedia('print').matches ? Date.now() : null));

  useEffect(() => {
    // `flushSync`, because the browser captures the page right after the event.
    const prepare = () => flushSync(() => setPrintedAtMs(Date.now()));
    const paper = window.matchMedia('print');
    const onMedia = ({ matches }: { matches: boolean }) => {
      if (matches) prepare();
    };
    window.addEventListener('beforeprint', prepare);
    paper.addEventListener('change', onMedia);
    return () => {
      window.removeEventListener('beforeprint', prepare);
      paper.removeEventListener('change', onMedia);
    };
  }, []);

  function print() {
    // Some browsers on phones do not have the event.
    flushSync(() => setPrintedAtMs(Date.now()));
    window.print();
  }

  return { hasPrinted: printedAtMs !== null, printTimeMs: printedAtMs ?? openedAtMs, print };
}
