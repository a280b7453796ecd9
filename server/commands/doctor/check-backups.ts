import { constants, existsSync, statSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { readFileAges } from '#server/db/data-folder/installation-state.ts';
import { hasAccess } from '#server/files/access.ts';
import { listBackups, type Backup } from '#server/operations/backups/archive-names.ts';
import { readStoredFailures, readStoredStatus } from '#server/operations/backups/status-file.ts';
import { listOldCopies } from '#server/operations/installation/expired-copies.ts';
import type { Settings } from '#server/settings.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { blocksFolder, isInstalledUnit } from '../service/service-files.ts';
import { CLOCK_TOLERANCE_MS, type Finding, type Installation } from './check.ts';
import { filesFolder } from './check-folder.ts';

/** A backup may be delayed by a start of the server or a busy disk. */
const OVERDUE_FACTOR = 2;
/** Without automatic backups, a manual one is expected this often. */
const MANUAL_BACKUP_EVERY_MS = 7 * DAY_MS;
const COPY_MAX_AGE_MS = 7 * DAY_MS;
const LISTED_COPIES_MAX = 5;

const backupsFolder = ({ dataDir }: Settings): string => join(dataDir, 'backups');

/** Whether the last backup is new enough. */
export async function* checkBackups({ settings }: Installation): AsyncGenerator<Finding> {
  const { dataDir, timeZone, backup } = settings;
  const database = statSync(join(dataDir, 'pbb.sqlite'), { throwIfNoEntry: false });
  if (!database) return;
  const all = await listBackups(backupsFolder(settings), timeZone);
  // A backup dated in the future got its name from a wrong clock, so it is not the last one.
  const newest = all.find(({ createdAtMs }) => createdAtMs <= Date.now() + CLOCK_TOLERANCE_MS);
  const ahead = describeFutureBackups(all);
  if (ahead) yield ahead;
  const allowedMs = backup.everyHours > 0 ? backup.everyHours * HOUR_MS * OVERDUE_FACTOR : MANUAL_BACKUP_EVERY_MS;
  const off = backup.everyHours > 0 ? '' : '; cadangan otomatis dimatikan (BACKUP_EVERY_HOURS=0)';
  // The last change counts, not the present time: while the computer was off nothing was written.
  const changedMs = Math.max(database.mtimeMs, mtimeOf(join(dataDir, 'pbb.sqlite-wal')));
  const since = newest?.createdAtMs ?? database.birthtimeMs;
  const last = findLastKnown(dataDir, all);
  const shown = last?.isAhead ? last.ageMs : newest && Date.now() - newest.createdAtMs;
  const what = shown === undefined ? `belum ada cadangan${off}` : `cadangan terakhir ${formatAge(shown)}${off}`;
  const isOldByClock = changedMs - since > allowedMs;
  // The clock may have been set: an old backup is old by operating time too, where the server has measured it.
  const isOld = last ? last.ageMs > allowedMs && (isOldByClock || last.isAhead) : isOldByClock;
  yield isOld
    ? { what, advice: 'Buat cadangan sekarang: backup. Biarkan server berjalan agar cadangan otomatis dibuat.' }
    : { what, ...(shown === undefined ? { hint: firstBackupHint(backup.everyHours) } : {}) };
}

/** A new installation has no backup yet, which is no problem but should not read as a passed check. */
const firstBackupHint = (everyHours: number): string =>
  everyHours > 0
    ? 'Server membuat yang pertama sendiri; untuk membuatnya sekarang: backup.'
    : 'Buat yang pertama: backup.';

/** The backup that was made last, by operating time; undefined where no server has measured it. */
function findLastKnown(dataDir: string, all: Backup[]): { ageMs: number; isAhead: boolean } | undefined {
  const ages = readFileAges(dataDir, 'backups');
  const known = all.flatMap(({ name, createdAtMs }) => {
    const ageMs = ages[name];
    return ageMs === undefined ? [] : [{ ageMs, isAhead: createdAtMs > Date.now() + CLOCK_TOLERANCE_MS }];
  });
  return known.toSorted((a, b) => a.ageMs - b.ageMs)[0];
}

function describeFutureBackups(all: Backup[]): Finding | null {
  const ahead = all.filter(({ createdAtMs }) => createdAtMs > Date.now() + CLOCK_TOLERANCE_MS);
  const [first] = ahead;
  if (!first) return null;
  return {
    what: `${ahead.length} cadangan bertanggal masa depan, misalnya ${first.name}`,
    advice: 'Periksa tanggal komputer. Bila tanggalnya benar, pindahkan cadangan itu ke folder lain: namanya salah.',
  };
}

const mtimeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export function formatAge(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.floor(ms / 60_000))} menit lalu`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} jam lalu` : `${Math.floor(ms / DAY_MS)} hari lalu`;
}

/** Copies of old data are no problem. */
export function checkOldCopies({ settings }: Installation): Finding | null {
  const folders = { dataDir: settings.dataDir, backupsDir: backupsFolder(settings), filesDir: filesFolder(settings) };
  const copies = listOldCopies(folders);
  if (copies.length === 0) return null;
  const some = copies.slice(0, LISTED_COPIES_MAX).join(', ') + (copies.length > LISTED_COPIES_MAX ? ', …' : '');
  return { what: `salinan data lama, dihapus sendiri sesudah 30 atau 90 hari kecuali yang terbaru: ${some}` };
}

export function checkFailedBackup({ settings }: Installation): Finding | null {
  const { failure } = readStoredFailures(backupsFolder(settings));
  return failure ? { what: `pencadangan terakhir gagal (${failure.at})`, advice: failure.message } : null;
}

export function* checkSecondFolder({ settings, computer }: Installation): Generator<Finding> {
  const { secondDir } = settings.backup;
  if (secondDir === null) return;
  yield describeSecondFolder(secondDir, settings.dataDir, computer.platform);
  const { second } = readStoredFailures(backupsFolder(settings));
  if (second?.failure) yield { what: 'cadangan terakhir tidak tersalin ke folder kedua', advice: second.failure };
}

/** On Windows by the letter of the disk or the network share: Node has no number of a disk there that can be trusted. */
export const isSameDisk = (a: string, b: string, platform: NodeJS.Platform): boolean =>
  platform === 'win32'
    ? win32.parse(a).root.toLowerCase() === win32.parse(b).root.toLowerCase()
    : statSync(a).dev === statSync(b).dev;

function describeSecondFolder(secondDir: string, dataDir: string, platform: NodeJS.Platform): Finding {
  const what = `folder cadangan kedua "${secondDir}"`;
  if (!existsSync(secondDir)) {
    return {
      what: `${what} tidak ada`,
      advice: 'Pasang disk USB atau sambungkan folder jaringan itu, atau ubah BACKUP_SECOND_DIR.',
    };
  }
  if (!hasAccess(secondDir, constants.W_OK | constants.X_OK)) {
    return { what: `${what} tidak dapat ditulis`, advice: 'Perbaiki haknya untuk pengguna yang menjalankan server.' };
  }
  if (isInstalledUnit((unit) => blocksFolder(unit, secondDir))) {
    return { what: `${what} tertutup bagi layanan yang terpasang`, advice: 'Ulangi: sudo … service install' };
  }
  const hasOwnDisk = !existsSync(dataDir) || !isSameDisk(secondDir, dataDir, platform);
  if (hasOwnDisk) return { what: `${what} dapat ditulis, dan ada pada disk lain daripada data` };
  return {
    what: `${what} ada pada disk yang sama dengan data`,
    advice: 'Pilih disk lain: bila disk ini rusak, keduanya hilang.',
  };
}

/** A server in the internet can be taken over or encrypted: what is only on its own disk is then lost. */
export function checkBackupsOutside({ settings, computer }: Installation): Finding {
  const { backup } = settings;
  if (backup.everyHours === 0) {
    return { what: 'cadangan otomatis mati (BACKUP_EVERY_HOURS=0)', advice: 'Hapus setelan itu.' };
  }
  if (backup.secondDir === null) {
    return {
      what: 'tidak ada cadangan di luar komputer ini',
      advice: 'Pasang disk USB dan isi BACKUP_SECOND_DIR, dan simpan satu salinan di tempat lain.',
    };
  }
  const copiedAt = readStoredStatus(backupsFolder(settings))?.second.last_at ?? null;
  if (copiedAt === null || computer.now() - Date.parse(copiedAt) > COPY_MAX_AGE_MS) {
    const last = copiedAt === null ? 'belum pernah' : `terakhir ${copiedAt.slice(0, 10)}`;
    return {
      what: `cadangan tersalin ke "${backup.secondDir}": ${last}`,
      advice: 'Pasang disknya, jalankan server, lalu tekan Cadangkan sekarang di Pengaturan.',
    };
  }
  return { what: `cadangan tersalin ke "${backup.secondDir}" pada ${copiedAt.slice(0, 10)}` };
}
