import { RecordAmount } from '../display/record-amount.tsx';
import { Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { DetailList } from '#client/ui/data/detail-list.tsx';
import { StatusBadge } from '../display/status-badge.tsx';
import { showDate, showDateTime } from '#client/lib/format.ts';
import { proofUrl } from '../display/proof-url.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import {
  listEvery,
  type LongTextField,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { longTextRows, recordText } from '../display/record-field-texts.ts';
import { AssessmentDifference } from '../display/assessment-difference.tsx';
import { DueDate } from '../display/due-date.tsx';
import classes from './record-detail.module.css';
import { RecordProof } from '../display/record-proof.tsx';
import { VerificationMark } from '../display/verification/verification-mark.tsx';
import { verificationTitles } from '../display/verification/verification-text.ts';
import type { RecordScope } from '../scope.ts';

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
  scope: RecordScope;
  onReload: () => void;
  /** A button below the amount and the status. */
  statusAction?: ReactNode;
  /** Further acts, below those of the status. */
  moreActions?: ReactNode;
  /** A button in the section of the payment proof. */
  proofAction?: ReactNode;
  /** The owner, on the admins' page. */
  owner?: ReactNode;
  audit?: ReactNode;
};

/** All fields of a record (R-REC-16, R-REC-23). */
export function RecordDetail({ record, scope, onReload, statusAction, moreActions, proofAction, owner, audit }: Props) {
  return (
    <div className={classes['columns']}>
      <Paper withBorder className={classes['panel']}>
        <Group
          justify="space-between"
          gap="0.5rem 1rem"
          mb="0.75rem"
          pb="0.75rem"
          style={{ borderBottom: '1px solid var(--line)' }}
        >
          <div>
            <Text c="dimmed" fz="sm">
              Jumlah
            </Text>
            <Text className={classes['amount']}>
              <RecordAmount record={record} namesOffice />
            </Text>
          </div>
          <StatusBadge status={record.status} />
        </Group>
        <DetailList
          compact
          items={[
            { label: 'Tanggal Jatuh Tempo', value: <DueDate record={record} inline long /> },
            { label: 'Tanggal Pembayaran', value: showDate(record.payment_date) },
            ...(record.verification.state === 'none'
              ? []
              : [
                  {
                    label: verificationTitles[scope],
                    value: <VerificationMark record={record} scope={scope} />,
                    wide: true,
                  },
                ]),
          ]}
        />
        <AssessmentDifference record={record} scope={scope} />
        {statusAction ? <div className={`${classes['action']} no-print`}>{statusAction}</div> : null}
      </Paper>
      {moreActions ? <div className="no-print">{moreActions}</div> : null}
      <div className={classes['side']}>
        {owner}
        <Paper component="section" withBorder className={classes['panel']}>
          <Title order={2} fz="h3" mb="xs">
            Bukti Pembayaran
          </Title>
          <RecordProof url={proofUrl(record.payment_proof)} onReload={onReload} />
          {proofAction ? <div className={`${classes['action']} no-print`}>{proofAction}</div> : null}
        </Paper>
      </div>
      <Paper component="section" withBorder className={classes['panel']}>
        <Title order={2} fz="h3" mb="xs">
          Objek Pajak
        </Title>
        <DetailList
          compact
          items={[
            ...OBJECT_FIELDS.map((field) => ({
              label: taxRecordFields[field].label,
              value: recordText(record, field),
            })),
            ...longTextRows(record).map(({ label, value }) => ({ label, value, wide: true })),
          ]}
        />
      </Paper>
      <div className={classes['foot']}>
        {audit}
        <RecordTimes record={record} />
      </div>
    </div>
  );
}

/** The times of a record and its short id, in one quiet line. */
function RecordTimes({ record }: { record: TaxRecord }) {
  const items = [
    { label: 'ID', value: record.id.slice(-SHORT_ID_LENGTH) },
    { label: 'Dibuat', value: showDateTime(record.created_at) },
    { label: 'Diperbarui', value: showDateTime(record.updated_at) },
  ];
  return (
    <dl className={`${classes['times']} tabular`}>
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt> <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
