import { RecordAmount } from '../record-amount.tsx';
import type { ReactNode } from 'react';
import { showDateShort, today } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { isRecordOverdue } from '../due-date.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { VerificationMark } from '../verification/verification-mark.tsx';
import classes from './record-row.module.css';

type Props = {
  record: TaxRecord;
  title: ReactNode;
  action?: ReactNode;
  /** Left out where all records have the same. */
  hideStatus?: boolean;
};

/** A list of `RecordRow`. */
export function RecordRows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={classes['rows']} aria-label={label}>
      {children}
    </ul>
  );
}

/** One record in an admin's list of a user's records: its title, status, due date or payment, amount and what can be done. */
export function RecordRow({ record, title, action, hideStatus = false }: Props) {
  return (
    <li className={classes['row']} data-row data-status={hideStatus ? 'hidden' : undefined}>
      <div className={classes['title']}>{title}</div>
      {hideStatus ? null : (
        <div className={classes['status']}>
          <StatusBadge status={record.status} />
          <VerificationMark record={record} scope="admin" text="label" />
        </div>
      )}
      <div className={`${classes['date']} tabular`}>
        <PaymentDate record={record} />{' '}
        {hideStatus ? <VerificationMark record={record} scope="admin" text="label" /> : null}
      </div>
      <div className={classes['amount']}>
        <RecordAmount record={record} />
      </div>
      <div className={classes['action']}>{action}</div>
    </li>
  );
}

/** The day of payment of a record, or its due date. */
export function PaymentDate({ record }: { record: Pick<TaxRecord, 'status' | 'due_date' | 'payment_date' | 'year'> }) {
  if (record.status === 'lunas') return <>Dibayar {showDateShort(record.payment_date)}</>;
  if (isRecordOverdue(record, today())) {
    return (
      <span className={classes['overdue']}>
        {record.due_date === null ? 'Menunggak' : `Menunggak sejak ${showDateShort(record.due_date)}`}
      </span>
    );
  }
  return <>{record.due_date === null ? 'Tanpa jatuh tempo' : `Jatuh tempo ${showDateShort(record.due_date)}`}</>;
}
