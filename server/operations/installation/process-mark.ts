import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The folder of the marks, in the folder of files that all processes of an office share. */
const MARKS_FOLDER = 'proses';
const HOST_MAX = 24;
/** Of the bytes of a hash or of random bytes. */
const PART_BYTES = 4;

const fileOf = (filesDir: string, name: string): string => join(filesDir, MARKS_FOLDER, name);

/**
 * Writes a file that names this process, one for each data folder of a computer. The mark is told to the database, so that
 * `doctor` finds the processes that keep their files elsewhere.
 * @returns the mark: the name of the file and, after a full stop, its content
 */
export function markProcess(filesDir: string, dataDir: string): string {
  const host = hostname()
    .replaceAll(/[^\w-]/g, '-')
    .slice(0, HOST_MAX);
  const place = createHash('sha256').update(`${hostname()}\0${dataDir}`).digest('hex');
  const name = `${host}-${place.slice(0, 2 * PART_BYTES)}`;
  // Differs at each start: a mark of an earlier one proves nothing.
  const content = randomBytes(PART_BYTES).toString('hex');
  try {
    mkdirSync(join(filesDir, MARKS_FOLDER), { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(filesDir, name), content, { mode: 0o600 });
  } catch {
    // A folder that cannot be written shows as a process without its mark.
  }
  return `${name}.${content}`;
}

/** Whether the mark of a process is in a folder. */
export function hasMark(filesDir: string, mark: string): boolean {
  const [name = '', content = ''] = mark.split('.');
  // Marks come out of the database, and must not lead out of the folder.
  if (!/^[\w-]+$/.test(name)) return false;
  try {
    return readFileSync(fileOf(filesDir, name), 'utf8') === content;
  } catch {
    return false;
  }
}

/** The computer of a process. */
export const hostOfMark = (mark: string): string => mark.replace(/-[^-]*$/, '');
