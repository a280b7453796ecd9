import { Box, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { DetailList } from '#client/ui/data/detail-list.tsx';
import { Money } from '#client/ui/data/money.tsx';
import { StatusBadge } from './status-badge.tsx';
import { showDate, showDateTime } from '#client/lib/format.ts';
import { proofUrl } from './proof-url.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import {
  listEvery,
  type LongTextField,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-record-fields.ts';
import { longTextRows, recordText } from './record-labels.ts';
import { DueDate } from './due-date.tsx';
import classes from './record-detail.module.css';
import { RecordProof } from './record-proof.tsx';

const SHORT_ID_LENGTH = 8;

type FieldOfOtherSection = LongTextField | 'amount' | 'status' | 'due_date' | 'payment_date' | 'payment_proof';
const OBJECT_FIELDS = listEvery<Exclude<TaxRecordField, FieldOfOtherSection>>()([
  'name',
  'address',
  'spt_number',
  'tax_type',
  'year',
  'property_type',
]);

type Props = {
  record: TaxRecord;
  onReload: () => void;
  /** The owner, on the admins' page. */
  owner?: ReactNode;
  audit?: ReactNode;
};

/** All fields of a record (R-REC-16, R-REC-23). */
export function RecordDetail({ record, onReload, owner, audit }: Props) {
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        <Paper withBorder p="lg">
          <div className={classes['sum']}>
            <div>
              <Text c="dimmed" fz="sm">
                Jumlah
              </Text>
              <Text className={classes['amount']}>
                <Money amount={record.amount} />
              </Text>
            </div>
            <StatusBadge status={record.status} />
          </div>
          <DetailList
            items={[
              { label: 'Tanggal Jatuh Tempo', value: <DueDate record={record} long /> },
              { label: 'Tanggal Pembayaran', value: showDate(record.payment_date) },
            ]}
          />
        </Paper>
        <Paper component="section" withBorder p="lg">
          <Title order={2} fz="h3" mb="md">
            Objek Pajak
          </Title>
          <DetailList
            items={[
              ...OBJECT_FIELDS.map((field) => ({
                label: taxRecordFields[field].label,
                value: recordText(record, field),
              })),
              ...longTextRows(record).map(({ label, value }) => ({ label, value, wide: true })),
            ]}
          />
        </Paper>
        {audit}
      </div>
      <div className={classes['column']}>
        {owner}
        <Paper component="section" withBorder p="lg">
          <Title order={2} fz="h3" mb="md">
            Bukti Pembayaran
          </Title>
          <RecordProof url={proofUrl(record.payment_proof)} onReload={onReload} />
        </Paper>
        <Paper component="section" withBorder p="lg">
          <Title order={2} fz="h3" mb="md">
            Riwayat
          </Title>
          <DetailList
            items={[
              { label: 'Dibuat', value: showDateTime(record.created_at), wide: true },
              { label: 'Diperbarui', value: showDateTime(record.updated_at), wide: true },
              {
                label: 'ID',
                value: (
                  <Box component="span" className="tabular">
                    {record.id.slice(-SHORT_ID_LENGTH)}
                  </Box>
                ),
                wide: true,
              },
            ]}
          />
        </Paper>
      </div>
    </div>
  );
}
