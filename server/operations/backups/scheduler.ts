import { basename } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { lockBackups, type DataPaths } from '#server/db/data-folder/data-folder.ts';
import type { BackupSettings } from '#server/settings.ts';
import { describeBackupError } from './backup-errors.ts';
import { listBackups, parseBackupName, type Backup, type BackupKind } from './archive-names.ts';
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
  /** With `postgres` the operator makes the backups. */
  engine?: 'sqlite' | 'postgres';
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
  /** The file in which the operator's own backup says how it ended; null: the server makes the backups. */
  outside?: string | null;
};

type SchedulerClock = {
  timeZone: string;
  /** Epoch milliseconds, for names and for what is shown. */
  now: () => number;
  /** Decides when a backup is due: the clock may be set at any time (R-RUN-18). */
  installation: {
    operatingMs: () => number;
    ageMs: (path: string, ageMs?: number) => number;
    forgetGone: (folder: string, existing: Pick<ReadonlySet<string>, 'has'>) => void;
    save: () => void;
  };
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
};

/** The age of an archive that came from elsewhere, or was made with a wrong clock: it counts for no interval. */
const UNKNOWN_AGE_MS = 3650 * DAY_MS;

/** Makes backups when they are due or when an admin asks, and reports how they ended. */
export function createBackupScheduler(deps: BackupSchedulerDeps, clock: SchedulerClock) {
  const scheduler: Scheduler = {
    ...deps,
    ...clock,
    running: null,
    timer: null,
    notBeforeMs: clock.installation.operatingMs() + FIRST_AFTER_MS,
    latest: null,
    isClosed: false,
  };
  return {
    /** Whether the operator makes the backups with other tools. */
    isOutside: false,
    backupsDir: deps.paths.backupsDir,
    makeNow: (): boolean => makeNow(scheduler),
    state: (): Promise<BackupSchedulerState> => readState(scheduler),
    schedule: (): void => schedule(scheduler),

    /** One check of the schedule. */
    startIfDue: (): Promise<void> => startIfDue(scheduler),

    /** Resolves when the running backup has ended. */
    async waitUntilIdle(): Promise<void> {
      await scheduler.running?.ended;
    },

    close: (): Promise<void> => close(scheduler),
  };
}
export type BackupScheduler = ReturnType<typeof createBackupScheduler>;

/** The state that each step reads and changes. */
type Scheduler = BackupSchedulerDeps &
  SchedulerClock & {
    running: { startedMs: number; percent: number; stop: () => Promise<void>; ended: Promise<void> } | null;
    timer: NodeJS.Timeout | null;
    notBeforeMs: number;
    /** The last status, in case a full disk prevented writing it, with the time of the file as it was then. */
    latest: { status: StoredBackupStatus; storedAt: string | undefined } | null;
    isClosed: boolean;
  };

/** Sweeps leftovers of a crash, and makes backups from now on when they are due. */
function schedule(scheduler: Scheduler): void {
  sweep(scheduler);
  const check = (): void => {
    startIfDue(scheduler).catch((error: unknown) =>
      scheduler.log.error({ err: error }, 'backups were not looked after'),
    );
  };
  scheduler.timer = setInterval(check, CHECK_EVERY_MS);
  scheduler.timer.unref();
}

/** An error of the disk must not prevent start or stop of the server. The next backup sweeps too. */
function sweep({ paths, log }: Scheduler): void {
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

async function startIfDue(scheduler: Scheduler): Promise<void> {
  const mayStart = (): boolean => scheduler.running === null && !scheduler.isClosed;
  const dueMs = mayStart() ? dueAtMs(scheduler, findLast(await listWithAges(scheduler))) : null;
  if (dueMs !== null && scheduler.installation.operatingMs() >= dueMs && mayStart()) startJob(scheduler, 'periodic');
}

/** Starts a manual backup. @returns false while another one is running */
function makeNow(scheduler: Scheduler): boolean {
  if (scheduler.isClosed || isBusy(scheduler)) return false;
  startJob(scheduler, 'manual');
  return true;
}

/** Whether this process or a command is making a backup. */
function isBusy({ running, paths }: Scheduler): boolean {
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

/** Every archive of the folder with its age; one is remembered by its date when it is seen for the first time. */
async function listWithAges({
  paths,
  settings,
  timeZone,
  now,
  installation,
}: Scheduler): Promise<(Backup & { ageMs: number })[]> {
  const backups = await listBackups(paths.backupsDir, timeZone);
  const existing = new Set(backups.map(({ name }) => pathOf(paths, name)));
  // A manual one may still be on a second disk that is away, and goes there by this age when it comes back.
  const mayBeInSecond = (path: string): boolean =>
    settings.secondDir !== null && parseBackupName(basename(path), timeZone)?.kind === 'manual';
  installation.forgetGone(basename(paths.backupsDir), { has: (path) => existing.has(path) || mayBeInSecond(path) });
  return backups.map((backup) => {
    const sinceMs = now() - backup.createdAtMs;
    const ageMs = installation.ageMs(pathOf(paths, backup.name), sinceMs < 0 ? UNKNOWN_AGE_MS : sinceMs);
    return Object.assign(backup, { ageMs });
  });
}

const pathOf = ({ backupsDir }: DataPaths, name: string): string => `${basename(backupsDir)}/${name}`;

/** @returns the backup that was made last */
function findLast<T extends { ageMs: number }>(backups: readonly T[]): T | null {
  const last = backups.toSorted((a, b) => a.ageMs - b.ageMs)[0];
  return last && last.ageMs < UNKNOWN_AGE_MS ? last : null;
}

/** @returns when the next backup is due, in operating time; null when automatic ones are off */
function dueAtMs({ settings, notBeforeMs, installation }: Scheduler, last: { ageMs: number } | null): number | null {
  if (settings.everyHours === 0) return null;
  return Math.max(notBeforeMs, last ? installation.operatingMs() - last.ageMs + settings.everyHours * HOUR_MS : 0);
}

function startJob(scheduler: Scheduler, kind: BackupKind): void {
  const { settings, paths, timeZone, now, installation } = scheduler;
  const startedMs = installation.operatingMs();
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
    keep: settings.keep,
    secondDir: settings.secondDir,
    toDir: null,
    isThrottled: true,
  };
  const { outcome, stop } = scheduler.start(job, (percent) => {
    if (scheduler.running) scheduler.running.percent = percent;
  });
  const ended = outcome
    .then(
      (ending) => recordOutcome(scheduler, ending),
      (error: unknown) => recordThreadError(scheduler, error),
    )
    .finally(() => {
      scheduler.running = null;
    });
  scheduler.running = { startedMs, percent: 0, stop, ended };
}

function recordOutcome(scheduler: Scheduler, outcome: BackupOutcome): void {
  const { paths, settings, installation, running, log } = scheduler;
  if (outcome.result === 'busy') {
    scheduler.notBeforeMs = installation.operatingMs() + BUSY_RETRY_MS;
    return;
  }
  const storedAt = readStoredStatus(paths.backupsDir)?.at;
  if (outcome.status) scheduler.latest = { status: outcome.status, storedAt };
  if (outcome.result === 'failed') {
    const waitMs = Math.min(RETRY_MS, Math.max(1, settings.everyHours) * HOUR_MS);
    scheduler.notBeforeMs = installation.operatingMs() + waitMs;
    log.error({ detail: outcome.detail }, `backup failed: ${outcome.message}`);
    return;
  }
  const { backup, proofs, missingProofs, evicted, secondFolderError, manualInSecond } = outcome;
  installation.ageMs(pathOf(paths, backup.name), running ? installation.operatingMs() - running.startedMs : 0);
  // One that no server has seen counts from now on.
  for (const name of manualInSecond) installation.ageMs(pathOf(paths, name));
  installation.save();
  log.info({ backup: backup.name, bytes: backup.sizeBytes, proofs }, 'backup made');
  if (evicted.length > 0) log.warn({ evicted }, 'older backups had to make room');
  if (missingProofs.length > 0) log.warn({ missingProofs: missingProofs.slice(0, 20) }, 'proofs without a file');
  if (secondFolderError !== null) log.error(`backup was not copied to the second folder: ${secondFolderError}`);
}

/** The thread itself has ended, so it has not written a status. */
function recordThreadError(scheduler: Scheduler, error: unknown): void {
  if (scheduler.isClosed) return;
  const at = new Date(scheduler.now()).toISOString();
  const message = describeBackupError(error);
  const second = readStatus(scheduler)?.second ?? { last_at: null, failure: null };
  const status: StoredBackupStatus = { at, failure: { at, message }, second };
  storeStatus(scheduler.paths.backupsDir, status);
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  recordOutcome(scheduler, { result: 'failed', message, detail, status });
}

function readStatus({ paths, latest }: Scheduler): StoredBackupStatus | null {
  const stored = readStoredStatus(paths.backupsDir);
  return latest && latest.storedAt === stored?.at ? latest.status : stored;
}

async function readState(scheduler: Scheduler): Promise<BackupSchedulerState> {
  const { now, installation } = scheduler;
  const { everyHours, secondDir } = scheduler.settings;
  const backups = await listWithAges(scheduler);
  const last = findLast(backups);
  const dueMs = dueAtMs(scheduler, last);
  const status = readStatus(scheduler);
  const { running } = scheduler;
  return {
    nowMs: now(),
    everyHours,
    nextAtMs: dueMs === null ? null : now() + dueMs - installation.operatingMs(),
    backups,
    last,
    lastAgeMs: last && last.ageMs,
    failure: status?.failure ?? null,
    running: running && {
      startedAtMs: now() - (installation.operatingMs() - running.startedMs),
      percent: running.percent,
    },
    second: secondDir === null ? null : { last_at: null, failure: null, ...status?.second, path: secondDir },
  };
}

/** Stops the running backup and removes it: the stop of a server must not take minutes. */
async function close(scheduler: Scheduler): Promise<void> {
  scheduler.isClosed = true;
  if (scheduler.timer) clearInterval(scheduler.timer);
  if (!scheduler.running) return;
  const { stop, ended } = scheduler.running;
  await stop();
  await ended;
  sweep(scheduler);
}
