import { appendFileSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_FILE, LOG_FOLDER } from '#server/http/logs/log-file.ts';

/** The number of the level "fatal" in pino. */
const FATAL_LEVEL = 60;
const TAIL_BYTES = 4096;

/**
 * Writes a start-up error to the log, because a service has no terminal. A service that tries again and again writes the
 * same error only once. Errors of the log itself are ignored, as in log-file.ts.
 * @param text the text on the terminal
 */
export function logStartupError(dataDir: string, text: string): void {
  try {
    // The data folder is not created just to log an error.
    if (!existsSync(dataDir)) return;
    const folder = join(dataDir, LOG_FOLDER);
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const file = join(folder, LOG_FILE);
    const entryEnd = `"msg":${JSON.stringify(`server tidak dapat mulai: ${text}`)}}\n`;
    if (!readTail(file).endsWith(entryEnd)) {
      appendFileSync(file, `{"level":${FATAL_LEVEL},"time":${Date.now()},"pid":${process.pid},${entryEnd}`, {
        mode: 0o600,
      });
    }
  } catch {
    // The error is on the terminal anyway.
  }
}

function readTail(path: string): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}
