import { basename } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { lockBackups, type DataPaths } from '#server/db/data-folder/data-folder.ts';
import type { BackupSettings } from '#server/settings.ts';
import { describeBackupError } from './backup-errors.ts';
import { listBackups, type Backup, type BackupKind } from './archive-names.ts';
import { sweepLeftovers } from './prune.ts';
import type { BackupJob, BackupOutcome } from './backup-job.ts';
import { storeStatus, readStoredStatus, type StoredBackupStatus } from './status-file.ts';
import type { StartBackup } from './worker.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';

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
  /** The backup that was made last, whatever the clock said. */
  last: Backup | null;
  /** Its age in operating time. */
  lastAgeMs: number | null;
  failure: StoredBackupStatus['failure'];
  running: { startedAtMs: number; percent: number } | null;
  second: (StoredBackupStatus['second'] & { path: string }) | null;
};

export type BackupSchedulerDeps = {
  paths: DataPaths & { dataDir: string };
  settings: BackupSettings;
  start: StartBackup;
};

type SchedulerClock = {
  timeZone: string;
  /** Epoch milliseconds, for names and for what is shown. */
  now: () => number;
  /** Decides when a backup is due: the clock may be set at any time (R-RUN-18). */
  installation: {
    operatingMs: () => number;
    ageMs: (path: string, ageMs: number) => number;
    forgetGone: (folder: string, existing: ReadonlySet<string>) => void;
    save: () => void;
  };
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
};

/** The age of an archive that came from elsewhere, or was made with a wrong clock: it counts for no interval. */
const UNKNOWN_AGE_MS = 3650 * DAY_MS;

/** Makes backups when they are due or when an admin asks, and reports how they ended. */
export function createBackupScheduler(
  { paths, settings, start }: BackupSchedulerDeps,
  { timeZone, now, installation, log }: SchedulerClock,
) {
  const { operatingMs } = installation;
  let running: { startedMs: number; percent: number; stop: () => Promise<void>; ended: Promise<void> } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let notBeforeMs = operatingMs() + FIRST_AFTER_MS;
  /** The last status, in case a full disk prevented writing it, with the time of the file as it was then. */
  let latest: { status: StoredBackupStatus; storedAt: string | undefined } | null = null;
  let isClosed = false;

  function readStatus(): StoredBackupStatus | null {
    const stored = readStoredStatus(paths.backupsDir);
    return latest && latest.storedAt === stored?.at ? latest.status : stored;
  }

  const pathOf = (name: string): string => `${basename(paths.backupsDir)}/${name}`;

  /** Every archive of the folder with its age; one is remembered by its date when it is seen for the first time. */
  async function listWithAges(): Promise<(Backup & { ageMs: number })[]> {
    const backups = await listBackups(paths.backupsDir, timeZone);
    installation.forgetGone(basename(paths.backupsDir), new Set(backups.map(({ name }) => pathOf(name))));
    return backups.map((backup) => {
      const sinceMs = now() - backup.createdAtMs;
      const ageMs = installation.ageMs(pathOf(backup.name), sinceMs < 0 ? UNKNOWN_AGE_MS : sinceMs);
      return Object.assign(backup, { ageMs });
    });
  }

  /** @returns the backup that was made last */
  function findLast<T extends { ageMs: number }>(backups: readonly T[]): T | null {
    const last = backups.toSorted((a, b) => a.ageMs - b.ageMs)[0];
    return last && last.ageMs < UNKNOWN_AGE_MS ? last : null;
  }

  /** @returns when the next backup is due, in operating time; null when automatic ones are off */
  function dueAtMs(last: { ageMs: number } | null): number | null {
    if (settings.everyHours === 0) return null;
    return Math.max(notBeforeMs, last ? operatingMs() - last.ageMs + settings.everyHours * HOUR_MS : 0);
  }

  function recordOutcome(outcome: BackupOutcome): void {
    if (outcome.result === 'busy') {
      notBeforeMs = operatingMs() + BUSY_RETRY_MS;
      return;
    }
    const storedAt = readStoredStatus(paths.backupsDir)?.at;
    latest = outcome.status ? { status: outcome.status, storedAt } : latest;
    if (outcome.result === 'failed') {
      notBeforeMs = operatingMs() + Math.min(RETRY_MS, Math.max(1, settings.everyHours) * HOUR_MS);
      log.error({ detail: outcome.detail }, `backup failed: ${outcome.message}`);
      return;
    }
    const { backup, proofs, missingProofs, evicted, secondFolderError } = outcome;
    installation.ageMs(pathOf(backup.name), running ? operatingMs() - running.startedMs : 0);
    installation.save();
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
    const startedMs = operatingMs();
    // Listed field by field, because a thread receives only values that can be cloned.
    const { dataDir, databaseFile, proofsDir, backupsDir } = paths;
    const job: BackupJob = {
      dataDir,
      databaseFile,
      proofsDir,
      backupsDir,
      kind,
      nowMs: now(),
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
    running = { startedMs, percent: 0, stop, ended };
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
    const dueMs = running || isClosed ? null : dueAtMs(findLast(await listWithAges()));
    if (dueMs !== null && operatingMs() >= dueMs && !running && !isClosed) startJob('periodic');
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
      const backups = await listWithAges();
      const last = findLast(backups);
      const dueMs = dueAtMs(last);
      const status = readStatus();
      const { everyHours, secondDir } = settings;
      return {
        nowMs: now(),
        everyHours,
        nextAtMs: dueMs === null ? null : now() + dueMs - operatingMs(),
        backups,
        last,
        lastAgeMs: last && last.ageMs,
        failure: status?.failure ?? null,
        running: running && { startedAtMs: now() - (operatingMs() - running.startedMs), percent: running.percent },
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
