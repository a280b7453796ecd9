import { showDate, showDateShort, today } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { isOverdue } from '#shared/domain/tax-records/overdue.ts';
import classes from './due-date.module.css';

type Props = { record: TaxRecord; inline?: boolean; long?: boolean };

/** Whether a record is overdue on a date (R-REC-4). */
export function isRecordOverdue(record: Pick<TaxRecord, 'status' | 'due_date' | 'year'>, date: string): boolean {
  return isOverdue({ status: record.status, dueDate: record.due_date, year: record.year }, date);
}

/** The due date of a record, with a mark when it is overdue. */
export function DueDate({ record, inline = false, long = false }: Props) {
  const overdue = isRecordOverdue(record, today());
  const Element = inline ? 'span' : 'div';
  const date = record.due_date === null ? null : (long ? showDate : showDateShort)(record.due_date);
  if (date === null && !overdue) return '-';
  // Beside its label 'Tunggakan' alone would pass for the date.
  const shown = date ?? (inline ? 'Tanpa tanggal' : null);
  return (
    <>
      {shown === null ? null : <Element>{shown}</Element>}
      {inline && overdue ? ' · ' : null}
      {overdue ? <Element className={classes['late']}>Tunggakan</Element> : null}
    </>
  );
}
