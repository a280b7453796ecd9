import { type RefObject, useEffect, useState } from 'react';

/** The record whose edit has just been saved, until a list has marked it. */
let editedId: string | null = null;

export function noteEditedRecord(id: string): void {
  editedId = id;
}

/**
 * Marks the record that was just edited in the list to which its form returned (R-REC-18): its row comes into view and its link
 * has the focus.
 * @returns the id of the row to mark with `data-edited`, as long as the list is shown
 */
export function useEditedRow(list: RefObject<HTMLElement | null>): string | null {
  const [markedId] = useState(editedId);
  useEffect(() => {
    editedId = null;
    const row = list.current?.querySelector('[data-edited]');
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector<HTMLElement>('a:not([aria-label])')?.focus({ preventScroll: true });
  }, [list]);
  return markedId;
}
