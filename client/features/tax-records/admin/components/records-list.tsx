import { Box, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Pager } from '#client/ui/data/pager.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { useRowFocus } from '#client/ui/data/use-row-focus.ts';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import type { RecordFilter, RecordPage } from '../api.ts';
import { useDeleteRecord } from '../use-delete-record.tsx';
import { useTopOnChange } from '../use-list-focus.ts';
import type { Selection } from '../use-selection.ts';
import { RecordsCards } from './records-cards.tsx';
import classes from './records.module.css';
import { RecordsTable } from './records-table.tsx';

type Props = {
  answer: RecordPage;
  /** It answers the question before this one; the next answer is on its way. */
  stale: boolean;
  selection: Selection;
  sort: RecordFilter['sort'];
  onSort: (sort: RecordFilter['sort']) => void;
  setPage: (page: number, options?: { replace?: boolean }) => void;
};

/** One page of what was found. */
export function RecordsList({ answer, stale, selection, sort, onSort, setPage }: Props) {
  const wide = useWideScreen('75em');
  const { data: records, total, current_page, last_page } = answer;
  const { list, onRowGone } = useRowFocus(records);
  const { remove } = useDeleteRecord((record) => {
    onRowGone(record);
    selection.drop([record.id]);
  });
  useTopOnChange(list, current_page);
  // Deleting the last row of the last page, or an old address, leads to a page that is not there.
  const beyond = !stale && records.length === 0 && total > 0;
  useEffect(() => {
    if (beyond) setPage(last_page, { replace: true });
  });

  const Rows = wide ? RecordsTable : RecordsCards;
  return (
    <Box
      ref={list}
      style={{ scrollMarginTop: '5rem' }}
      className={stale ? classes['waiting'] : undefined}
      aria-busy={stale}
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
