import { type RefObject } from 'react';
import { useRowFocus } from '#client/ui/list/use-row-focus.ts';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { useStatusChange } from '../../display/mark-paid/use-mark-paid.ts';
import { useEditedRow } from '../../pages/edited-record.ts';
import { useDeleteRecord } from '../../pages/use-delete-record.tsx';
import { AdminRecordCards } from './record-cards.tsx';
import { AdminRecordTable, type RowsProps } from './record-table.tsx';
import type { Selection } from './use-selection.ts';

type Props = Omit<RowsProps, 'editedId' | 'onDelete' | 'onUnmark'> & {
  /** A table fits. */
  isWide: boolean;
};

/** One page of the records that match the filter. */
export function AdminRecordList({ isWide, ...rows }: Props) {
  const { records, selection } = rows;
  const { list, onRowRemoved } = useRowFocus(records);
  const { remove } = useDeleteRecord('admin', (record) => {
    onRowRemoved(record);
    selection.remove([record.id]);
  });
  const { unmark } = useStatusChange();
  useRowKeys(list, records, selection);
  const editedId = useEditedRow(list);

  const Rows = isWide ? AdminRecordTable : AdminRecordCards;
  return (
    <div ref={list} data-record-list>
      <Rows
        {...rows}
        editedId={editedId}
        onDelete={(record) => void remove(record)}
        onUnmark={(record) => void unmark([record])}
      />
    </div>
  );
}

/**
 * Keys of the list: to the next and previous row, to select it and to mark it as paid; see `display/page-key-texts.ts`.
 * While rows are selected, T is about them: see `selection-actions.tsx`.
 */
function useRowKeys(list: RefObject<HTMLElement | null>, records: readonly TaxRecord[], selection: Selection) {
  usePageKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !list.current) return;
    const rows = [...list.current.querySelectorAll<HTMLElement>('[data-row]')];
    const index = rows.findIndex((row) => row.contains(document.activeElement));
    const key = event.key.toLowerCase();

    const focusRow = (next: number): void => {
      const row = rows[Math.min(Math.max(next, 0), rows.length - 1)];
      if (!row) return;
      event.preventDefault();
      row.querySelector('a')?.focus();
    };
    // The arrows scroll the page until a row has the focus.
    const isArrow = index >= 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp');
    if (key === 'j' || (isArrow && event.key === 'ArrowDown')) return focusRow(index + 1);
    if (key === 'k' || isArrow) return focusRow(index < 0 ? 0 : index - 1);
    const record = records[index];
    if (!record) return;
    if (key === 'x') {
      event.preventDefault();
      selection.toggle(record, { range: event.shiftKey });
    }
    if (key === 't' && selection.records.length === 0) {
      event.preventDefault();
      rows[index]?.querySelector<HTMLElement>('[data-mark-paid]')?.click();
    }
  });
}
