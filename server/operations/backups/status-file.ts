import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomicSync } from '#server/files/atomic.ts';

const STATUS_FILE = 'status.json';

const moment = z.iso.datetime();
const schema = z.object({
  /** When this was written. */
  at: moment,
  /** Of the last try; null when it went well. */
  failure: z.object({ at: moment, message: z.string() }).nullable(),
  second: z.object({ last_at: moment.nullable(), failure: z.string().nullable() }),
});
/** What must be known after a restart, and by other commands. */
export type StoredBackupStatus = z.infer<typeof schema>;

/** A file of a few hundred bytes. @returns null when there is none, or one that cannot be read */
export function readStoredStatus(backupsDir: string): StoredBackupStatus | null {
  try {
    return schema.parse(JSON.parse(readFileSync(join(backupsDir, STATUS_FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** @returns whether it is on the disk: a full one takes not even this */
export function storeStatus(backupsDir: string, status: StoredBackupStatus): boolean {
  try {
    writeFileAtomicSync(join(backupsDir, STATUS_FILE), `${JSON.stringify(status)}\n`);
    return true;
  } catch {
    return false;
  }
}
