import type { ClientBase } from 'pg';
import { formatDate } from '#shared/domain/dates/date-labels.ts';
import { DatabaseAddressError } from './address-error.ts';
import { forgetSharedText, readSharedText, storeSharedText } from './shared-texts.ts';

/** The mark of a database into which an office moves, from before the first row until the commit. */
const ARRIVING = 'arriving';

/** A crash of the move leaves the mark. @param date of the move in the time zone of the office */
export const markArriving = (client: ClientBase, date: string): Promise<void> =>
  storeSharedText(client, ARRIVING, date);

/** In the transaction of the move. */
export const markArrived = (client: ClientBase): Promise<void> => forgetSharedText(client, ARRIVING);

/** A server would begin a new office in an empty database. @throws DatabaseAddressError with the line to show */
export async function requireArrived(client: ClientBase): Promise<void> {
  const date = await readSharedText(client, ARRIVING);
  if (date === null) return;
  throw new DatabaseAddressError(
    `DATABASE_URL: pemindahan kantor ke database itu pada ${formatDate(date, 'UTC')} tidak selesai; yang diterima: "pindah --ke" sekali lagi, atau database kosong`,
  );
}
