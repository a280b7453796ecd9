import { useEffect } from 'react';

const ATTRIBUTE = 'data-print-sheet';

const forget = () => document.body.removeAttribute(ATTRIBUTE);

/**
 * Prints the sheet alone instead of the page. The mark stays until somebody touches the page again, because some phones take their
 * picture only after they say that printing is over.
 */
export function usePrintSheet(): () => void {
  useEffect(() => forget, []);
  return () => {
    document.body.setAttribute(ATTRIBUTE, '');
    window.print();
    for (const touch of ['pointerdown', 'keydown']) {
      window.addEventListener(touch, forget, { once: true, capture: true });
    }
  };
}
