import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolderSync, writeFileAtomicSync } from '#server/files/atomic.ts';
import { programName } from '#server/files/program-name.ts';
import { formatDate } from '#shared/domain/dates/date-labels.ts';

/**
 * The mark of a data folder whose office has moved to PostgreSQL. It stands apart from `instalasi.json`, which a server on
 * PostgreSQL writes again in the same folder.
 */
const MARK_FILE = 'dipindahkan.json';

const markSchema = z.object({ ke: z.literal('postgresql'), tanggal: z.string() });

/** @param date of the move in the time zone of the office. @throws errors of the disk */
export function markMoved(dataDir: string, date: string): void {
  const mark: z.infer<typeof markSchema> = { ke: 'postgresql', tanggal: date };
  writeFileAtomicSync(join(dataDir, MARK_FILE), `${JSON.stringify(mark)}\n`);
}

/** The office lives in the folder again. @throws errors of the disk */
export function forgetMove(dataDir: string): void {
  rmSync(join(dataDir, MARK_FILE), { force: true });
  syncFolderSync(dataDir);
}

/** Also true for a mark that cannot be read: the folder was marked on purpose. */
export const isMoved = (dataDir: string): boolean => existsSync(join(dataDir, MARK_FILE));

/** @returns the line to show for a folder that is marked as moved; null for any other */
export function findMoveLine(dataDir: string): string | null {
  if (!isMoved(dataDir)) return null;
  return `Kantor ini sudah dipindahkan ke PostgreSQL pada ${formatDate(readDate(dataDir), 'UTC')}. Untuk memakainya lagi: ${programName()} accept.`;
}

function readDate(dataDir: string): string | null {
  try {
    return markSchema.parse(JSON.parse(readFileSync(join(dataDir, MARK_FILE), 'utf8'))).tanggal;
  } catch {
    return null;
  }
}
