import { useEffect } from 'react';

const ATTRIBUTE = 'data-print-sheet';

const clearPrintMark = () => document.body.removeAttribute(ATTRIBUTE);

/**
 * Prints a sheet instead of the page: its styles follow `body[data-print-sheet]`. The attribute stays until the next touch or
 * key press, because some phones capture the page only after `afterprint`.
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
