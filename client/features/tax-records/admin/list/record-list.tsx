import { useRowFocus } from '#client/ui/list/rows/use-row-focus.ts';
import { useRowKeys } from '#client/ui/list/rows/use-row-keys.ts';
import { useStatusChange } from '../../display/mark-paid/use-mark-paid.ts';
import { useEditedRow } from '../../pages/edited-record.ts';
import { useDeleteRecord } from '../../pages/use-delete-record.tsx';
import { AdminRecordCards } from './record-cards.tsx';
import { AdminRecordTable, type RowsProps } from './record-table.tsx';

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
  // `display/page-key-texts.ts` lists the keys. While rows are selected, T is about them: see `selection-actions.tsx`.
  useRowKeys({
    list,
    rows: records,
    selection,
    onRowKey(event, row) {
      if (event.key.toLowerCase() !== 't' || selection.rows.length > 0) return;
      event.preventDefault();
      row.querySelector<HTMLElement>('[data-mark-paid]')?.click();
    },
  });
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
