import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeStagedFolders } from '#server/db/data-folder/atomic-restore.ts';
import { copyFolderIn, holdsCopy, readCopyState } from '#server/operations/running-copy/copy-state.ts';
import {
  findCopyFolder,
  restoreCopy,
  stageCopy,
  type CopyRestoreOptions,
} from '#server/operations/running-copy/restore-copy.ts';
import { systemTexts } from '#shared/api/system.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { formatCopyAge } from '#shared/domain/format-duration.ts';
import { listBackups } from '#server/operations/backups/archive-names.ts';
import { restore as restoreData } from '#server/operations/backups/restore.ts';
import {
  type DataFolder,
  DataFolderInUseError,
  dataPathsIn,
  openDataFolder,
} from '#server/db/data-folder/data-folder.ts';
import { programName } from '#server/files/program-name.ts';
import type { Settings } from '#server/settings.ts';
import { parseOptions, printLine, type Command } from '../terminal/command.ts';
import { requireSettings } from '../data-folder/command-settings.ts';
import { CommandError } from '../terminal/command-errors.ts';
import {
  printArchive,
  resolveArchivePath,
  verifyArchiveArgument,
  formatLocalDateTime,
  newestKnownMigrationMs,
  rethrowAsCommandError,
} from './archive-argument.ts';
import { ask, isInteractive, readFirstLine } from '../terminal/prompt.ts';

const CONFIRMATION_WORD = 'PULIHKAN';
const OPTIONS = { ya: { type: 'boolean' }, data: { type: 'string' }, 'keluarkan-semua': { type: 'boolean' } } as const;

/** Replaces all data by a backup; without a file name it lists the backups. */
export const restore: Command = async (args) => {
  const { values, positionals } = parseOptions(args, OPTIONS, 1);
  const settings = requireSettings({ data: values.data });
  const [given] = positionals;
  if (settings.postgres) throw new CommandError(systemTexts.backupsOutside);
  if (given === undefined) return listArchives(settings);

  // Opened first, so that a running server is reported at once, and kept until the restore is done.
  const folder = openStoppedDataFolder(settings.dataDir);
  try {
    printLine('Memeriksa cadangan …');
    const copyFolder = findCopyFolder(resolveArchivePath(given, settings));
    if (copyFolder !== null) {
      const { data, ya = false, 'keluarkan-semua': endsSessions = false } = values;
      const options = { endsSessions, isTrial: data !== undefined };
      return await restoreRunningCopy(copyFolder, settings, { ...options, isConfirmed: ya });
    }
    const checked = await verifyArchiveArgument(given, settings);
    printArchive(checked, settings.timeZone);
    printLine(`Seluruh data di ${settings.dataDir} akan diganti dengan isi cadangan ini.`);
    if (values.ya !== true) await requireConfirmation();
    printLine('Memulihkan …');
    const { timeZone, dataDir } = settings;
    const aside = await rethrowAsCommandError(() => restoreData(dataDir, checked, { nowMs: Date.now(), timeZone }));
    printLine('Pemulihan selesai. Semua pengguna harus login lagi.');
    printLine('Password kembali seperti saat cadangan itu dibuat. Bila ditolak: admin reset-password.');
    if (aside !== null) {
      printLine(`Data sebelumnya disimpan di ${aside}; hapus folder itu bila sudah yakin tidak diperlukan.`);
    }
    return 0;
  } finally {
    folder.release();
  }
};

async function restoreRunningCopy(
  copyFolder: string,
  { dataDir, timeZone }: Settings,
  { isConfirmed, ...options }: CopyRestoreOptions & { isConfirmed: boolean },
): Promise<number> {
  const time = { nowMs: Date.now(), timeZone };
  const copy = await rethrowAsCommandError(async () => stageCopy(dataDir, copyFolder, time, newestKnownMigrationMs()));
  try {
    printLine(`Salinan utuh: ${copyFolder}`);
    printLine(`  keadaan  ${formatLocalDateTime(copy.state.atMs ?? 0, timeZone)}, v${copy.state.appVersion}`);
    printLine(`  isi      database dan ${copy.files.length} foto dan dokumen, ${formatBytes(copy.bytes)}`);
    printLine(`Seluruh data di ${dataDir} akan diganti dengan isi salinan ini.`);
    if (!isConfirmed) await requireConfirmation();
  } catch (error) {
    removeStagedFolders(dataDir);
    throw error;
  }
  printLine('Memulihkan …');
  const hadSettings = existsSync(join(dataDir, 'setelan.env'));
  const aside = await rethrowAsCommandError(() => restoreCopy(dataDir, copy, time, options));
  if (options.endsSessions) printLine('Pemulihan selesai. Semua pengguna harus login lagi.');
  else printLine('Pemulihan selesai. Semua pengguna tetap masuk seperti sebelumnya.');
  if (!existsSync(join(dataDir, 'secret'))) {
    printLine('Kantor itu memakai JWT_SECRET: isi JWT_SECRET yang sama di komputer ini, agar semua tetap masuk.');
  }
  if (options.isTrial && !hadSettings && existsSync(join(dataDir, 'setelan.env'))) {
    printLine(
      'Di setelan.env baris BACKUP_SECOND_DIR, PORT, dan TLS dimatikan, agar percobaan ini tidak menggantikan kantor.',
    );
  }
  if (aside !== null) {
    printLine(`Data sebelumnya disimpan di ${aside}; hapus folder itu bila sudah yakin tidak diperlukan.`);
  }
  return 0;
}

/** @throws CommandError while a server runs on the folder: a wrong setting is not what stops a restore then */
function openStoppedDataFolder(dataDir: string): DataFolder {
  try {
    return openDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    throw new CommandError(`Server masih berjalan dengan folder data "${dataDir}". Hentikan server dulu, lalu ulangi.`);
  }
}

async function requireConfirmation(): Promise<void> {
  const question = `Ketik ${CONFIRMATION_WORD} untuk melanjutkan: `;
  const answer = isInteractive() ? await ask(question) : await readFirstLine();
  if (answer.trim() !== CONFIRMATION_WORD) throw new CommandError('Dibatalkan; tidak ada data yang diubah.');
}

async function listArchives({ dataDir, timeZone, backup }: Settings): Promise<number> {
  const folders = [dataPathsIn(dataDir).backupsDir, ...(backup.secondDir === null ? [] : [backup.secondDir])];
  let count = 0;
  for (const folder of folders) {
    const found = await listBackups(folder, timeZone);
    count += found.length;
    if (found.length > 0) printLine(`Cadangan di ${folder}:`);
    for (const { name, kind, createdAtMs, sizeBytes } of found) {
      const note = kind === 'manual' ? ', dibuat atas permintaan' : '';
      printLine(`  ${name}  ${formatLocalDateTime(createdAtMs, timeZone)}  ${formatBytes(sizeBytes)}${note}`);
    }
  }
  const copyFolder = backup.secondDir === null ? null : copyFolderIn(backup.secondDir);
  if (copyFolder !== null && holdsCopy(copyFolder)) {
    const atMs = readCopyState(copyFolder)?.atMs ?? 0;
    count += 1;
    printLine(`Salinan berjalan  ${formatLocalDateTime(atMs, timeZone)}  (${formatCopyAge(Date.now() - atMs)})`);
  }
  if (count === 0) printLine(`Belum ada cadangan di ${folders.join(' atau ')}.`);
  else printLine(`Untuk memulihkan: hentikan server, lalu jalankan ${programName()} restore NAMA`);
  return 0;
}
