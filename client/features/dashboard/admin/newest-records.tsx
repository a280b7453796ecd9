import { RecordAmount } from '#client/features/tax-records/display/record-amount.tsx';
import { Anchor, Menu, Table, Text } from '@mantine/core';
import { IconEye, IconFileDescription, IconPencil } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { recordLabel } from '#client/features/tax-records/display/record-labels.ts';
import { VerificationMark } from '#client/features/tax-records/display/verification/verification-mark.tsx';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { RecordPage } from '#client/features/tax-records/api.ts';
import { useStoredView } from './newest-list.tsx';
import classes from './dashboard.module.css';
import { NewestList } from './newest-list.tsx';
import { RowMenu } from './row-menu.tsx';

type RowsProps = { records: readonly TaxRecord[] };

function RecordMenu({ record }: { record: TaxRecord }) {
  const label = recordLabel(record);
  return (
    <RowMenu label={label}>
      <Menu.Item
        component={Link}
        to={paths.adminRecord(record.id)}
        aria-label={`Lihat (View) ${label}`}
        leftSection={<IconEye size={18} aria-hidden />}
      >
        Lihat
      </Menu.Item>
      <Menu.Item
        component={Link}
        to={paths.adminRecordEdit(record.id)}
        aria-label={`Edit ${label}`}
        leftSection={<IconPencil size={18} aria-hidden />}
      >
        Edit
      </Menu.Item>
    </RowMenu>
  );
}

function RecordName({ record }: { record: TaxRecord }) {
  return (
    <Anchor component={Link} to={paths.adminRecord(record.id)} className={classes['name'] ?? ''}>
      {record.name}
    </Anchor>
  );
}

/** Whether it is paid: a record in process is not (R-STAT-9). */
function PaidBadge({ record }: { record: TaxRecord }) {
  return (
    <>
      <StatusBadge status={record.status === 'lunas' ? 'lunas' : 'belum_lunas'} />
      <VerificationMark record={record} scope="admin" text="label" />
    </>
  );
}

function RecordCards({ records }: RowsProps) {
  return (
    <ul className={classes['rows']}>
      {records.map((record) => (
        <li key={record.id} className={classes['row']}>
          <div className={classes['what']}>
            <RecordName record={record} />
            <div className={classes['facts']}>
              <Text component="span" c="dimmed" fz="sm">
                {record.tax_type} · {record.year}
              </Text>
              <PaidBadge record={record} />
            </div>
            <Text fw={600}>
              <RecordAmount record={record} />
            </Text>
          </div>
          <RecordMenu record={record} />
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
                <RecordName record={record} />
              </Table.Th>
              <Table.Td className="tabular">
                {record.tax_type} · {record.year}
              </Table.Td>
              <Table.Td>
                <PaidBadge record={record} />
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                <RecordAmount record={record} />
              </Table.Td>
              <Table.Td ta="right" className="no-print">
                <RecordMenu record={record} />
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
