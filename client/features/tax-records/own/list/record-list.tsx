import { Box, Group, Text } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { Pager } from '#client/ui/data/pager.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { totalAmount } from '../../display/total-amount.ts';
import { useDeleteOwnRecord } from '../../pages/use-delete-record.tsx';
import { usePageParam } from '#client/ui/data/use-page-param.ts';
import { useRowFocus } from '#client/ui/data/use-row-focus.ts';
import { OwnRecordCards } from './record-cards.tsx';
import { OwnRecordTable } from './record-table.tsx';

const RECORDS_PER_PAGE = 20;

/** What is shown of the records: how many and how much, and one page of them. */
export function OwnRecordList({ records }: { records: readonly TaxRecord[] }) {
  // Beside the menu, seven columns need more room than most tables.
  const isWide = useWideScreen('80em');
  const { page: requestedPage, setPage } = usePageParam();
  const pageCount = Math.ceil(records.length / RECORDS_PER_PAGE);
  // Deleting the last row of the last page, or an old address, leads to a page that is not there.
  const page = Math.min(requestedPage, pageCount);
  const rows = records.slice((page - 1) * RECORDS_PER_PAGE, page * RECORDS_PER_PAGE);
  const { list, onRowGone: onRowRemoved } = useRowFocus(rows);
  const { remove } = useDeleteOwnRecord(onRowRemoved);
  useScrollToTopOnPageChange(list, page);

  const Rows = isWide ? OwnRecordTable : OwnRecordCards;
  return (
    <Box ref={list} style={{ scrollMarginTop: '5rem' }}>
      <Group justify="space-between" gap="xs" mb="sm" className="no-print">
        <Text fw={600}>{formatNumber(records.length)} data</Text>
        <Text>
          Total{' '}
          <strong>
            <Money amount={totalAmount(records)} />
          </strong>
        </Text>
      </Group>
      <Rows records={rows} onDelete={(record) => void remove(record)} />
      {pageCount > 1 ? (
        <Box mt="md">
          <Pager page={page} pageCount={pageCount} onChange={setPage} label="Halaman data PBB" />
        </Box>
      ) : null}
    </Box>
  );
}

/** The pages are turned at the bottom of the list and read from its top. */
function useScrollToTopOnPageChange(list: RefObject<HTMLElement | null>, page: number): void {
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    list.current?.scrollIntoView({ block: 'start' });
  }, [list, page]);
}
