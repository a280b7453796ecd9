import { appendFileSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_FILE, LOG_FOLDER } from '#server/http/logs/log-file.ts';

/** pino's number for what ends a program. */
const FATAL_LEVEL = 60;
const TAIL_BYTES = 4096;

/**
 * Why the server could not start, as a line of its log: the terminal is not always there. Once, however often a service
 * tries again. Like the log itself it is a help and no condition: what goes wrong with it is swallowed.
 * @param text as the terminal shows it
 */
export function logStartupError(dataDir: string, text: string): void {
  try {
    // A folder that is not there is not founded for the sake of a complaint.
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
    // The terminal has it.
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
