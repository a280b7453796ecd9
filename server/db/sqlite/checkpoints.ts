import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckpointGuard, Checkpoints } from '../database.ts';
import type { Sqlite } from './connect.ts';

/**
 * The one gate for checkpoints of a running server. SQLite makes none by itself (`wal_autocheckpoint` is 0), because the
 * running copy depends on it: between two checkpoints the database file does not change and the log only grows.
 */

/** A reader, such as a backup, keeps the log for as long as its read. After this time the answer does not wait longer. */
const WAIT_MAX_MS = 5000;
const RETRY_EVERY_MS = 50;
/** As SQLite's own limit of a thousand pages. A longer log makes reads slower, and its checkpoint blocks longer. */
const LOG_MAX_BYTES = 4 * 1024 * 1024;
/** From here on the guard is told to hurry, so that little is left to hand over when the log is emptied. */
const PREPARE_FROM_BYTES = LOG_MAX_BYTES / 2;
/** A long read may keep the log; each further attempt waits for this much more of it. */
const RETRY_AFTER_BYTES = LOG_MAX_BYTES / 2;

type CheckpointResult = { busy: number; log: number };

/** Writes the log into the database file. SQLite would wait for readers with the event loop held, so it does not wait. */
function checkpoint(sqlite: Sqlite, mode: 'PASSIVE' | 'TRUNCATE'): CheckpointResult {
  const timeoutMs = sqlite.pragma('busy_timeout', { simple: true });
  sqlite.pragma('busy_timeout = 0');
  try {
    const [result] = sqlite.pragma(`wal_checkpoint(${mode})`) as CheckpointResult[];
    return result ?? { busy: 1, log: 0 };
  } finally {
    sqlite.pragma(`busy_timeout = ${String(timeoutMs)}`);
  }
}

/** Changes with each commit of another connection. */
const readDataVersion = (sqlite: Sqlite): unknown => sqlite.pragma('data_version', { simple: true });

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Empties the write-ahead log. @returns false while a reader still needs it */
export function emptyLog(sqlite: Sqlite, guard: CheckpointGuard | null = null): boolean {
  if (sqlite.inTransaction) return false;
  const version = guard && readDataVersion(sqlite);
  if (guard) {
    const { log: frames } = checkpoint(sqlite, 'PASSIVE');
    if (frames > 0) {
      const pageBytes = Number(sqlite.pragma('page_size', { simple: true }));
      guard.beforeEmptied(LOG_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + pageBytes));
    }
  }
  const isEmpty = checkpoint(sqlite, 'TRUNCATE').busy === 0;
  // Nothing keeps a command from committing between the two checkpoints.
  guard?.afterEmptied(isEmpty, readDataVersion(sqlite) === version);
  return isEmpty;
}

/**
 * @param failed told of the first error of the disk, and of none after it until a checkpoint succeeds
 * @returns the gate of a server's database; one in memory has no log
 */
export function createCheckpoints(
  { sqlite, file }: { sqlite: Sqlite; file: string },
  failed: (error: unknown) => void = () => undefined,
): Checkpoints {
  const logFile = `${file}-wal`;
  let guard: CheckpointGuard | null = null;
  let waiting: Promise<void> | null = null;
  let isScheduled = false;
  let isPrepared = false;
  let hasFailed = false;
  let nextAtBytes = LOG_MAX_BYTES;

  sqlite.pragma('wal_autocheckpoint = 0');
  const logBytes = (): number => statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;

  /** A full disk undoes no commit (docs/requirements.md R-RUN-10); a later commit or minute tries again. */
  function tryToEmpty(): boolean {
    let isEmpty = false;
    try {
      isEmpty = emptyLog(sqlite, guard);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) failed(error);
      hasFailed = true;
    }
    isPrepared = false;
    nextAtBytes = isEmpty ? LOG_MAX_BYTES : logBytes() + RETRY_AFTER_BYTES;
    return isEmpty;
  }

  function emptyAfterCommit(): void {
    isScheduled = false;
    if (sqlite.open) tryToEmpty();
  }

  async function erase(): Promise<void> {
    const deadline = performance.now() + WAIT_MAX_MS;
    if (guard && logBytes() > 0) await guard.prepare();
    while (sqlite.open && !tryToEmpty() && !hasFailed && performance.now() < deadline) await sleep(RETRY_EVERY_MS);
  }

  return {
    committed() {
      const bytes = logBytes();
      if (guard && !isPrepared && bytes >= PREPARE_FROM_BYTES) {
        isPrepared = true;
        void guard.prepare();
      }
      if (bytes < nextAtBytes || isScheduled) return;
      isScheduled = true;
      // The answers of this commit go out first, and the event loop reads what arrived meanwhile: one turn with both would be long.
      setImmediate(() => setImmediate(emptyAfterCommit));
    },

    async eraseDeleted() {
      // The changes of this caller may have been committed after the running attempt emptied the log.
      await waiting;
      waiting ??= erase().finally(() => {
        waiting = null;
      });
      await waiting;
    },

    setGuard(next) {
      guard = next;
    },
  };
}
