import { Text } from '@mantine/core';
import { showDate, showDateShort, today } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { isLate } from './is-late.ts';
import classes from './due-date.module.css';

type Props = { record: TaxRecord; inline?: boolean; long?: boolean };

/** When a record is due, and whether that has passed unpaid. */
export function DueDate({ record, inline = false, long = false }: Props) {
  const late = isLate(record, today());
  const Row = inline ? 'span' : 'div';
  const date = record.due_date === null ? null : (long ? showDate : showDateShort)(record.due_date);
  if (date === null && !late) return '-';
  return (
    <>
      {date === null ? null : <Row>{date}</Row>}
      {inline && date !== null && late ? ' · ' : null}
      {late ? (
        <Text component={Row} fz="sm" fw={600} className={classes['late']}>
          Tunggakan
        </Text>
      ) : null}
    </>
  );
}
