import { type ReactNode, useEffect } from 'react';
import { createPortal } from 'react-dom';
import paper from './print.module.css';

const ATTRIBUTE = 'data-print-sheet';

const clearPrintMark = () => document.body.removeAttribute(ATTRIBUTE);

/**
 * Prints the `PrintSheet` of the screen instead of the screen. The attribute stays until the next touch or key press, because
 * some phones capture the page only after `afterprint`.
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

type Props = { className?: string | undefined; children: ReactNode; 'data-testid'?: string };

/** A paper of its own, beside the screen in the page. Visible only in a print started by `usePrintSheet`. */
export function PrintSheet({ className = '', children, ...attributes }: Props) {
  return createPortal(
    <div className={`${paper['sheet']} ${className}`} aria-hidden {...attributes}>
      {children}
    </div>,
    document.body,
  );
}
