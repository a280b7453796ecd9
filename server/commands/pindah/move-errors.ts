import { dirname } from 'node:path';
import { toDatabaseError } from '#server/db/data-folder/data-folder.ts';
import { findMoveLine } from '#server/db/data-folder/moved-folder.ts';
import { UnequalMoveError, UnfitValueError, UnknownEndError } from '#server/db/move/move.ts';
import { DatabaseAddressError } from '#server/db/postgres/address-error.ts';
import { describeAddress, type PostgresAddress } from '#server/db/postgres/address.ts';
import { isLost } from '#server/db/postgres/lost.ts';
import { CommandError } from '../terminal/command-errors.ts';

type Place = { option: '--ke' | '--dari'; address: PostgresAddress; databaseFile: string };

const NOTHING_MOVED = 'Tidak ada yang dipindahkan.';

/** @returns an error with the line to show where one is known; otherwise the error unchanged */
export async function explainMoveError(error: unknown, { option, address, databaseFile }: Place): Promise<unknown> {
  if (error instanceof UnequalMoveError)
    return new CommandError(`Pemeriksaan sesudah menyalin gagal: ${error.message}. ${NOTHING_MOVED}`, { cause: error });
  if (error instanceof UnfitValueError) {
    const place = `Kolom ${error.column} di tabel ${error.table}, baris ${error.row}`;
    return new CommandError(`${place}, bukan bilangan bulat, sehingga tidak dapat disalin. ${NOTHING_MOVED}`, {
      cause: error,
    });
  }
  const unended = isLost(error) || error instanceof UnknownEndError ? findMoveLine(dirname(databaseFile)) : null;
  if (unended !== null)
    return new CommandError(`Sambungan ke ${describeAddress(address)} terputus. ${unended}`, { cause: error });
  if (isLost(error))
    return new CommandError(`Sambungan ke ${describeAddress(address)} terputus. ${NOTHING_MOVED}`, { cause: error });
  const { toAddressError } = await import('#server/db/postgres/open-address.ts');
  const explained = toAddressError(address, error);
  if (!(explained instanceof DatabaseAddressError)) return toDatabaseError(databaseFile, explained);
  // The address stands on the command line, not in the setting.
  return new DatabaseAddressError(explained.message.replace(/^DATABASE_URL:/, `${option}:`), { cause: error });
}
