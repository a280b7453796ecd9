import { RecordAmount } from '#client/features/tax-records/display/record-amount.tsx';
import { Group, Menu, Text } from '@mantine/core';
import { IconEye, IconFileDescription, IconPencil } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { recordLabel } from '#client/features/tax-records/display/record-labels.ts';
import { VerificationMark } from '#client/features/tax-records/display/verification/verification-mark.tsx';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { RecordPage } from '#client/features/tax-records/api.ts';
import classes from './dashboard.module.css';
import { NewestList, type RowColumn, RowMenu, RowName } from './newest-list.tsx';

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

/** Whether it is paid: a record in process is not (R-STAT-9). */
function PaidBadge({ record }: { record: TaxRecord }) {
  return (
    <>
      <StatusBadge status={record.status === 'lunas' ? 'lunas' : 'belum_lunas'} />
      <VerificationMark record={record} scope="admin" text="label" />
    </>
  );
}

function RecordCard({ record }: { record: TaxRecord }) {
  return (
    <div className={classes['what']}>
      <RowName to={paths.adminRecord(record.id)} name={record.name} />
      <Group gap="0.25rem 0.75rem">
        <Text component="span" c="dimmed" fz="sm">
          {record.tax_type} · {record.year}
        </Text>
        <PaidBadge record={record} />
      </Group>
      <Text fw={600}>
        <RecordAmount record={record} />
      </Text>
    </div>
  );
}

const columns: readonly RowColumn<TaxRecord>[] = [
  { header: 'Nama', cell: ({ id, name }) => <RowName to={paths.adminRecord(id)} name={name} /> },
  {
    header: 'Jenis dan tahun',
    cell: ({ tax_type, year }) => `${tax_type} · ${year}`,
    cellProps: { className: 'tabular' },
  },
  { header: 'Status', cell: (record) => <PaidBadge record={record} /> },
  {
    header: 'Jumlah',
    cell: (record) => <RecordAmount record={record} />,
    cellProps: { ta: 'right', fw: 600 },
  },
];

/** 'Catatan Pajak Terbaru' (R-STAT-9). */
export function NewestRecords({ query }: { query: UseQueryResult<RecordPage> }) {
  return (
    <NewestList
      list="records"
      title="Catatan Pajak Terbaru"
      unit="data PBB"
      query={query}
      allPath={paths.adminRecords}
      empty={{ title: 'Belum ada catatan pajak', icon: IconFileDescription }}
      columns={columns}
      renderCard={(record) => <RecordCard record={record} />}
      renderMenu={(record) => <RecordMenu record={record} />}
    />
  );
}
