import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { describeFault, sizeText } from '#server/operations/backups/faults.ts';
import { checkForRestore, UnfinishedRestoreError, type Checked } from '#server/operations/backups/restore.ts';
import { placesIn } from '#server/db/data-folder.ts';
import { programResources } from '#server/files/program-resources.ts';
import type { Settings } from '#server/settings.ts';
import { say } from './command.ts';
import { CommandError } from './fault.ts';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/**
 * Reads the archive that somebody named, from its first byte to its last.
 * @param given a path, or a bare name in the folder of backups or the second one
 * @throws CommandError for one that is not there, damaged, foreign, or of a newer program
 */
export function readGivenArchive(given: string, settings: Settings): Promise<Checked> {
  return untouchedUnlessSaid(() => checkForRestore(locate(given, settings), newestKnown()));
}

function locate(given: string, { dataDir, backup }: Settings): string {
  if (existsSync(given) || dirname(given) !== '.') return resolve(given);
  const folders = [placesIn(dataDir).backupsDir, ...(backup.secondDir === null ? [] : [backup.secondDir])];
  const named = folders.map((folder) => join(folder, basename(given)));
  return named.find((file) => existsSync(file)) ?? resolve(given);
}

function newestKnown(): number {
  const text = programResources().read('migrations/meta/_journal.json').toString('utf8');
  return journal.parse(JSON.parse(text)).entries.at(-1)?.when ?? 0;
}

/** @throws CommandError in plain words, which say whether the data are still what they were */
export async function untouchedUnlessSaid<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const told = describeFault(error, 'memulihkan');
    const isUntouched = !(error instanceof UnfinishedRestoreError);
    throw new CommandError(isUntouched ? `${told}\nTidak ada data yang diubah.` : told, { cause: error });
  }
}

export const showTime = (instant: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('id-ID', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(new Date(instant));

export function describeArchive({ file, manifest, proofs, unpackedBytes }: Checked, timeZone: string): void {
  say(`Cadangan utuh: ${file}`);
  say(`  dibuat   ${showTime(manifest.created_at, timeZone)} oleh v${manifest.app_version}`);
  say(`  isi      database dan ${proofs} bukti pembayaran, ${sizeText(unpackedBytes)}`);
}
