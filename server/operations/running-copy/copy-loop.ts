import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readInstallationState, type InstallationIdentity } from '#server/db/data-folder/installation-state.ts';
import { restrictToOwner, writeFileAtomicSync } from '#server/files/atomic.ts';
import { APP_VERSION } from '#server/process/version.ts';
import { BackupError } from '../backups/backup-errors.ts';
import { describeSecondFolderError, requireFolder } from '../backups/second-folder.ts';
import { createThrottle, type Throttle } from '../backups/throttle.ts';
import { createCopiedFiles, type CopiedFiles } from './copied-files.ts';
import {
  BASE_STATE_FILE,
  COPY_STATE_FILE,
  copyFolderIn,
  foreignText,
  judgeOwnership,
  readBaseState,
  readCopyState,
  UNFINISHED_STATE_FILE,
  UNFINISHED_SUFFIX,
  type CopyState,
  type LogPlace,
  type RunningCopyStatus,
} from './copy-state.ts';
import { openDatabaseCopy, type DatabaseCopy } from './database-copy.ts';
import { createLogFollower, LostLogError, type EmptiedLog, type LogFollowerDeps } from './log-follower.ts';

/** The work of the thread: it brings the copy up to the data folder, look by look. */

export type CopyReport = Omit<RunningCopyStatus, 'path' | 'stoppedSinceMs'> & {
  /** The part of the open log that the copy has; null: nothing. */
  place: LogPlace | null;
  /** The bytes of handed over logs that were taken over since the report before; a new base counts from its beginning. */
  takenBytes: number;
};

export type CopyLoopDeps = LogFollowerDeps & {
  dataDir: string;
  secondDir: string;
  identity: InstallationIdentity;
  /** Whether this data folder had a copy in the second folder before. */
  hadCopy: boolean;
  /** The instant that this copy held, as far as it is known; null without one. */
  atMs: number | null;
  now: () => number;
  /** Grows whenever an upload is removed, before it is removed. */
  removals: () => number;
  /**
   * Asks that from now on each emptied log is handed over from its beginning.
   * @returns the log that was emptied last before that; null when none was since the start
   */
  beginHandover: () => Promise<LogPlace | null>;
};

/** The copy cannot go on by itself, or the disk does not let it. */
class StoppedError extends Error {
  readonly reason: NonNullable<RunningCopyStatus['reason']>;

  constructor(reason: NonNullable<RunningCopyStatus['reason']>, message: string) {
    super(message);
    this.reason = reason;
  }
}

const LOST_LOG_TEXT =
  'Sebagian perubahan data tidak terbaca selama salinan dibuat. Salinan itu dimulai lagi dari awal; biarkan server berjalan.';

const ATTEMPTS_MAX = 5;
/** A message about an emptied log arrives sooner. */
const RETRY_MS = 50;
const MESSAGE_WAIT_MAX_MS = 120_000;
const BASE_PIECE_BYTES = 256 * 1024;
const STALE_CLAIM_MS = 30_000;
/** A copy of less does not delay anybody. */
const SMALL_COPY_BYTES = 64 * 1024 * 1024;
/** While much is copied, it is told so often how far it is, and the log of a new base is looked after. */
const REPORT_EVERY_MS = 5000;

const sumBytes = (files: readonly { bytes: number }[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

const originals = new Map<string, number>();

/**
 * Opens the database file and never closes it: closing would drop the locks that SQLite holds on it in this process
 * (https://www.sqlite.org/howtocorrupt.html, section 2.2), and another program could then remove the log.
 */
function openOriginal(file: string): number {
  const opened = originals.get(file) ?? openSync(file, 'r');
  originals.set(file, opened);
  return opened;
}

export function createCopyLoop(deps: CopyLoopDeps) {
  const { dataDir, databaseFile, secondDir, identity, now } = deps;
  const logs = createLogFollower(deps);
  const folder = copyFolderIn(secondDir);
  const writer = randomUUID();
  let opened: { state: CopyState; database: DatabaseCopy; files: CopiedFiles; isChecked: boolean } | null = null;
  let { hadCopy } = deps;
  let isNewAllowed = false;
  let lastAtMs = deps.atMs;
  let needsBase = false;
  let percent: number | null = null;
  let waitingSinceMs: number | null = null;
  /** A base that an earlier run began is looked at once. */
  let hasResumed = false;

  // Opening and ownership

  function storeState(state: CopyState): void {
    writeFileAtomicSync(join(folder, COPY_STATE_FILE), `${JSON.stringify(state)}\n`, {
      temporaryFile: join(folder, UNFINISHED_STATE_FILE),
    });
    opened = opened && { ...opened, state };
  }

  const stoppedByOwner = (ownership: 'other office' | 'moved on'): StoppedError =>
    new StoppedError(ownership, foreignText(ownership, secondDir));

  /** @throws StoppedError when another server writes into the copy, or may have */
  function readOwnState(): CopyState | null {
    requireFolder(secondDir);
    const state = readCopyState(folder);
    if (state === null) return null;
    const ownership = judgeOwnership(state.identity, identity);
    if (ownership === 'other office') throw stoppedByOwner('other office');
    const isTaken = opened !== null && state.writer !== writer && state.identity.holder === identity.holder;
    if (ownership === 'moved on' || isTaken) throw stoppedByOwner('moved on');
    return state;
  }

  function open(): NonNullable<typeof opened> {
    const found = readOwnState();
    // An empty folder is a missing disk, which still holds what it held.
    if (found) lastAtMs = found.atMs;
    if (opened && found && found.writer === writer) return opened;
    opened = null;
    // It may be another disk, with an older database: only the log with the next number fits.
    logs.expectNext(true);
    waitingSinceMs = null;
    if (!found && hadCopy && !isNewAllowed) {
      throw new StoppedError(
        'emptied',
        `Di folder "${secondDir}" tidak ada lagi salinan berjalan: mungkin disknya belum terpasang. Pasang disk itu, atau mulai salinan baru di sini.`,
      );
    }
    if (!found) claimFolder();
    const state: CopyState = {
      format: 1,
      identity,
      writer,
      atMs: found?.atMs ?? null,
      appVersion: APP_VERSION,
      finishedLog: found?.finishedLog ?? null,
    };
    storeState(state);
    const database = openDatabaseCopy(folder, '', state.finishedLog);
    opened = { state, database, files: createCopiedFiles(dataDir, folder, now), isChecked: false };
    hadCopy = true;
    isNewAllowed = false;
    needsBase = state.atMs === null || !database.exists;
    return opened;
  }

  /** Two servers may begin at the same moment: the folder belongs to the one that makes its state file. */
  function claimFolder(): void {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    restrictToOwner(folder, 0o700);
    const hasDatabase = readdirSync(folder).some((name) => name.startsWith('pbb.sqlite'));
    // Without its state, the record of the installation says whose copy it is.
    const owner = readInstallationState(folder)?.identity;
    const isOwn = owner !== undefined && judgeOwnership(owner, identity) === 'own';
    if (hasDatabase && !isOwn) throw stoppedByOwner('other office');
    const stateFile = join(folder, COPY_STATE_FILE);
    const stats = statSync(stateFile, { throwIfNoEntry: false });
    // A crash left it empty, right here.
    if (stats && Date.now() - stats.mtimeMs > STALE_CLAIM_MS) rmSync(stateFile);
    closeSync(openSync(stateFile, 'wx', 0o600));
  }

  // Missing files and logs

  /** The load of a copy of so many bytes: a large one is throttled. It keeps the percentage of the whole. */
  function createPercentThrottle(totalBytes: number, doneBytes = 0): Throttle {
    let done = doneBytes;
    return createThrottle(totalBytes > SMALL_COPY_BYTES, (bytes) => {
      done += bytes;
      percent = Math.min(99, Math.floor((done / Math.max(1, totalBytes)) * 100));
    });
  }

  /** Copies the files that the copy lacks. After a long absence of the disk they are many. */
  async function addMissing(files: CopiedFiles, report: () => void): Promise<void> {
    const missing = files.missing();
    const bytes = sumBytes(missing);
    const throttle = createPercentThrottle(bytes);
    let reportedMs = bytes > SMALL_COPY_BYTES ? -Infinity : performance.now();
    for (const { name } of missing) {
      await files.add(name, throttle);
      if (performance.now() - reportedMs < REPORT_EVERY_MS) continue;
      reportedMs = performance.now();
      readOwnState();
      report();
    }
  }

  /**
   * Brings files and database up to the same instant.
   * @param report called while that takes long
   * @returns that instant, with the files that were gone by then; null when a message about the log is still on its way
   * @throws LostLogError
   */
  async function takeOver(
    database: DatabaseCopy,
    files: CopiedFiles,
    how: { remember: (finished: LogPlace) => void; isFirst: boolean },
    report: () => void,
  ): Promise<{ atMs: number; gone: string[] } | null> {
    for (let attempt = 1; ; attempt += 1) {
      const atMs = now();
      const removals = deps.removals();
      // Listed before the end of the log is read: the database may still name a file that goes later.
      const gone = files.gone();
      const until = logs.readEnd();
      await addMissing(files, report);
      // A file that was removed meanwhile may be named at that instant, but not later.
      const isComplete = deps.removals() === removals || attempt >= ATTEMPTS_MAX;
      if (isComplete && logs.bringUp(database, until, how)) {
        waitingSinceMs = null;
        return { atMs, gone };
      }
      waitingSinceMs ??= performance.now();
      if (performance.now() - waitingSinceMs > MESSAGE_WAIT_MAX_MS)
        throw new LostLogError('the end of a log is missing');
      if (attempt >= 2 * ATTEMPTS_MAX) return null;
      await sleep(RETRY_MS);
    }
  }

  // A new base

  /** A base that is not finished any more would keep texts that are erased later. */
  function removeUnfinishedBase(): void {
    for (const name of [BASE_STATE_FILE, `pbb.sqlite${UNFINISHED_SUFFIX}`, `pbb.sqlite-wal${UNFINISHED_SUFFIX}`]) {
      rmSync(join(folder, name), { force: true });
    }
  }

  async function beginBase(): Promise<DatabaseCopy> {
    removeUnfinishedBase();
    const last = await deps.beginHandover();
    logs.beginAnew();
    return openDatabaseCopy(folder, UNFINISHED_SUFFIX, last);
  }

  /** @returns what an earlier run has copied of a new base; null when its logs are not known any more */
  function resumeBase(): { database: DatabaseCopy; copiedBytes: number } | null {
    const begun = hasResumed ? null : readBaseState(folder);
    hasResumed = true;
    if (!begun || begun.copiedBytes === 0) return null;
    const database = openDatabaseCopy(folder, UNFINISHED_SUFFIX, begun.finishedLog);
    try {
      if (!database.exists || (!database.place && !database.finishedLog)) return null;
      logs.check(database);
      return { database, copiedBytes: begun.copiedBytes };
    } catch (error) {
      if (error instanceof LostLogError) return null;
      throw error;
    }
  }

  /** Copies the database file while the server goes on; its logs since the beginning make the copy whole. */
  async function makeBase({ state, database, files }: NonNullable<typeof opened>, report: () => void): Promise<void> {
    const begun = resumeBase();
    const base = begun?.database ?? (await beginBase());
    const how = { remember: () => storeBaseState(), isFirst: !begun };
    let copiedBytes = begun?.copiedBytes ?? 0;
    const storeBaseState = (): void =>
      writeFileAtomicSync(
        join(folder, BASE_STATE_FILE),
        JSON.stringify({ copiedBytes, finishedLog: base.finishedLog }),
        {
          temporaryFile: join(folder, `${BASE_STATE_FILE}.new`),
        },
      );
    const missing = files.missing();
    const throttle = createPercentThrottle(statSync(databaseFile).size + sumBytes(missing), copiedBytes);
    let lookedMs = performance.now();
    const look = (): void => {
      if (performance.now() - lookedMs < REPORT_EVERY_MS) return;
      lookedMs = performance.now();
      readOwnState();
      logs.bringUp(base, logs.readEnd(), how);
      storeBaseState();
      report();
    };
    for (const { name } of missing) {
      await files.add(name, throttle);
      look();
    }
    await copyDatabaseFile(base, throttle, copiedBytes, (copied) => {
      copiedBytes = copied;
      look();
    });
    let taken: Awaited<ReturnType<typeof takeOver>> = null;
    while (taken === null) taken = await takeOver(base, files, how, report);
    const { atMs } = taken;
    base.replace({
      folder,
      // The old copy must not lend its log to the new database file.
      finish: () => database.finishLog((finishedLog) => storeState({ ...state, finishedLog })),
    });
    storeState({ ...state, atMs, finishedLog: base.finishedLog });
    lastAtMs = atMs;
    rmSync(join(folder, BASE_STATE_FILE), { force: true });
    const renewed = openDatabaseCopy(folder, '', base.finishedLog);
    opened = opened && { ...opened, database: renewed, isChecked: true };
    needsBase = false;
    percent = null;
    // No log has begun since the start: whatever comes first is the next one.
    logs.expectNext(base.place !== null || base.finishedLog !== null);
  }

  async function copyDatabaseFile(
    base: DatabaseCopy,
    throttle: ReturnType<typeof createThrottle>,
    from: number,
    onCopied: (bytes: number) => void,
  ): Promise<void> {
    const source = openOriginal(databaseFile);
    // Logs that were emptied before the first byte is copied are in the original file.
    const target = openSync(base.file, from > 0 ? 'r+' : 'w', 0o600);
    try {
      for (let at = from; ; at += BASE_PIECE_BYTES) {
        const piece = Buffer.allocUnsafe(BASE_PIECE_BYTES);
        const length = readSync(source, piece, 0, piece.length, at);
        if (length === 0) break;
        await throttle.write(target, piece.subarray(0, length), at);
        onCopied(at + length);
      }
      fdatasyncSync(target);
    } finally {
      closeSync(target);
    }
  }

  // A look

  async function bringUpToNow(report: () => void): Promise<void> {
    const { state, database, files, isChecked } = open();
    if (needsBase) throw new LostLogError('there is no whole copy');
    if (!isChecked) logs.check(database);
    const remember = (finishedLog: LogPlace): void => storeState({ ...(opened?.state ?? state), finishedLog });
    const taken = await takeOver(database, files, { remember, isFirst: false }, report);
    if (!isChecked && taken !== null) removeUnfinishedBase();
    if (opened) opened.isChecked = true;
    await files.copySmallFiles(createThrottle(false));
    if (taken === null) return;
    const { atMs, gone } = taken;
    files.remove(gone);
    storeState({ ...(opened?.state ?? state), atMs });
    lastAtMs = atMs;
  }

  function describe(error: unknown): Pick<CopyReport, 'message' | 'reason'> {
    if (error instanceof StoppedError) return { message: error.message, reason: error.reason };
    if (error instanceof BackupError) return { message: error.message, reason: 'disk' };
    if (error instanceof LostLogError) return { message: LOST_LOG_TEXT, reason: 'disk' };
    return { message: describeSecondFolderError(error, secondDir), reason: 'disk' };
  }

  const reportOf = (state: CopyReport['state'], more: Partial<CopyReport> = {}): CopyReport => ({
    atMs: lastAtMs,
    state,
    message: null,
    percent: null,
    reason: null,
    place: opened?.database.place ?? null,
    takenBytes: logs.takenBytes,
    ...more,
  });

  return {
    /** A log was emptied; 'lost' when its end is not known. */
    addEmptied(log: EmptiedLog | 'lost'): void {
      logs.addEmptied(log);
    },
    /** A copy may begin in an empty folder although there was one. */
    allowNew(): void {
      isNewAllowed = true;
    },
    /** Brings the copy up to now. It never throws. */
    async look(send: (report: CopyReport) => void): Promise<void> {
      const report = (state: CopyReport['state'], more?: Partial<CopyReport>): void => {
        send(reportOf(state, more));
        logs.tookReported();
      };
      try {
        try {
          await bringUpToNow(() => report('starting', { percent }));
        } catch (error) {
          if (!(error instanceof LostLogError) || !opened) throw error;
          needsBase = true;
          percent = 0;
          const starting = (): void => report('starting', { percent, place: null });
          starting();
          await makeBase(opened, starting);
          await bringUpToNow(starting);
        }
        report('ok');
      } catch (error) {
        // The disk may come back as another one: everything is read again.
        opened = error instanceof StoppedError && error.reason === 'moved on' ? opened : null;
        report('stopped', { ...describe(error), place: null });
      }
    },
  };
}
export type CopyLoop = ReturnType<typeof createCopyLoop>;
