import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

export const LOG_FOLDER = 'logs';
export const LOG_FILE = 'pbb-kita.log';

/** 10 MB each: small enough to send to somebody who helps, and ten of them are some weeks of a busy office. */
const ROTATE_AT = '10M';
const ROTATED_FILES_MAX = 9;
/** Lines are handed over together: one call to the disk for many requests. */
const FLUSH_INTERVAL_MS = 200;
const BUFFER_MAX_CHARS = 65_536;
/** What a disk that does not keep up may owe us; beyond that, lines are dropped instead of filling the memory. */
const UNWRITTEN_MAX_BYTES = 4_194_304;
/** After a failure (a full disk, a folder without rights) so long nothing is tried. */
const RETRY_MS = 30_000;

export type LogFile = {
  /** Takes one line; never waits, never throws. */
  write: (line: string) => void;
  /** Resolves once what was written so far is in the file, or never will be. */
  flush: () => Promise<void>;
  /** As flushed; takes nothing any more. */
  close: () => Promise<void>;
};

type Options = { retryMs?: number; rotateAt?: `${number}${'K' | 'M'}` };

/**
 * The log in the data folder, rotated and readable by its owner only. It is a help, never a condition: whatever goes
 * wrong with it is swallowed, and the server goes on.
 * @param retryMs how long to leave a failing disk alone; tests are less patient
 */
export function openLogFile(dataDir: string, { retryMs = RETRY_MS, rotateAt = ROTATE_AT }: Options = {}): LogFile {
  const folder = join(dataDir, LOG_FOLDER);
  let buffer: string[] = [];
  let bufferedChars = 0;
  let timer: NodeJS.Timeout | undefined;
  let stream: RotatingFileStream | null = null;
  let retryAt = 0;
  let closed = false;

  /** @param done called once it is written or given up */
  function flush(done: () => void = () => undefined): void {
    clearTimeout(timer);
    timer = undefined;
    const text = buffer.join('');
    buffer = [];
    bufferedChars = 0;
    const target = openStream();
    if (target && target.writableLength < UNWRITTEN_MAX_BYTES) target.write(text, () => done());
    else done();
  }

  function makeFolder(): void {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  }

  function openStream(): RotatingFileStream | null {
    if (stream || Date.now() < retryAt) return stream;
    try {
      makeFolder();
      const opened = createStream(LOG_FILE, { path: folder, size: rotateAt, rotate: ROTATED_FILES_MAX, mode: 0o600 });
      opened.on('error', postponeWriting);
      stream = opened;
    } catch {
      postponeWriting();
    }
    return stream;
  }

  /** A stream that failed once is over; a later one may find the disk mended. */
  function postponeWriting(): void {
    stream = null;
    retryAt = Date.now() + retryMs;
  }

  /** The process ends without having been asked to, or faster than the disk: what is left goes the short way. */
  function flushSync(): void {
    if (buffer.length === 0) return;
    try {
      makeFolder();
      appendFileSync(join(folder, LOG_FILE), buffer.join(''), { mode: 0o600 });
    } catch {
      // Nothing more can be done about it.
    }
    buffer = [];
  }
  process.on('exit', flushSync);

  return {
    write(line) {
      if (closed) return;
      buffer.push(line);
      bufferedChars += line.length;
      if (bufferedChars >= BUFFER_MAX_CHARS) flush();
      // It keeps no process alive: the last lines are written at the exit.
      else timer ??= setTimeout(() => flush(), FLUSH_INTERVAL_MS).unref();
    },
    flush: () =>
      new Promise((resolve) => {
        flush(resolve);
      }),
    async close() {
      if (buffer.length > 0) flush();
      closed = true;
      process.off('exit', flushSync);
      const last = stream;
      if (last && !last.destroyed) await new Promise<void>((resolve) => last.end(resolve).once('close', resolve));
    },
  };
}
