import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';

/** What does something of its own when it is pressed. */
const CONTROLS = 'a, button, input, label, [role="menu"], [role="dialog"]';

/** A press anywhere on a row opens its record; keyboards and screen readers use the link with its name. */
export function useOpenRow() {
  const navigate = useNavigate();
  return (record: TaxRecord, event: MouseEvent<HTMLElement>): void => {
    const { target, currentTarget } = event;
    // React also passes on what was pressed in a dialog or menu that the row opened elsewhere in the document.
    if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(CONTROLS)) return;
    // The press ended a selection of text, or asks for a new tab as on a link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || window.getSelection()?.toString()) return;
    void navigate(paths.adminRecord(record.id));
  };
}
