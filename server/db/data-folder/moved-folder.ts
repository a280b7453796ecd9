import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolderSync, writeFileAtomicSync } from '#server/files/atomic.ts';
import { programName } from '#server/files/program-name.ts';
import { formatDate } from '#shared/domain/dates/date-labels.ts';

/**
 * The mark of a data folder whose office has moved to PostgreSQL, or whose move was not ended. It stands apart from `instalasi.json`, which a server on
 * PostgreSQL writes again in the same folder.
 */
const MARK_FILE = 'dipindahkan.json';

const markSchema = z.object({
  /** The side to which the office moves. */
  ke: z.enum(['postgresql', 'folder']),
  tanggal: z.string(),
  /** False from the moment before the target is complete until the source is left for good. */
  selesai: z.boolean().default(true),
});
type Mark = z.infer<typeof markSchema>;

function writeMark(dataDir: string, mark: Mark): void {
  writeFileAtomicSync(join(dataDir, MARK_FILE), `${JSON.stringify(mark)}\n`);
}

/** @param date of the move in the time zone of the office. @throws errors of the disk */
export function markMoved(dataDir: string, date: string): void {
  writeMark(dataDir, { ke: 'postgresql', tanggal: date, selesai: true });
}

/**
 * Keeps the folder from use while a move ends. After a crash in between, the office may be on either side.
 * @param to the side to which the office moves
 * @throws errors of the disk
 */
export function markMoving(dataDir: string, to: Mark['ke'], date: string): void {
  writeMark(dataDir, { ke: to, tanggal: date, selesai: false });
}

/** The office lives in the folder again. @throws errors of the disk */
export function forgetMove(dataDir: string): void {
  rmSync(join(dataDir, MARK_FILE), { force: true });
  syncFolderSync(dataDir);
}

/** Also true for a mark that cannot be read: the folder was marked on purpose. */
export const isMoved = (dataDir: string): boolean => existsSync(join(dataDir, MARK_FILE));

/** @returns the line to show for a folder that is marked as moved, or in the middle of a move; null for any other */
export function findMoveLine(dataDir: string): string | null {
  if (!isMoved(dataDir)) return null;
  const mark = readMark(dataDir);
  const date = formatDate(mark?.tanggal ?? null, 'UTC');
  if (!mark || mark.selesai)
    return `Kantor ini sudah dipindahkan ke PostgreSQL pada ${date}. Untuk memakainya lagi: ${programName()} accept.`;
  return mark.ke === 'postgresql'
    ? `Pemindahan kantor ini ke PostgreSQL pada ${date} terputus menjelang selesai; yang diterima: bila isinya sudah ada di PostgreSQL, server dengan DATABASE_URL; bila belum, perintah "accept", lalu "pindah --ke" lagi`
    : `Pemindahan kantor ini dari PostgreSQL ke folder ini pada ${date} terputus menjelang selesai; yang diterima: bila database itu tertulis sudah dipindahkan ke folder, perintah "accept"; bila belum, server dengan DATABASE_URL, atau "pindah --dari" lagi ke folder lain yang kosong`;
}

function readMark(dataDir: string): Mark | null {
  try {
    return markSchema.parse(JSON.parse(readFileSync(join(dataDir, MARK_FILE), 'utf8')));
  } catch {
    return null;
  }
}
