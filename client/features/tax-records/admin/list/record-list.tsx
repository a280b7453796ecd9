import { Box, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Pager } from '#client/ui/data/pager.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { useRowFocus } from '#client/ui/data/use-row-focus.ts';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import type { AdminRecordFilter, RecordPage } from '../../api.ts';
import { useDeleteRecord } from '../../pages/use-delete-record.tsx';
import { useScrollToTopOnPageChange } from '../../pages/use-scroll-to-top.ts';
import type { Selection } from './use-selection.ts';
import { AdminRecordCards } from './record-cards.tsx';
import classes from './record-list.module.css';
import { AdminRecordTable } from './record-table.tsx';

type Props = {
  recordPage: RecordPage;
  /** The rows belong to the previous filter or page; the next answer has not arrived. */
  isStale: boolean;
  selection: Selection;
  sort: AdminRecordFilter['sort'];
  onSort: (sort: AdminRecordFilter['sort']) => void;
  setPage: (page: number, options?: { replace?: boolean }) => void;
};

/** One page of the records that match the filter. */
export function AdminRecordList({ recordPage, isStale, selection, sort, onSort, setPage }: Props) {
  const isWide = useWideScreen(75);
  const { data: records, total, current_page, last_page } = recordPage;
  const { list, onRowRemoved } = useRowFocus(records);
  const { remove } = useDeleteRecord('admin', (record) => {
    onRowRemoved(record);
    selection.remove([record.id]);
  });
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
      style={{ scrollMarginTop: '5rem' }}
      className={isStale ? classes['waiting'] : undefined}
      aria-busy={isStale}
    >
      <Group justify="space-between" gap="xs" mb="xs" className="no-print">
        <Text component="output" display="block" fw={600}>
          {formatNumber(total)} data
        </Text>
      </Group>
      <Rows
        records={records}
        selection={selection}
        sort={sort}
        onSort={onSort}
        onDelete={(record) => void remove(record)}
      />
      {last_page > 1 ? (
        <Box mt="md">
          <Pager page={current_page} pageCount={last_page} onChange={setPage} label="Halaman data pajak" />
        </Box>
      ) : null}
    </Box>
  );
}
