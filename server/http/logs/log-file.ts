import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

export const LOG_FOLDER = 'logs';
export const LOG_FILE = 'pbb-kita.log';

/** 10 MB: small enough to send to support by e-mail. Ten files hold some weeks of a busy server. */
const ROTATE_AT = '10M';
const ROTATED_FILES_MAX = 9;
/** Lines are buffered: one write for many requests. */
const FLUSH_INTERVAL_MS = 200;
const BUFFER_MAX_CHARS = 65_536;
/** Beyond this size of unwritten data (a slow disk) new lines are dropped, so that memory stays bounded. */
const UNWRITTEN_MAX_BYTES = 4_194_304;
/** Time to the next attempt after a failure (a full disk, a folder without rights). */
const RETRY_MS = 30_000;

export type LogFile = {
  /** Adds one line; never waits, never throws. */
  write: (line: string) => void;
  /** Resolves once all lines so far are in the file, or are given up. */
  flush: () => Promise<void>;
  /** Flushes, and ignores all lines after it. */
  close: () => Promise<void>;
};

type Options = { retryMs?: number; rotateAt?: `${number}${'K' | 'M'}` };

/**
 * The log in the data folder, rotated and readable by its owner only (docs/requirements.md R-RUN-15). Its errors are
 * ignored: the server must run without a log too.
 * @param retryMs the time to the next attempt after a failure; tests use a shorter one
 */
export function openLogFile(dataDir: string, { retryMs = RETRY_MS, rotateAt = ROTATE_AT }: Options = {}): LogFile {
  const folder = join(dataDir, LOG_FOLDER);
  let buffer: string[] = [];
  let bufferedChars = 0;
  let timer: NodeJS.Timeout | undefined;
  let stream: RotatingFileStream | null = null;
  let retryAt = 0;
  let closed = false;

  /** @param done called once the buffer is written or given up */
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

  /** A stream cannot be used after an error; a new one is opened later. */
  function postponeWriting(): void {
    stream = null;
    retryAt = Date.now() + retryMs;
  }

  /** On exit the buffer is written synchronously: a process that ends unexpectedly has no time for a stream. */
  function flushSync(): void {
    if (buffer.length === 0) return;
    try {
      makeFolder();
      appendFileSync(join(folder, LOG_FILE), buffer.join(''), { mode: 0o600 });
    } catch {
      // The process ends; there is no other place for these lines.
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
      // The timer must not keep the process alive; flushSync writes the last lines.
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
