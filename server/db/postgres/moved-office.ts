import type { ClientBase } from 'pg';
import { formatDate } from '#shared/domain/dates/date-labels.ts';
import { DatabaseAddressError } from './address-error.ts';
import { forgetSharedText, readSharedText, storeSharedText } from './shared-texts.ts';

/** The marks of a database that an office has left, or in which it has not yet arrived (`pindah`). */

/** Its office has moved into a data folder. The move makes this table, so no migration knows it. */
const LEFT_TABLE = 'pbb_moved';
/** The shared text of a database into which an office moves, from before the first row until the commit. */
const ARRIVING = 'arriving';

/** @param date of the move in the time zone of the office */
export async function markLeft(client: ClientBase, date: string): Promise<void> {
  await client.query(`create table ${LEFT_TABLE} (moved_on text not null)`);
  await client.query(`insert into ${LEFT_TABLE} (moved_on) values ($1)`, [date]);
}

/** A crash of the move leaves the mark. @param date of the move in the time zone of the office */
export const markArriving = (client: ClientBase, date: string): Promise<void> =>
  storeSharedText(client, ARRIVING, date);

/** In the transaction of the move. */
export const markArrived = (client: ClientBase): Promise<void> => forgetSharedText(client, ARRIVING);

/** @throws DatabaseAddressError with the line to show */
export async function requireNotLeft(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ mark: string | null }>(`select to_regclass('public.${LEFT_TABLE}') as mark`);
  if (!rows[0]?.mark) return;
  const marks = await client.query<{ date: string }>(`select moved_on as date from ${LEFT_TABLE}`);
  throw new DatabaseAddressError(
    `Kantor ini sudah dipindahkan ke folder pada ${formatDate(marks.rows[0]?.date, 'UTC')}.`,
  );
}

/**
 * The office of the database is whole and its own, or there is none yet. A server would begin a new office in an empty one.
 * @throws DatabaseAddressError with the line to show
 */
export async function requireSettledOffice(client: ClientBase): Promise<void> {
  await requireNotLeft(client);
  const date = await readSharedText(client, ARRIVING);
  if (date === null) return;
  throw new DatabaseAddressError(
    `DATABASE_URL: pemindahan kantor ke database itu pada ${formatDate(date, 'UTC')} tidak selesai; yang diterima: "pindah --ke" sekali lagi, atau database kosong`,
  );
}
