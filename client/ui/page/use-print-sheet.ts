import { useEffect } from 'react';

const ATTRIBUTE = 'data-print-sheet';

const clearPrintMark = () => document.body.removeAttribute(ATTRIBUTE);

/**
 * Prints a sheet instead of the page: its styles follow `body[data-print-sheet='name']`. The attribute stays until the next
 * touch or key press, because some phones capture the page only after `afterprint`.
 * @param name of the sheet: the styles of another one may be loaded, and must not hide it
 */
export function usePrintSheet(name: string): () => void {
  useEffect(() => clearPrintMark, []);
  return () => {
    document.body.setAttribute(ATTRIBUTE, name);
    window.print();
    for (const eventName of ['pointerdown', 'keydown']) {
      window.addEventListener(eventName, clearPrintMark, { once: true, capture: true });
    }
  };
}
