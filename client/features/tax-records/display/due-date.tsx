import { Text } from '@mantine/core';
import { showDate, showDateShort, today } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { isRecordOverdue } from './is-overdue.ts';
import classes from './due-date.module.css';

type Props = { record: TaxRecord; inline?: boolean; long?: boolean };

/** When a record is due, and whether that has passed unpaid. */
export function DueDate({ record, inline = false, long = false }: Props) {
  const overdue = isRecordOverdue(record, today());
  const Element = inline ? 'span' : 'div';
  const date = record.due_date === null ? null : (long ? showDate : showDateShort)(record.due_date);
  if (date === null && !overdue) return '-';
  return (
    <>
      {date === null ? null : <Element>{date}</Element>}
      {inline && date !== null && overdue ? ' · ' : null}
      {overdue ? (
        <Text component={Element} fz="sm" fw={600} className={classes['late']}>
          Tunggakan
        </Text>
      ) : null}
    </>
  );
}
