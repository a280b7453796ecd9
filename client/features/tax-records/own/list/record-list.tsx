import { estimatedText } from '#client/lib/sum-texts.ts';
import { Box, Group, Text } from '@mantine/core';
import { Money } from '#client/ui/data/money.tsx';
import { Pager } from '#client/ui/list/paging/pager.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import { useRowFocus } from '#client/ui/list/rows/use-row-focus.ts';
import { useDeleteRecord } from '../../pages/use-delete-record.tsx';
import { useEditedRow } from '../../pages/edited-record.ts';
import { useScrollToTop } from '#client/ui/list/query-list.tsx';
import { OwnRecordCards } from './record-cards.tsx';
import { OwnRecordTable } from './record-table.tsx';

const RECORDS_PER_PAGE = 20;

/** The number of the records, their total amount and one page of them. */
export function OwnRecordList({ records }: { records: readonly TaxRecord[] }) {
  // Seven columns beside the menu need more width than most tables.
  const isWide = useWideScreen(80);
  const { page: requestedPage, setPage } = usePageParam();
  const pageCount = Math.ceil(records.length / RECORDS_PER_PAGE);
  // The URL may name a page that no longer exists, for example after the last row of the last page was deleted.
  const page = Math.min(requestedPage, pageCount);
  const rows = records.slice((page - 1) * RECORDS_PER_PAGE, page * RECORDS_PER_PAGE);
  const { list, onRowRemoved } = useRowFocus(rows);
  const { remove } = useDeleteRecord('own', onRowRemoved);
  const editedId = useEditedRow(list);
  useScrollToTop(list, page);

  const estimates = records.filter(({ amount_source: source }) => source === 'estimate');
  const estimated = estimatedText({ count: estimates.length, amount: totalAmount(estimates) });

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
          {estimated === '' ? null : (
            <Text component="span" c="dimmed" fz="sm">
              {' '}
              {estimated}
            </Text>
          )}
        </Text>
      </Group>
      <Rows records={rows} editedId={editedId} onDelete={(record) => void remove(record)} />
      {pageCount > 1 ? (
        <Box mt="md">
          <Pager page={page} pageCount={pageCount} onChange={setPage} label="Halaman data PBB" />
        </Box>
      ) : null}
    </Box>
  );
}
