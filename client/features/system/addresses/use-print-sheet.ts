import { useEffect } from 'react';

const ATTRIBUTE = 'data-print-sheet';

const clearPrintMark = () => document.body.removeAttribute(ATTRIBUTE);

/**
 * Prints the sheet alone instead of the page. The mark stays until somebody touches the page again, because some phones take their
 * picture only after they say that printing is over.
 */
export function usePrintSheet(): () => void {
  useEffect(() => clearPrintMark, []);
  return () => {
    document.body.setAttribute(ATTRIBUTE, '');
    window.print();
    for (const eventName of ['pointerdown', 'keydown']) {
      window.addEventListener(eventName, clearPrintMark, { once: true, capture: true });
    }
  };
}
