import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';

/** The elements that have an action of their own for a press. */
const CONTROLS = 'a, button, input, label, [role="menu"], [role="dialog"]';

/** A press anywhere on a row opens its page; keyboards and screen readers use the link in it. */
export function useOpenRow() {
  const navigate = useNavigate();
  return (path: string, event: MouseEvent<HTMLElement>): void => {
    const { target, currentTarget } = event;
    // React also passes on what was pressed in a dialog or menu that the row opened elsewhere in the document.
    if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(CONTROLS)) return;
    // The press ended a selection of text, or asks for a new tab as on a link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || window.getSelection()?.toString()) return;
    void navigate(path);
  };
}
