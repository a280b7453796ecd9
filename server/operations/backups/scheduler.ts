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
import { HOUR_MS } from '#shared/domain/durations.ts';

/** Whether it is time is asked this often. */
const CHECK_EVERY_MS = 15_000;
/** After a start people come first. */
const FIRST_AFTER_MS = 60_000;
/** After a failure: soon enough to matter, not so soon that the log fills. */
const RETRY_MS = HOUR_MS / 2;
/** Another process is at it: a command by hand. */
const BUSY_RETRY_MS = 60_000;

export type BackupSchedulerState = {
  /** What the server's clock says: the moments below are to be held against it. */
  nowMs: number;
  everyHours: number;
  nextAtMs: number | null;
  /** Newest first. */
  backups: Backup[];
  /** The newest that is not from the future. */
  last: Backup | null;
  failure: StoredBackupStatus['failure'];
  running: { startedAtMs: number; percent: number } | null;
  second: (StoredBackupStatus['second'] & { path: string }) | null;
};

export type BackupSchedulerDeps = {
  places: DataPaths & { dataDir: string };
  settings: BackupSettings;
  start: StartBackup;
};

/** Makes backups when it is time or when somebody asks, and knows how they went. */
export function createBackupScheduler(
  { places, settings, start }: BackupSchedulerDeps,
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
  /** Where a full disk does not take the note of a failure, it is remembered here. */
  let latestStatus: StoredBackupStatus | null = null;
  let isClosed = false;

  function readStatus(): StoredBackupStatus | null {
    const kept = readStoredStatus(places.backupsDir);
    return latestStatus && (!kept || latestStatus.at >= kept.at) ? latestStatus : kept;
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

  /** The thread itself ended: nobody else notes it. */
  function recordThreadError(error: unknown): void {
    if (isClosed) return;
    const at = new Date(now()).toISOString();
    const second = readStatus()?.second ?? { last_at: null, failure: null };
    const failedStatus: StoredBackupStatus = { at, failure: { at, message: describeBackupError(error) }, second };
    storeStatus(places.backupsDir, failedStatus);
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    recordOutcome({ result: 'failed', message: describeBackupError(error), detail, status: failedStatus });
  }

  function startJob(kind: BackupKind): void {
    const { keep, secondDir } = settings;
    const startedAt = now();
    // Field by field: a thread is given only what can be copied.
    const { dataDir, databaseFile, proofsDir, backupsDir } = places;
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

  /** Whether a process, this one or a command, makes a backup now. */
  function isBusy(): boolean {
    if (running) return true;
    try {
      const release = lockBackups(places.dataDir);
      release?.();
      return release === null;
    } catch {
      // Whatever is the matter with the disk keeps the backup itself from being made, and is told as its failure.
      return false;
    }
  }

  /** A disk in trouble must not keep the server from starting or stopping: the next backup sweeps too. */
  function sweep(): void {
    let release: (() => void) | null = null;
    try {
      release = lockBackups(places.dataDir);
      if (release) sweepLeftovers(places.backupsDir);
    } catch (error) {
      log.error({ err: error }, 'leftovers of backups were not swept');
    } finally {
      release?.();
    }
  }

  async function startIfDue(): Promise<void> {
    const dueMs = running || isClosed ? null : nextAtMs(await listBackups(places.backupsDir, timeZone));
    if (dueMs !== null && now() >= dueMs && !running && !isClosed) startJob('periodic');
  }

  return {
    backupsDir: places.backupsDir,

    /** Makes one now. @returns false while one is being made already */
    makeNow(): boolean {
      if (isClosed || isBusy()) return false;
      startJob('manual');
      return true;
    },

    async state(): Promise<BackupSchedulerState> {
      const backups = await listBackups(places.backupsDir, timeZone);
      const kept = readStatus();
      const { everyHours, secondDir } = settings;
      return {
        nowMs: now(),
        everyHours,
        nextAtMs: nextAtMs(backups),
        backups,
        last: findNewest(backups, now()),
        failure: kept?.failure ?? null,
        running: running && { startedAtMs: running.startedAtMs, percent: running.percent },
        second: secondDir === null ? null : { last_at: null, failure: null, ...kept?.second, path: secondDir },
      };
    },

    /** Sweeps what a crash left, and from now on makes backups when it is time. */
    schedule(): void {
      sweep();
      const check = (): void => {
        startIfDue().catch((error: unknown) => log.error({ err: error }, 'backups were not looked after'));
      };
      timer = setInterval(check, CHECK_EVERY_MS);
      timer.unref();
    },

    /** One look at the clock; what the schedule does again and again. */
    startIfDue,

    /** Resolves when the one that is being made has ended. */
    async waitUntilIdle(): Promise<void> {
      await running?.ended;
    },

    /** Ends what is being made and removes it: nobody waits minutes for a server to stop. */
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
