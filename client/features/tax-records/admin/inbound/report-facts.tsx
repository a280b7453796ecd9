import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { showDate, showDateShort, showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { RecordAmount } from '../../display/record-amount.tsx';
import { DueDate } from '../../display/due-date.tsx';
import { propertyLabel } from '../../display/record-labels.ts';
import { earlierRejectionQuery } from './inbound-api.ts';
import classes from './inbound.module.css';

/** The facts that the photo is compared with: the object and the owner. */
export function ReportFacts({ record }: { record: TaxRecord }) {
  const { user, verification } = record;
  const isPending = verification.state === 'pending';
  const { data: rejection } = useQuery({ ...earlierRejectionQuery(record.id), enabled: isPending });
  const items: { label: string; value: ReactNode }[] = [
    { label: 'Nomor SPT', value: formatSptNumber(record.spt_number) },
    { label: 'Tahun', value: record.year },
    ...(record.status === 'lunas' ? [{ label: 'Tanggal bayar', value: showDate(record.payment_date) }] : []),
    ...(isPending && verification.at ? [{ label: 'Dilaporkan', value: showDateTime(verification.at) }] : []),
    { label: 'Nama', value: record.name },
    {
      label: 'Pemilik akun',
      value: (
        <Group component="span" gap="0 1rem">
          <Anchor component={Link} to={paths.adminUser(user.id)} inherit>
            {user.name}
          </Anchor>
          <Anchor component={Link} to={paths.adminConversation(user.id)} inherit>
            Chat
          </Anchor>
          <Anchor component={Link} to={paths.adminRecord(record.id)} inherit>
            Buka data
          </Anchor>
        </Group>
      ),
    },
    { label: 'Alamat', value: record.address },
    { label: 'Jenis Properti', value: propertyLabel(record.property_type) },
    { label: 'Jatuh tempo', value: <DueDate record={record} inline /> },
    ...(record.description ? [{ label: 'Deskripsi', value: record.description }] : []),
    ...(record.notes ? [{ label: 'Catatan', value: record.notes }] : []),
    ...(rejection
      ? [
          {
            label: 'Pernah tidak cocok',
            value: `${rejection.reason} (${rejection.by}, ${showDateShort(rejection.at)})`,
          },
        ]
      : []),
  ];
  return (
    <dl className={classes['list']}>
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The sum, large: it is compared first. */
export function Amount({ record }: { record: TaxRecord }) {
  return (
    <Text fz="xxl" fw={700} lh={1.2}>
      <RecordAmount record={record} />
    </Text>
  );
}
