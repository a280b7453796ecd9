import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lockBackups } from '#server/db/data-folder/data-folder.ts';
import { readFileAges } from '#server/db/data-folder/installation-state.ts';
import type { BackupSettings } from '#server/settings.ts';
import { BackupError, describeBackupError } from './backup-errors.ts';
import { freeDiskSpace, sweepLeftovers, pruneArchives } from './prune.ts';
import { createArchive } from './archive/create-archive.ts';
import { canLink, findPreviousArchive, type PreviousArchive } from './archive/folder-writer.ts';
import { countProofs, findProofName } from './archive/manifest.ts';
import { chooseFreeName, listBackups, TAR_SUFFIX, type Backup, type BackupKind } from './archive-names.ts';
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
      /** Manual archives that the second folder has now. */
      manualInSecond: string[];
      status: StoredBackupStatus | null;
    }
  /** `detail` is for the log. */
  | { result: 'failed'; message: string; detail: string; status: StoredBackupStatus | null }
  /** Another process is making a backup. */
  | { result: 'busy' };

/**
 * Looks whether a second folder belongs to another computer, which would lose archives there.
 * @returns why nothing may be written or deleted there, one Indonesian line; null when it may
 */
export type FindForeignOwner = (dataDir: string, secondDir: string) => string | null;

type Hooks = { onPercent?: (percent: number) => void; findForeignOwner?: FindForeignOwner };

const ruleOf = ({ dataDir, backupsDir, toDir, keep, timeZone, nowMs }: BackupJob) => ({
  toDir,
  keep,
  timeZone,
  nowMs,
  agesMs: readFileAges(dataDir, basename(backupsDir)),
});

type Sizes = { database: number; log: number; proofs: number };

function measureSizes({ databaseFile, proofsDir }: BackupJob): Sizes {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const proofs = readdirSync(proofsDir).reduce((total, name) => total + sizeOf(join(proofsDir, name)), 0);
  return { database: sizeOf(databaseFile), log: sizeOf(`${databaseFile}-wal`), proofs };
}

/** @returns roughly the bytes to read and write, as the basis of the percentage */
function estimateWorkBytes({ database, proofs }: Sizes, shared: SharedSize | null, hasSecond: boolean): number {
  const written = Math.max(0, proofs - (shared?.proofs ?? 0)) + database * (shared ? 1 / 30 : 1 / 3);
  return (shared ? 1 : 3) * database + 2 * written + (hasSecond ? 3 * written : 0);
}

/** The newest archive of a folder that is whole enough to share files with the next one. */
async function findPrevious(folder: string, timeZone: string): Promise<PreviousArchive | null> {
  for (const { name } of await listBackups(folder, timeZone)) {
    const previous = name.endsWith(TAR_SUFFIX) ? null : findPreviousArchive(join(folder, name));
    if (previous) return previous;
  }
  return null;
}

/** Bytes that the next archive need not write. */
type SharedSize = { proofs: number };

/** @returns null when the next archive shares nothing, as on a disk without hard links */
function measureShared(previous: PreviousArchive | null): SharedSize | null {
  if (!previous || !canLink(previous)) return null;
  const files = previous.manifest.entries.filter(({ name }) => findProofName(name) !== null);
  return { proofs: files.reduce((total, { size }) => total + size, 0) };
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
  const isTar = job.toDir !== null;
  const shared = isTar ? null : measureShared(await findPrevious(folder, job.timeZone));
  // The copy of the database and its packed form exist together for a short time.
  const needed = Math.max(0, sizes.proofs - (shared?.proofs ?? 0)) + 2 * (sizes.database + sizes.log);
  const evicted = await freeDiskSpace(folder, needed, ruleOf(job), createThrottle(job.isThrottled));
  const throttle = createJobThrottle(
    job,
    estimateWorkBytes(sizes, shared, !isTar && job.secondDir !== null),
    onPercent,
  );
  const { name: folderName, createdAtMs } = chooseFreeName(job.kind, job.timeZone, job.nowMs, (taken) =>
    [taken, `${taken}${TAR_SUFFIX}`].some((path) => existsSync(join(folder, path))),
  );
  const name = isTar ? `${folderName}${TAR_SUFFIX}` : folderName;
  // Again, because archives may have been deleted since.
  const previous = isTar ? null : await findPrevious(folder, job.timeZone);
  const { databaseFile, proofsDir } = job;
  const checksAll = job.kind === 'manual';
  const plan = { databaseFile, proofsDir, folder, name, createdAtMs, previous, checksAll };
  const manifest = await createArchive(plan, throttle);
  const sizeBytes = isTar ? statSync(join(folder, name)).size : manifest.size_bytes;
  return { folder, throttle, manifest, evicted, backup: { name, kind: job.kind, createdAtMs, sizeBytes } };
}

async function listManual(folder: string, timeZone: string): Promise<string[]> {
  const backups = await listBackups(folder, timeZone);
  return backups.filter(({ kind }) => kind === 'manual').map(({ name }) => name);
}

/** @returns why the copy failed; null when it succeeded */
async function tryCopyToSecondFolder(
  job: BackupJob,
  folder: string,
  backup: Backup,
  throttle: Throttle,
  findForeignOwner: FindForeignOwner,
): Promise<string | null> {
  try {
    requireFolder(folder);
    const owner = findForeignOwner(job.dataDir, folder);
    if (owner !== null) return owner;
    sweepLeftovers(folder);
    const shared = measureShared(await findPrevious(folder, job.timeZone));
    const needed = Math.max(0, backup.sizeBytes - (shared?.proofs ?? 0));
    await freeDiskSpace(folder, needed, ruleOf(job), createThrottle(job.isThrottled));
    const previous = await findPrevious(folder, job.timeZone);
    await copyToSecondFolder(job.backupsDir, folder, { name: backup.name, previous }, throttle);
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
  { onPercent = () => undefined, findForeignOwner = () => null }: Hooks = {},
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
    let manualInSecond: string[] = [];
    let second = previousSecond;
    if (job.toDir === null) {
      await pruneArchives(folder, ruleOf(job));
      if (job.secondDir !== null) {
        secondFolderError = await tryCopyToSecondFolder(job, job.secondDir, backup, throttle, findForeignOwner);
        manualInSecond = await listManual(job.secondDir, job.timeZone);
        second = { last_at: secondFolderError === null ? at : previousSecond.last_at, failure: secondFolderError };
      }
    }
    const proofs = countProofs(manifest);
    const missingProofs = manifest.missing_proofs;
    const made = { backup, folder, proofs, missingProofs, evicted, secondFolderError, manualInSecond };
    return { result: 'done', ...made, status: writeStatus(null, second) };
  } catch (error) {
    const message = describeBackupError(error);
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { result: 'failed', message, detail, status: writeStatus({ at, message }, previousSecond) };
  } finally {
    release?.();
  }
}
