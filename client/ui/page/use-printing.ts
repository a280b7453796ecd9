import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * For what is drawn only on paper. `hasPrinted` is false until the first print, so that a long list is not drawn twice for those
 * who never print. It stays true, because some phones take their picture only after they say that printing is over.
 */
export function usePrinting() {
  const [openedAtMs] = useState(() => Date.now());
  const [printedAtMs, setPrintedAtMs] = useState<number | null>(null);

  useEffect(() => {
    // At once, because the browser takes its picture of the page right after the event.
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
    // Not every browser on a phone has the event.
    flushSync(() => setPrintedAtMs(Date.now()));
    window.print();
  }

  return { hasPrinted: printedAtMs !== null, printTimeMs: printedAtMs ?? openedAtMs, print };
}
