import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
  writevSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { renameAndSyncFolder, syncFolderSync } from '#server/files/atomic.ts';
import type { LogPlace } from './copy-state.ts';
import { createLogReader, LOG_HEADER_BYTES, parseLogHeader, visitPages, type LogReader } from './write-ahead-log.ts';

/**
 * A copy of the database: its file and the write-ahead log, both as SQLite reads them. The log of the copy always is a
 * beginning of the original's log, up to a commit, on top of the same database file: so the copy is whole at every moment.
 */

const PIECE_BYTES = 1024 * 1024;
/** A log that grew as usual is applied in one piece, so that each page is written once. */
const APPLIED_PIECE_BYTES = 8 * 1024 * 1024;

type OpenLog = { salt1: number; salt2: number; pageBytes: number; reader: LogReader };

/**
 * @param memory to read into, of at least `maxBytes`
 * @returns at most `maxBytes` of a log; empty when there is none
 */
export function readLogFile(
  file: string,
  from: number,
  maxBytes: number,
  memory: Buffer = Buffer.allocUnsafe(maxBytes),
): Buffer {
  if (!statSync(file, { throwIfNoEntry: false })) return Buffer.alloc(0);
  const handle = openSync(file, 'r');
  try {
    return memory.subarray(0, readSync(handle, memory, 0, maxBytes, from));
  } finally {
    closeSync(handle);
  }
}

function withFile<T>(file: string, flags: 'r' | 'r+', act: (handle: number) => T): T {
  if (flags === 'r+' && !statSync(file, { throwIfNoEntry: false })) closeSync(openSync(file, 'a', 0o600));
  const handle = openSync(file, flags, 0o600);
  try {
    return act(handle);
  } finally {
    closeSync(handle);
  }
}

function writeAt(handle: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(handle, bytes, done, bytes.length - done, position + done);
  }
}

/** Writes buffers one after the other, with one call and without copying them. */
function writeAllAt(handle: number, buffers: Buffer[], position: number): void {
  const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
  const written = writevSync(handle, buffers, position);
  if (written < bytes) writeAt(handle, Buffer.concat(buffers).subarray(written), position + written);
}

/** Writes pages that follow each other at once: on a slow disk each write costs. */
function writePages(handle: number, pageBytes: number, contents: ReadonlyMap<number, Buffer>): void {
  const pages = [...contents.keys()].toSorted((a, b) => a - b);
  for (let first = 0; first < pages.length;) {
    let next = first + 1;
    while (next < pages.length && pages[next] === (pages[next - 1] ?? 0) + 1) next += 1;
    const run = pages.slice(first, next).flatMap((page) => contents.get(page) ?? []);
    writeAllAt(handle, run, ((pages[first] ?? 1) - 1) * pageBytes);
    first = next;
  }
}

export type DatabaseCopy = ReturnType<typeof openDatabaseCopy>;

/**
 * @param suffix '' for the copy that can be restored, `.part` for one that is being made
 * @param finished the log that is wholly in the database file
 * @throws errors of the disk
 */
export function openDatabaseCopy(folder: string, suffix: string, finished: LogPlace | null) {
  const file = join(folder, `pbb.sqlite${suffix}`);
  const logFile = join(folder, `pbb.sqlite-wal${suffix}`);
  let finishedLog = finished;
  let memory: Buffer = Buffer.alloc(0);
  let log = readOwnLog();

  /** Memory that each read uses again: as garbage, a megabyte for each read takes a seventh of the thread's time. */
  function memoryOf(bytes: number): Buffer {
    if (memory.length < bytes) memory = Buffer.allocUnsafeSlow(bytes);
    return memory;
  }

  /** Reads the log of the copy; bytes after its last commit, which a cut write left, do not count. */
  function readOwnLog(): OpenLog | null {
    const header = parseLogHeader(readLogFile(logFile, 0, LOG_HEADER_BYTES));
    if (!header) return null;
    const reader = createLogReader(header);
    const piece = PIECE_BYTES - (PIECE_BYTES % (24 + header.pageBytes));
    for (;;) {
      const bytes = readLogFile(logFile, reader.end, piece);
      if (bytes.length === 0 || !reader.add(bytes) || bytes.length < piece) break;
    }
    reader.rewind();
    return { salt1: header.salt1, salt2: header.salt2, pageBytes: header.pageBytes, reader };
  }

  /** Puts every page of the log into the database file. A crash in between does no harm: the log is still there. */
  function applyLog(): void {
    if (!log || log.reader.committedEnd === LOG_HEADER_BYTES) return;
    const { pageBytes, reader } = log;
    const frameBytes = 24 + pageBytes;
    const piece = APPLIED_PIECE_BYTES - (APPLIED_PIECE_BYTES % frameBytes);
    withFile(file, 'r+', (handle) => {
      for (let at = LOG_HEADER_BYTES; at < reader.committedEnd; at += piece) {
        const length = Math.min(piece, reader.committedEnd - at);
        const frames = readLogFile(logFile, at, length, memoryOf(length));
        const newest = new Map<number, Buffer>();
        visitPages(pageBytes, frames, (page, content) => newest.set(page, content));
        writePages(handle, pageBytes, newest);
      }
      ftruncateSync(handle, reader.databasePages * pageBytes);
      fdatasyncSync(handle);
    });
  }

  function removeLog(): void {
    rmSync(logFile, { force: true });
    syncFolderSync(folder);
    log = null;
  }

  return {
    file,
    logFile,
    get exists(): boolean {
      return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
    },
    /** The open log and how far the copy has it; null between two logs. */
    get place(): LogPlace | null {
      return log && { salt1: log.salt1, salt2: log.salt2, end: log.reader.committedEnd };
    },
    get finishedLog(): LogPlace | null {
      return finishedLog;
    },

    /** Begins a log. @param header its first 32 bytes @returns false when they are no header */
    beginLog(header: Buffer): boolean {
      const parsed = parseLogHeader(header);
      if (!parsed) return false;
      withFile(logFile, 'r+', (handle) => {
        ftruncateSync(handle, 0);
        writeAt(handle, header.subarray(0, LOG_HEADER_BYTES), 0);
      });
      const { salt1, salt2, pageBytes } = parsed;
      log = { salt1, salt2, pageBytes, reader: createLogReader(parsed) };
      return true;
    },

    /**
     * Takes over the commits in bytes that follow the end of the open log; they are on the disk afterwards. All of them
     * count at once, because the first frame comes last: a commit in between may name a file that was removed since.
     * @param next gives the bytes from a place on, at most so many; empty at the end. It may put them into the memory.
     */
    append(next: (from: number, maxBytes: number, memoryOf: (bytes: number) => Buffer) => Buffer): void {
      if (!log) return;
      const { reader, pageBytes } = log;
      const piece = PIECE_BYTES - (PIECE_BYTES % (24 + pageBytes));
      const uncommitted: { at: number; bytes: Buffer }[] = [];
      let written = reader.committedEnd;
      const before = written;
      const firstEnd = before + 24 + pageBytes;
      let first = Buffer.alloc(0);
      let bytes = next(reader.end, piece, memoryOf);
      if (bytes.length < 24 + pageBytes) return;
      withFile(logFile, 'r+', (handle) => {
        for (;;) {
          const at = reader.end;
          const isWhole = reader.add(bytes);
          // Only commits are written: a frame that is not committed may be written over in the original.
          uncommitted.push({ at, bytes: bytes.subarray(0, reader.end - at) });
          for (const kept of uncommitted) {
            const from = Math.max(kept.at, written);
            const to = Math.min(kept.at + kept.bytes.length, reader.committedEnd);
            if (to <= from) continue;
            if (from === before) first = Buffer.from(kept.bytes.subarray(from - kept.at, firstEnd - kept.at));
            const rest = Math.max(from, firstEnd);
            if (to > rest) writeAt(handle, kept.bytes.subarray(rest - kept.at, to - kept.at), rest);
          }
          written = Math.max(written, reader.committedEnd);
          while (uncommitted[0] && uncommitted[0].at + uncommitted[0].bytes.length <= written) uncommitted.shift();
          if (!isWhole || bytes.length < piece) break;
          const last = uncommitted.at(-1);
          // The next read uses its memory again.
          if (last) last.bytes = Buffer.from(last.bytes);
          bytes = next(reader.end, piece, memoryOf);
        }
        if (written === before) return;
        if (written > firstEnd) fdatasyncSync(handle);
        writeAt(handle, first, before);
        fdatasyncSync(handle);
      });
      reader.rewind();
    },

    /** Ends a log that is complete. @param remember stores which log is in the database file, before the log goes */
    finishLog(remember: (finished: LogPlace) => void): void {
      if (!log) return;
      applyLog();
      finishedLog = { salt1: log.salt1, salt2: log.salt2, end: log.reader.committedEnd };
      remember(finishedLog);
      removeLog();
    },

    /** Takes the place of another copy. At every moment the files under the other's names are whole. */
    replace(other: { folder: string; finish: () => void }): void {
      applyLog();
      other.finish();
      renameAndSyncFolder(file, join(other.folder, 'pbb.sqlite'));
      if (log) renameAndSyncFolder(logFile, join(other.folder, 'pbb.sqlite-wal'));
      syncFolderSync(dirname(logFile));
    },
  };
}
