import { constants, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemTexts } from '#shared/api/system.ts';
import { runBackup } from '#server/operations/backups/backup-job.ts';
import { findForeignOwner } from '../data-folder/second-folder-owner.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { hasAccess } from '#server/files/access.ts';
import type { Settings } from '#server/settings.ts';
import { parseOptions, printLine, type Command } from '../terminal/command.ts';
import { requireSettings } from '../data-folder/command-settings.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { printOutcome } from './backup-outcome.ts';
import { printArchive, verifyArchiveArgument } from './archive-argument.ts';
import { requireExistingData } from '../data-folder/default-data-dir.ts';
import { isServerRunning } from '../data-folder/running-server.ts';

/** Makes one backup, beside a running server or without one. */
export const backup: Command = async (args) => {
  const { values } = parseOptions(args, {
    ke: { type: 'string' },
    periksa: { type: 'string' },
    data: { type: 'string' },
  });
  if (values.ke === '') throw new UsageError('Pilihan "--ke" memerlukan nama folder.');
  if (values.periksa === '') throw new UsageError('Pilihan "--periksa" memerlukan nama berkas.');
  if (values.ke !== undefined && values.periksa !== undefined) {
    throw new UsageError('Pilihan "--ke" dan "--periksa" tidak dapat dipakai bersama.');
  }
  const settings = requireSettings({ data: values.data });
  if (values.periksa !== undefined) return verifyGiven(values.periksa, settings);
  if (settings.postgres) throw new CommandError(systemTexts.backupsOutside);
  const { dataDir, timeZone, backup: wanted } = settings;
  const places = dataPathsIn(dataDir);
  requireExistingData(dataDir);
  if (values.ke !== undefined) requireWritable(resolve(values.ke));
  printLine('Mencadangkan …');
  const outcome = await runBackup(
    {
      ...places,
      dataDir,
      kind: 'manual',
      nowMs: Date.now(),
      timeZone,
      keep: wanted.keep,
      secondDir: wanted.secondDir,
      toDir: values.ke === undefined ? null : resolve(values.ke),
      isThrottled: isServerRunning(dataDir),
    },
    { findForeignOwner },
  );
  return printOutcome(outcome, wanted.secondDir);
};

/** Checks a whole archive and changes nothing; a server may run. */
async function verifyGiven(given: string, settings: Settings): Promise<number> {
  printLine('Memeriksa cadangan …');
  printArchive(await verifyArchiveArgument(given, settings), settings.timeZone);
  return 0;
}

/** Ignores a missing folder: runBackup reports it. @throws CommandError for a folder that is not writable */
function requireWritable(folder: string): void {
  if (!existsSync(folder) || hasAccess(folder, constants.W_OK)) return;
  throw new CommandError(
    `Folder "${folder}" tidak dapat ditulis oleh pemilik folder data, yang membuat cadangan juga bila dijalankan dengan sudo. Beri hak tulis, atau pilih folder lain.`,
  );
}
