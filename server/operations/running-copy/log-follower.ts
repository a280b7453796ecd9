import { statSync } from 'node:fs';
import type { LogPlace } from './copy-state.ts';
import { readLogFile, type DatabaseCopy } from './database-copy.ts';
import { LOG_HEADER_BYTES, parseLogHeader } from './write-ahead-log.ts';

/** Takes the logs of the original over into a copy of the database: those that were emptied, then the open one. */

/** A log that was to be emptied, with those of its bytes that the thread had not reported as copied. */
export type EmptiedLog = {
  log: LogPlace;
  from: number;
  bytes: Uint8Array;
  /** False while a long read keeps the log: it may go on. */
  isEmptied: boolean;
  /** The next log is numbered anew: SQLite was closed in between. */
  isNextUnknown?: boolean;
};

export type LogFollowerDeps = {
  databaseFile: string;
  /** The log that was emptied last before this start; null when something else may have changed the database since. */
  lastEmptied: { log: LogPlace; isNextUnknown: boolean } | null;
};

/** The number of emptied logs, and the length of the open one. */
type LogEnd = { emptied: number; header: Pick<LogPlace, 'salt1' | 'salt2'> | null; bytes: number };

/** The logs between the copy and the original are not known: a new base is needed. */
export class LostLogError extends Error {}

const isSameLog = (a: Pick<LogPlace, 'salt1' | 'salt2'>, b: Pick<LogPlace, 'salt1' | 'salt2'>): boolean =>
  a.salt1 === b.salt1 && a.salt2 === b.salt2;
/** SQLite numbers the logs that follow each other in one database. */
const isNextLog = (log: Pick<LogPlace, 'salt1'>, next: Pick<LogPlace, 'salt1'>): boolean =>
  next.salt1 === (log.salt1 + 1) % 2 ** 32;

export function createLogFollower({ databaseFile, lastEmptied }: LogFollowerDeps) {
  const originalLog = `${databaseFile}-wal`;
  const emptied: (EmptiedLog | 'lost')[] =
    lastEmptied === null
      ? []
      : [{ ...lastEmptied, from: lastEmptied.log.end, bytes: new Uint8Array(0), isEmptied: true }];
  /** Whether the log after the last finished one has the next number. */
  let isNextExpected = true;
  let takenBytes = 0;

  /** Whether the copy's open log is a beginning of the original's; a power cut may have taken the end of the original. */
  function agrees(database: DatabaseCopy, place: LogPlace): boolean {
    for (let at = 0; at < place.end; at += 1024 * 1024) {
      const length = Math.min(1024 * 1024, place.end - at);
      if (!readLogFile(originalLog, at, length).equals(readLogFile(database.logFile, at, length))) return false;
    }
    return true;
  }

  /** As `agrees`, for what was handed over of the log from a place on. */
  function agreesWith(database: DatabaseCopy, place: LogPlace, from: number, handed: Buffer): boolean {
    const length = Math.max(0, place.end - from);
    return readLogFile(database.logFile, from, length).equals(handed.subarray(0, length));
  }

  /** @throws LostLogError */
  function requireNext(database: DatabaseCopy, next: Pick<LogPlace, 'salt1'>, isFirst: boolean): void {
    const { finishedLog } = database;
    if (!isFirst && isNextExpected && !(finishedLog && isNextLog(finishedLog, next))) {
      throw new LostLogError('a log is missing');
    }
    isNextExpected = true;
  }

  const readOriginalHeader = () => parseLogHeader(readLogFile(originalLog, 0, LOG_HEADER_BYTES));

  /** The end of what is to be copied now: later commits may name files that the copy does not have yet. */
  function readEnd(): LogEnd {
    const bytes = statSync(originalLog, { throwIfNoEntry: false })?.size ?? 0;
    return { emptied: emptied.length, header: readOriginalHeader(), bytes };
  }

  /**
   * Takes over the logs that were emptied, then the open one.
   * @param isFirst whether the copy begins with whatever log comes first
   * @returns whether the copy is there; false when a message about the log is still on its way
   * @throws LostLogError
   */
  function bringUp(
    database: DatabaseCopy,
    until: LogEnd,
    { remember, isFirst }: { remember: (finished: LogPlace) => void; isFirst: boolean },
  ): boolean {
    let takesAny = isFirst && database.place === null && database.finishedLog === null;
    for (let left = until.emptied; left > 0 && emptied[0]; left -= 1) {
      if (emptied[0] === 'lost') throw new LostLogError('another program has written while a log was emptied');
      const { log, from, bytes, isEmptied, isNextUnknown = false } = emptied[0];
      const handed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const { place, finishedLog } = database;
      if (finishedLog && isSameLog(finishedLog, log)) {
        // As at a start, when the copy had it already.
        if (finishedLog.end !== log.end) throw new LostLogError('a log went on after its end');
      } else {
        if (place === null) {
          if (from > 0) throw new LostLogError('a log is not whole');
          requireNext(database, log, takesAny);
          if (!database.beginLog(handed)) throw new LostLogError('a log has no header');
        } else if (!isSameLog(place, log)) {
          throw new LostLogError('another log follows');
        } else if (!agreesWith(database, place, from, handed)) {
          throw new LostLogError('the log of the copy is another one');
        }
        database.append((at, maxBytes) =>
          at < from ? Buffer.alloc(0) : handed.subarray(at - from, at - from + maxBytes),
        );
        if ((database.place?.end ?? 0) < log.end) throw new LostLogError('the end of a log is missing');
        if (isEmptied) database.finishLog(remember);
      }
      takesAny = isNextUnknown;
      isNextExpected = !isNextUnknown;
      emptied.shift();
      takenBytes += handed.length;
      // Frees the memory at once: as garbage, logs of megabytes take a tenth of the thread's time.
      if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
    }
    return takeOpenLog(database, until, takesAny);
  }

  /** @returns whether the copy has the log up to the given end */
  function takeOpenLog(database: DatabaseCopy, until: LogEnd, takesAny: boolean): boolean {
    const bytes = readLogFile(originalLog, 0, LOG_HEADER_BYTES);
    const header = parseLogHeader(bytes);
    const { place } = database;
    if (!until.header) return place === null;
    // It was emptied since, and arrives with the next message.
    if (!header || !isSameLog(header, until.header)) return false;
    if (place === null) {
      requireNext(database, header, takesAny);
      database.beginLog(bytes);
    } else if (!isSameLog(place, header)) {
      // The end of the open one arrives with the next message.
      if (isNextLog(place, header)) return false;
      throw new LostLogError('another log follows');
    }
    database.append((from, maxBytes, memoryOf) => {
      const length = Math.min(maxBytes, Math.max(0, until.bytes - from));
      return readLogFile(originalLog, from, length, memoryOf(length));
    });
    return true;
  }

  /** After a start the copy may lack a log that was never handed over. @throws LostLogError */
  function check(database: DatabaseCopy): void {
    const header = readOriginalHeader();
    const { place } = database;
    if (place && header && isSameLog(place, header)) {
      // The log that was emptied last is an earlier one.
      const [first] = emptied;
      if (lastEmptied && first !== 'lost' && first?.log === lastEmptied.log) emptied.shift();
      if (!agrees(database, place)) throw new LostLogError('the log of the copy is another one');
      return;
    }
    if (emptied.length === 0) throw new LostLogError('nothing is known of the last log');
    // Emptied in an earlier run: nothing is left to compare it with.
    if (place && lastEmptied && isSameLog(place, lastEmptied.log)) {
      throw new LostLogError('the log of the copy is another one');
    }
  }

  return {
    bringUp,
    check,
    readEnd,
    /** The bytes of handed over logs that were taken over and not reported yet. */
    get takenBytes(): number {
      return takenBytes;
    },
    tookReported(): void {
      takenBytes = 0;
    },
    /** A log was emptied; 'lost' when its end is not known. */
    addEmptied(log: EmptiedLog | 'lost'): void {
      emptied.push(log);
    },
    /** Forgets the emptied logs: what they hold is in the database file that is copied from now on. */
    beginAnew(): void {
      emptied.length = 0;
      takenBytes = 0;
      isNextExpected = true;
    },
    expectNext(isExpected: boolean): void {
      isNextExpected = isExpected;
    },
  };
}
