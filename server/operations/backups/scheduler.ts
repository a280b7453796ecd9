import type { FastifyBaseLogger } from 'fastify';
import { lockBackups, type DataPaths } from '#server/db/data-folder/data-folder.ts';
import type { BackupSettings } from '#server/settings.ts';
import { describeBackupError } from './backup-errors.ts';
import { listBackups, type Backup, type BackupKind } from './archive-names.ts';
import { sweepLeftovers } from './prune.ts';
import { findNewest } from './retention.ts';
import type { BackupJob, BackupOutcome } from './backup-job.ts';
import { storeStatus, readStoredStatus, type StoredBackupStatus } from './status-file.ts';
import type { StartBackup } from './worker.ts';
import { HOUR_MS } from '#shared/durations.ts';

/** The interval of the check whether a backup is due. */
const CHECK_EVERY_MS = 15_000;
/** After a start the users come first. */
const FIRST_AFTER_MS = 60_000;
/** Wait after a failure: short enough to be useful, long enough not to fill the log (R-SYS-9). */
const RETRY_MS = HOUR_MS / 2;
/** Wait when another process, a command, makes a backup. */
const BUSY_RETRY_MS = 60_000;

export type BackupSchedulerState = {
  /** The clock of the server, for comparison with the times below. */
  nowMs: number;
  everyHours: number;
  nextAtMs: number | null;
  /** Newest first. */
  backups: Backup[];
  /** The newest backup that is not dated in the future. */
  last: Backup | null;
  failure: StoredBackupStatus['failure'];
  running: { startedAtMs: number; percent: number } | null;
  second: (StoredBackupStatus['second'] & { path: string }) | null;
};

export type BackupSchedulerDeps = {
  paths: DataPaths & { dataDir: string };
  settings: BackupSettings;
  start: StartBackup;
};

/** Makes backups when they are due or when an admin asks, and reports how they ended. */
export function createBackupScheduler(
  { paths, settings, start }: BackupSchedulerDeps,
  {
    timeZone,
    now,
    log,
  }: { timeZone: string; now: () => number; log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'> },
) {
  const startedAtMs = now();
  let running: { startedAtMs: number; percent: number; stop: () => Promise<void>; ended: Promise<void> } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let notBeforeMs = startedAtMs + FIRST_AFTER_MS;
  /** The status of a failure, in case a full disk prevents writing it. */
  let latestStatus: StoredBackupStatus | null = null;
  let isClosed = false;

  function readStatus(): StoredBackupStatus | null {
    const stored = readStoredStatus(paths.backupsDir);
    return latestStatus && (!stored || latestStatus.at >= stored.at) ? latestStatus : stored;
  }

  function nextAtMs(backups: readonly Backup[]): number | null {
    if (settings.everyHours === 0) return null;
    const newest = findNewest(backups, now());
    return Math.max(notBeforeMs, newest ? newest.createdAtMs + settings.everyHours * HOUR_MS : 0);
  }

  function recordOutcome(outcome: BackupOutcome): void {
    if (outcome.result === 'busy') {
      notBeforeMs = now() + BUSY_RETRY_MS;
      return;
    }
    latestStatus = outcome.status ?? latestStatus;
    if (outcome.result === 'failed') {
      notBeforeMs = now() + Math.min(RETRY_MS, Math.max(1, settings.everyHours) * HOUR_MS);
      log.error({ detail: outcome.detail }, `backup failed: ${outcome.message}`);
      return;
    }
    const { backup, proofs, missingProofs, evicted, secondFolderError } = outcome;
    log.info({ backup: backup.name, bytes: backup.sizeBytes, proofs }, 'backup made');
    if (evicted.length > 0) log.warn({ evicted }, 'older backups had to make room');
    if (missingProofs.length > 0) log.warn({ missingProofs: missingProofs.slice(0, 20) }, 'proofs without a file');
    if (secondFolderError !== null) log.error(`backup was not copied to the second folder: ${secondFolderError}`);
  }

  /** The thread itself has ended, so it has not written a status. */
  function recordThreadError(error: unknown): void {
    if (isClosed) return;
    const at = new Date(now()).toISOString();
    const second = readStatus()?.second ?? { last_at: null, failure: null };
    const failedStatus: StoredBackupStatus = { at, failure: { at, message: describeBackupError(error) }, second };
    storeStatus(paths.backupsDir, failedStatus);
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    recordOutcome({ result: 'failed', message: describeBackupError(error), detail, status: failedStatus });
  }

  function startJob(kind: BackupKind): void {
    const { keep, secondDir } = settings;
    const startedAt = now();
    // Listed field by field, because a thread receives only values that can be cloned.
    const { dataDir, databaseFile, proofsDir, backupsDir } = paths;
    const job: BackupJob = {
      dataDir,
      databaseFile,
      proofsDir,
      backupsDir,
      kind,
      nowMs: startedAt,
      timeZone,
      keep,
      secondDir,
      toDir: null,
      isThrottled: true,
    };
    const { outcome, stop } = start(job, (percent) => {
      if (running) running.percent = percent;
    });
    const ended = outcome.then(recordOutcome, recordThreadError).finally(() => {
      running = null;
    });
    running = { startedAtMs: startedAt, percent: 0, stop, ended };
  }

  /** Whether this process or a command is making a backup. */
  function isBusy(): boolean {
    if (running) return true;
    try {
      const release = lockBackups(paths.dataDir);
      release?.();
      return release === null;
    } catch {
      // The same error of the disk makes the backup itself fail, and is reported as its failure.
      return false;
    }
  }

  /** An error of the disk must not prevent start or stop of the server. The next backup sweeps too. */
  function sweep(): void {
    let release: (() => void) | null = null;
    try {
      release = lockBackups(paths.dataDir);
      if (release) sweepLeftovers(paths.backupsDir);
    } catch (error) {
      log.error({ err: error }, 'leftovers of backups were not swept');
    } finally {
      release?.();
    }
  }

  async function startIfDue(): Promise<void> {
    const dueMs = running || isClosed ? null : nextAtMs(await listBackups(paths.backupsDir, timeZone));
    if (dueMs !== null && now() >= dueMs && !running && !isClosed) startJob('periodic');
  }

  return {
    backupsDir: paths.backupsDir,

    /** Starts a manual backup. @returns false while another one is running */
    makeNow(): boolean {
      if (isClosed || isBusy()) return false;
      startJob('manual');
      return true;
    },

    async state(): Promise<BackupSchedulerState> {
      const backups = await listBackups(paths.backupsDir, timeZone);
      const status = readStatus();
      const { everyHours, secondDir } = settings;
      return {
        nowMs: now(),
        everyHours,
        nextAtMs: nextAtMs(backups),
        backups,
        last: findNewest(backups, now()),
        failure: status?.failure ?? null,
        running: running && { startedAtMs: running.startedAtMs, percent: running.percent },
        second: secondDir === null ? null : { last_at: null, failure: null, ...status?.second, path: secondDir },
      };
    },

    /** Sweeps leftovers of a crash, and makes backups from now on when they are due. */
    schedule(): void {
      sweep();
      const check = (): void => {
        startIfDue().catch((error: unknown) => log.error({ err: error }, 'backups were not looked after'));
      };
      timer = setInterval(check, CHECK_EVERY_MS);
      timer.unref();
    },

    /** One check of the schedule. */
    startIfDue,

    /** Resolves when the running backup has ended. */
    async waitUntilIdle(): Promise<void> {
      await running?.ended;
    },

    /** Stops the running backup and removes it: the stop of a server must not take minutes. */
    async close(): Promise<void> {
      isClosed = true;
      if (timer) clearInterval(timer);
      if (!running) return;
      const { stop, ended } = running;
      await stop();
      await ended;
      sweep();
    },
  };
}
export type BackupScheduler = ReturnType<typeof createBackupScheduler>;
