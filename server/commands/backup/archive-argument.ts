import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { describeBackupError } from '#server/operations/backups/backup-errors.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { verifyForRestore, UnfinishedRestoreError, type VerifiedArchive } from '#server/operations/backups/restore.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { programResources } from '#server/files/program-resources.ts';
import type { Settings } from '#server/settings.ts';
import { printLine } from '../terminal/command.ts';
import { CommandError } from '../terminal/command-errors.ts';

const migrationJournal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/**
 * Reads and checks a whole archive.
 * @param given a path, or a file name in the folder of backups or in the second folder
 * @throws CommandError for an archive that is missing, damaged, foreign, or of a newer version
 */
export function verifyArchiveArgument(given: string, settings: Settings): Promise<VerifiedArchive> {
  return rethrowAsCommandError(() => verifyForRestore(resolveArchivePath(given, settings), newestKnownMigrationMs()));
}

/** @param given a path, or a name in the folder of backups or in the second folder, as the list of `restore` has it */
export function resolveArchivePath(given: string, { dataDir, backup }: Settings): string {
  if (existsSync(given) || dirname(given) !== '.') return resolve(given);
  const folders = [dataPathsIn(dataDir).backupsDir, ...(backup.secondDir === null ? [] : [backup.secondDir])];
  const named = folders.map((folder) => join(folder, basename(given)));
  return named.find((file) => existsSync(file)) ?? resolve(given);
}

export function newestKnownMigrationMs(): number {
  const text = programResources().read('migrations/meta/_journal.json').toString('utf8');
  return migrationJournal.parse(JSON.parse(text)).entries.at(-1)?.when ?? 0;
}

/** @throws CommandError with a message that says whether the data is unchanged */
export async function rethrowAsCommandError<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const message = describeBackupError(error, 'memulihkan');
    const isUnchanged = !(error instanceof UnfinishedRestoreError);
    throw new CommandError(isUnchanged ? `${message}\nTidak ada data yang diubah.` : message, { cause: error });
  }
}

export const formatLocalDateTime = (instant: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('id-ID', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(new Date(instant));

export function printArchive({ file, manifest, proofs, unpackedBytes }: VerifiedArchive, timeZone: string): void {
  printLine(`Cadangan utuh: ${file}`);
  printLine(`  dibuat   ${formatLocalDateTime(manifest.created_at, timeZone)} oleh v${manifest.app_version}`);
  printLine(`  isi      database dan ${proofs} foto dan dokumen, ${formatBytes(unpackedBytes)}`);
}
