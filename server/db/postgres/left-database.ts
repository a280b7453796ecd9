import type { ClientBase } from 'pg';
import { formatDate } from '#shared/domain/dates/date-labels.ts';
import { DatabaseAddressError } from './address-error.ts';

/** The mark of a database whose office has moved into a data folder. The move makes its table, so no migration knows it. */
const MARK = 'pbb_moved';

/** @param date of the move in the time zone of the office */
export async function markLeft(client: ClientBase, date: string): Promise<void> {
  await client.query(`create table ${MARK} (moved_on text not null)`);
  await client.query(`insert into ${MARK} (moved_on) values ($1)`, [date]);
}

/** @throws DatabaseAddressError with the line to show */
export async function requireNotLeft(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ mark: string | null }>(`select to_regclass('public.${MARK}') as mark`);
  if (!rows[0]?.mark) return;
  const marks = await client.query<{ date: string }>(`select moved_on as date from ${MARK}`);
  throw new DatabaseAddressError(
    `Kantor ini sudah dipindahkan ke folder pada ${formatDate(marks.rows[0]?.date, 'UTC')}.`,
  );
}
