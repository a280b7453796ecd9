import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lockBackups } from '#server/db/data-folder/data-folder.ts';
import { readFileAges } from '#server/db/data-folder/installation-state.ts';
import type { BackupSettings } from '#server/settings.ts';
import { BackupError, describeBackupError } from './backup-errors.ts';
import { freeDiskSpace, sweepLeftovers, pruneArchives } from './prune.ts';
import { createArchive } from './archive/create-archive.ts';
import { chooseFreeName, type Backup, type BackupKind } from './archive-names.ts';
import { createThrottle, type Throttle } from './throttle.ts';
import { copyToSecondFolder, describeSecondFolderError, requireFolder } from './second-folder.ts';
import { storeStatus, readStoredStatus, type StoredBackupStatus } from './status-file.ts';

export type BackupJob = {
  dataDir: string;
  databaseFile: string;
  proofsDir: string;
  backupsDir: string;
  kind: BackupKind;
  /** Epoch milliseconds. */
  nowMs: number;
  timeZone: string;
  keep: BackupSettings['keep'];
  secondDir: string | null;
  /** A folder named on the command line: it gets only this archive. null: the folder of backups. */
  toDir: string | null;
  /** Whether a server runs at the same time. */
  isThrottled: boolean;
};

export type BackupOutcome =
  | {
      result: 'done';
      backup: Backup;
      folder: string;
      proofs: number;
      missingProofs: string[];
      /** Older archives that were deleted early because the disk was full. */
      evicted: string[];
      /** The reason why the second folder has no copy; null when it has one, or when none is set. */
      secondFolderError: string | null;
      status: StoredBackupStatus | null;
    }
  /** `detail` is for the log. */
  | { result: 'failed'; message: string; detail: string; status: StoredBackupStatus | null }
  /** Another process is making a backup. */
  | { result: 'busy' };

const ruleOf = ({ dataDir, backupsDir, toDir, keep, timeZone, nowMs }: BackupJob) => ({
  toDir,
  keep,
  timeZone,
  nowMs,
  agesMs: readFileAges(dataDir, basename(backupsDir)),
});

type Sizes = { database: number; proofs: number };

function measureSizes({ databaseFile, proofsDir }: BackupJob): Sizes {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const proofs = readdirSync(proofsDir).reduce((total, name) => total + sizeOf(join(proofsDir, name)), 0);
  return { database: sizeOf(databaseFile) + sizeOf(`${databaseFile}-wal`), proofs };
}

/** @returns roughly the bytes to read and write, as the basis of the percentage */
function estimateWorkBytes({ database, proofs }: Sizes, hasSecond: boolean): number {
  const archive = proofs + database / 3;
  return 2 * archive + 2 * database + (hasSecond ? 2 * archive : 0);
}

function createJobThrottle(job: BackupJob, work: number, onPercent: (percent: number) => void): Throttle {
  let done = 0;
  let reportedPercent = -1;
  return createThrottle(job.isThrottled, (bytes) => {
    done += bytes;
    const percent = Math.min(99, Math.floor((done / Math.max(1, work)) * 100));
    if (percent > reportedPercent) onPercent(percent);
    reportedPercent = Math.max(reportedPercent, percent);
  });
}

async function createJobArchive(job: BackupJob, onPercent: (percent: number) => void) {
  const folder = job.toDir ?? job.backupsDir;
  if (!existsSync(job.databaseFile)) {
    throw new BackupError(`Belum ada data untuk dicadangkan di "${job.dataDir}". Periksa folder data.`);
  }
  requireFolder(folder);
  sweepLeftovers(folder);
  const sizes = measureSizes(job);
  // The copy of the database and its packed form exist together for a short time.
  const needed = sizes.proofs + 2 * sizes.database;
  const evicted = await freeDiskSpace(folder, needed, ruleOf(job), createThrottle(job.isThrottled));
  const throttle = createJobThrottle(
    job,
    estimateWorkBytes(sizes, job.toDir === null && job.secondDir !== null),
    onPercent,
  );
  const { name, createdAtMs } = chooseFreeName(job.kind, job.timeZone, job.nowMs, (taken) =>
    existsSync(join(folder, taken)),
  );
  const { databaseFile, proofsDir } = job;
  const manifest = await createArchive({ databaseFile, proofsDir, folder, name, createdAtMs }, throttle);
  const sizeBytes = statSync(join(folder, name)).size;
  return { folder, throttle, manifest, evicted, backup: { name, kind: job.kind, createdAtMs, sizeBytes } };
}

/** @returns why the copy failed; null when it succeeded */
async function tryCopyToSecondFolder(
  job: BackupJob,
  folder: string,
  backup: Backup,
  throttle: Throttle,
): Promise<string | null> {
  try {
    requireFolder(folder);
    sweepLeftovers(folder);
    await freeDiskSpace(folder, backup.sizeBytes, ruleOf(job), createThrottle(job.isThrottled));
    await copyToSecondFolder(job.backupsDir, folder, backup, throttle);
    await pruneArchives(folder, ruleOf(job));
    return null;
  } catch (error) {
    return describeSecondFolderError(error, folder);
  }
}

/**
 * Makes a complete backup: archive, retention, second folder and status file. It runs beside a server, in a worker thread or
 * in another process. Only one backup at a time runs for a data folder.
 */
export async function runBackup(
  job: BackupJob,
  onPercent: (percent: number) => void = () => undefined,
): Promise<BackupOutcome> {
  const at = new Date(job.nowMs).toISOString();
  const previousSecond = readStoredStatus(job.backupsDir)?.second ?? { last_at: null, failure: null };
  const writeStatus = (
    failure: StoredBackupStatus['failure'],
    second: StoredBackupStatus['second'],
  ): StoredBackupStatus | null => {
    if (job.toDir !== null) return null;
    const status = { at, failure, second };
    storeStatus(job.backupsDir, status);
    return status;
  };
  let release: (() => void) | null = null;
  try {
    release = lockBackups(job.dataDir);
    if (!release) return { result: 'busy' };
    const { folder, throttle, manifest, evicted, backup } = await createJobArchive(job, onPercent);
    let secondFolderError: string | null = null;
    let second = previousSecond;
    if (job.toDir === null) {
      await pruneArchives(folder, ruleOf(job));
      if (job.secondDir !== null) {
        secondFolderError = await tryCopyToSecondFolder(job, job.secondDir, backup, throttle);
        second = { last_at: secondFolderError === null ? at : previousSecond.last_at, failure: secondFolderError };
      }
    }
    const proofs = manifest.entries.length - 1;
    const missingProofs = manifest.missing_proofs;
    const made = { backup, folder, proofs, missingProofs, evicted, secondFolderError };
    return { result: 'done', ...made, status: writeStatus(null, second) };
  } catch (error) {
    const message = describeBackupError(error);
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { result: 'failed', message, detail, status: writeStatus({ at, message }, previousSecond) };
  } finally {
    release?.();
  }
}
