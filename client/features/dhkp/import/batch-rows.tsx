import { Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatRupiah } from '#client/lib/format.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import list from '#client/ui/list/list.module.css';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import type { Batch, BatchRow } from '#shared/api/dhkp/batches.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { batchRowsQuery } from '../api.ts';
import { type CountedKind, notesOf, rowKindLabels, rowPlace, valueText } from './batch-texts.ts';
import { differenceLabel } from './list-field-labels.ts';

const TABLE_FROM_EM = 62;
const ROWS_PER_PAGE = 50;

/** The rows of one kind in the order of the file. */
export function BatchRows({ batch, kind }: { batch: Batch; kind: CountedKind }) {
  const { page, setPage } = usePageParam();
  const query = useQuery(batchRowsQuery(batch, { kind, page, limit: ROWS_PER_PAGE }));
  const Rows = useWideScreen(TABLE_FROM_EM) ? RowTable : RowCards;
  return (
    <QueryList
      query={query}
      failedText="Gagal memuat baris"
      loading={{ text: 'Memuat baris…', rows: 6, height: 44 }}
      setPage={setPage}
      pagerLabel={`Halaman baris ${rowKindLabels[kind]}`}
      countedAs="baris ditemukan"
      empty={<EmptyState title="Tidak ada baris" />}
    >
      {(rows) => <Rows rows={rows} />}
    </QueryList>
  );
}

const keyOf = ({ sheet, row, nop }: BatchRow): string => `${sheet} ${row} ${nop}`;
const nopOf = ({ nop }: BatchRow): string => (nop === null ? '-' : formatNop(nop));
const amountOf = ({ values: { amount } }: BatchRow): string =>
  amount === null || amount === undefined ? '-' : formatRupiah(amount);

function RowTable({ rows }: { rows: readonly BatchRow[] }) {
  return (
    <Paper withBorder radius="md" className={list['frame']}>
      <Table fz="sm" layout="fixed" verticalSpacing={6}>
        <Table.Thead className={list['head'] ?? ''} fz="xs">
          <Table.Tr>
            <Table.Th scope="col" w="13rem">
              Tempat
            </Table.Th>
            <Table.Th scope="col" w="13.5rem">
              NOP
            </Table.Th>
            <Table.Th scope="col">Nama</Table.Th>
            <Table.Th scope="col" ta="right" w="9rem">
              Ketetapan
            </Table.Th>
            <Table.Th scope="col" w="34%">
              Keterangan
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{rowPlace(row)}</Table.Td>
              <Table.Th scope="row" ta="start" className="tabular">
                {nopOf(row)}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.values.name ?? '-'}</Table.Td>
              <Table.Td ta="right" className="money">
                {amountOf(row)}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <RowNotes row={row} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function RowCards({ rows }: { rows: readonly BatchRow[] }) {
  return (
    <ul className={list['cards']}>
      {rows.map((row) => (
        <Paper key={keyOf(row)} component="li" withBorder radius="md" p="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text fz="sm" c="dimmed">
            {rowPlace(row)}
          </Text>
          <Text fw={600}>{row.values.name ?? '-'}</Text>
          <Text fz="sm" className="tabular">
            {nopOf(row)}
          </Text>
          <Text fz="sm">Ketetapan {amountOf(row)}</Text>
          <RowNotes row={row} />
        </Paper>
      ))}
    </ul>
  );
}

/** The differences of a row, and its problems with what is to be done. */
function RowNotes({ row }: { row: BatchRow }) {
  return (
    <Stack gap={2} fz="sm">
      {row.kind === 'changed'
        ? row.differences.map((field) => (
            <span key={field}>
              {differenceLabel(field)}: {valueText(field, row.before)} → <strong>{valueText(field, row.values)}</strong>
            </span>
          ))
        : null}
      {notesOf(row).map(({ code, field, text, message }) => (
        <span key={`${code} ${field}`}>
          {text === '' ? null : <strong>{text}: </strong>}
          {message}
        </span>
      ))}
    </Stack>
  );
}
