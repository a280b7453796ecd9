import { Box } from '@mantine/core';
import { useEffect } from 'react';
import type { Density } from '#client/ui/data/density.ts';
import { ListPager } from '#client/ui/data/list-pager.tsx';
import type { PageSize } from '#client/ui/data/page-size.ts';
import { useRowFocus } from '#client/ui/data/use-row-focus.ts';
import type { AdminRecordFilter, RecordPage } from '../../api.ts';
import { useStatusChange } from '../../display/mark-paid/use-mark-paid.ts';
import { useDeleteRecord } from '../../pages/use-delete-record.tsx';
import { useEditedRow } from '../../pages/edited-record.ts';
import { useScrollToTopOnPageChange } from '../../pages/use-scroll-to-top.ts';
import type { Selection } from './use-selection.ts';
import { AdminRecordCards } from './record-cards.tsx';
import classes from './record-list.module.css';
import { AdminRecordTable } from './record-table.tsx';
import { useRowKeys } from './use-row-keys.ts';

type Props = {
  recordPage: RecordPage;
  /** The rows belong to the previous filter or page; the next answer has not arrived. */
  isStale: boolean;
  /** A table fits. */
  isWide: boolean;
  selection: Selection;
  density: Density;
  sort: AdminRecordFilter['sort'];
  onSort: (sort: AdminRecordFilter['sort']) => void;
  pageSize: PageSize;
  onPageSize: (size: PageSize) => void;
  setPage: (page: number, options?: { replace?: boolean }) => void;
};

/** One page of the records that match the filter. */
export function AdminRecordList(props: Props) {
  const { recordPage, isStale, isWide, selection, density, sort, onSort, pageSize, onPageSize, setPage } = props;
  const { data: records, total, current_page, last_page } = recordPage;
  const { list, onRowRemoved } = useRowFocus(records);
  const { remove } = useDeleteRecord('admin', (record) => {
    onRowRemoved(record);
    selection.remove([record.id]);
  });
  const { unmark } = useStatusChange();
  useRowKeys(list, records, selection);
  const editedId = useEditedRow(list);
  useScrollToTopOnPageChange(list, current_page);
  // The URL may name a page that no longer exists, for example after the last row of the last page was deleted.
  const isPageOutOfRange = !isStale && records.length === 0 && total > 0;
  useEffect(() => {
    if (isPageOutOfRange) setPage(last_page, { replace: true });
  });

  const Rows = isWide ? AdminRecordTable : AdminRecordCards;
  return (
    <Box
      ref={list}
      data-record-list
      style={{ scrollMarginTop: '5rem' }}
      className={isStale ? classes['waiting'] : undefined}
      aria-busy={isStale}
    >
      <Rows
        records={records}
        editedId={editedId}
        selection={selection}
        density={density}
        sort={sort}
        onSort={onSort}
        onDelete={(record) => void remove(record)}
        onUnmark={(record) => void unmark([record])}
      />
      <Box mt="sm">
        <ListPager
          page={current_page}
          pageSize={pageSize}
          total={total}
          onPage={setPage}
          onPageSize={onPageSize}
          label="Halaman data PBB"
        />
      </Box>
    </Box>
  );
}
