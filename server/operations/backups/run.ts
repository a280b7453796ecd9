import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockBackups } from '#server/db/data-folder.ts';
import type { BackupSettings } from '#server/settings.ts';
import { BackupError, describeFault } from './faults.ts';
import { makeRoom, sweepLeftovers, thinOut } from './folder.ts';
import { makeArchive } from './make.ts';
import { freeName, type Backup, type BackupKind } from './names.ts';
import { createPace, type Pace } from './pace.ts';
import { copyToSecondFolder, describeSecondFault, requireFolder } from './second-folder.ts';
import { keepStatus, readKeptStatus, type KeptStatus } from './status-file.ts';

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
  /** A folder that somebody named: gets this one archive, and nothing else is touched. null: the folder of backups. */
  toDir: string | null;
  /** A server answers people meanwhile. */
  isGentle: boolean;
};

export type BackupOutcome =
  | {
      result: 'done';
      backup: Backup;
      folder: string;
      proofs: number;
      missingProofs: string[];
      /** Older archives that had to go early, for lack of room. */
      spared: string[];
      /** Why the second folder has no copy; null when it has one or there is none. */
      secondFailure: string | null;
      status: KeptStatus | null;
    }
  /** `detail` is for the log. */
  | { result: 'failed'; message: string; detail: string; status: KeptStatus | null }
  /** Another process makes one at this moment. */
  | { result: 'busy' };

type Sizes = { database: number; proofs: number };

function measure({ databaseFile, proofsDir }: BackupJob): Sizes {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const proofs = readdirSync(proofsDir).reduce((total, name) => total + sizeOf(join(proofsDir, name)), 0);
  return { database: sizeOf(databaseFile) + sizeOf(`${databaseFile}-wal`), proofs };
}

/** Bytes read and written, roughly: what percentages are counted in. */
function workOf({ database, proofs }: Sizes, hasSecond: boolean): number {
  const archive = proofs + database / 3;
  return 2 * archive + 2 * database + (hasSecond ? 2 * archive : 0);
}

function paceOf(job: BackupJob, work: number, onPercent: (percent: number) => void): Pace {
  let done = 0;
  let told = -1;
  return createPace(job.isGentle, (bytes) => {
    done += bytes;
    const percent = Math.min(99, Math.floor((done / Math.max(1, work)) * 100));
    if (percent > told) onPercent(percent);
    told = Math.max(told, percent);
  });
}

async function makeOne(job: BackupJob, onPercent: (percent: number) => void) {
  const folder = job.toDir ?? job.backupsDir;
  if (!existsSync(job.databaseFile)) {
    throw new BackupError(`Belum ada data untuk dicadangkan di "${job.dataDir}". Periksa DATA_DIR.`);
  }
  requireFolder(folder);
  sweepLeftovers(folder);
  const sizes = measure(job);
  // The copy of the database stands beside its packed form for a moment.
  const needed = sizes.proofs + 2 * sizes.database;
  const spared = await makeRoom(folder, needed, job, createPace(job.isGentle));
  const pace = paceOf(job, workOf(sizes, job.toDir === null && job.secondDir !== null), onPercent);
  const { name, createdAtMs } = freeName(job.kind, job.timeZone, job.nowMs, (taken) => existsSync(join(folder, taken)));
  const { databaseFile, proofsDir } = job;
  const manifest = await makeArchive({ databaseFile, proofsDir, folder, name, createdAtMs }, pace);
  const sizeBytes = statSync(join(folder, name)).size;
  return { folder, pace, manifest, spared, backup: { name, kind: job.kind, createdAtMs, sizeBytes } };
}

/** @returns why there is no copy; null when there is one */
async function copyAside(job: BackupJob, folder: string, backup: Backup, pace: Pace): Promise<string | null> {
  try {
    requireFolder(folder);
    sweepLeftovers(folder);
    await makeRoom(folder, backup.sizeBytes, job, createPace(job.isGentle));
    await copyToSecondFolder(job.backupsDir, folder, backup, pace);
    await thinOut(folder, job);
    return null;
  } catch (error) {
    return describeSecondFault(error, folder);
  }
}

/**
 * Makes a backup from beginning to end: archive, keeping, second folder, and the note of how it went. Works beside a
 * running server, in a thread of it or in a process of its own; one at a time for each data folder.
 */
export async function runBackup(
  job: BackupJob,
  onPercent: (percent: number) => void = () => undefined,
): Promise<BackupOutcome> {
  const at = new Date(job.nowMs).toISOString();
  const before = readKeptStatus(job.backupsDir)?.second ?? { last_at: null, failure: null };
  const note = (failure: KeptStatus['failure'], second: KeptStatus['second']): KeptStatus | null => {
    if (job.toDir !== null) return null;
    const status = { at, failure, second };
    keepStatus(job.backupsDir, status);
    return status;
  };
  let release: (() => void) | null = null;
  try {
    release = lockBackups(job.dataDir);
    if (!release) return { result: 'busy' };
    const { folder, pace, manifest, spared, backup } = await makeOne(job, onPercent);
    let secondFailure: string | null = null;
    let second = before;
    if (job.toDir === null) {
      await thinOut(folder, job);
      if (job.secondDir !== null) {
        secondFailure = await copyAside(job, job.secondDir, backup, pace);
        second = { last_at: secondFailure === null ? at : before.last_at, failure: secondFailure };
      }
    }
    const proofs = manifest.entries.length - 1;
    const missingProofs = manifest.missing_proofs;
    const made = { backup, folder, proofs, missingProofs, spared, secondFailure };
    return { result: 'done', ...made, status: note(null, second) };
  } catch (error) {
    const message = describeFault(error);
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { result: 'failed', message, detail, status: note({ at, message }, before) };
  } finally {
    release?.();
  }
}
