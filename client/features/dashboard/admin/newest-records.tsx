import { Table, Text } from '@mantine/core';
import { IconFileDescription } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { RecordIcons } from '#client/features/tax-records/display/record-icons.tsx';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { RecordPage } from '#client/features/tax-records/api.ts';
import { useStoredView } from './use-stored-view.ts';
import classes from './dashboard.module.css';
import { NewestList } from './newest-list.tsx';

type RowsProps = { records: readonly TaxRecord[] };

function RecordCards({ records }: RowsProps) {
  return (
    <ul className={classes['rows']}>
      {records.map((record) => (
        <li key={record.id} className={classes['record']}>
          <Text fw={600} lineClamp={2}>
            {record.name}
          </Text>
          <StatusBadge status={record.status} />
          <div>
            <Text c="dimmed" fz="sm">
              {record.tax_type} · {record.year}
            </Text>
            <Text fw={600}>
              <Money amount={record.amount} />
            </Text>
          </div>
          <RecordIcons scope="admin" record={record} />
        </li>
      ))}
    </ul>
  );
}

function RecordTable({ records }: RowsProps) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table verticalSpacing="xs" horizontalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Nama</Table.Th>
            <Table.Th scope="col">Jenis dan tahun</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col" ta="right">
              Jumlah
            </Table.Th>
            <Table.Th scope="col" ta="right" className="no-print">
              Aksi
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Table.Tr key={record.id}>
              <Table.Th scope="row" className={classes['break'] ?? ''}>
                {record.name}
              </Table.Th>
              <Table.Td className="tabular">
                {record.tax_type} · {record.year}
              </Table.Td>
              <Table.Td>
                <StatusBadge status={record.status} />
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                <Money amount={record.amount} />
              </Table.Td>
              <Table.Td className="no-print">
                <RecordIcons scope="admin" record={record} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** 'Catatan Pajak Terbaru' (R-STAT-9). */
export function NewestRecords({ query }: { query: UseQueryResult<RecordPage> }) {
  const { view, choose } = useStoredView('records');
  const Rows = view === 'tabel' ? RecordTable : RecordCards;
  return (
    <NewestList
      title="Catatan Pajak Terbaru"
      unit="data PBB"
      query={query}
      allPath={paths.adminRecords}
      view={view}
      onView={choose}
      empty={{ title: 'Belum ada catatan pajak', icon: IconFileDescription }}
    >
      {(records) => <Rows records={records} />}
    </NewestList>
  );
}
