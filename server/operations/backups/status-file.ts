import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomicSync } from '#server/files/atomic.ts';

const STATUS_FILE = 'status.json';

const timeSchema = z.iso.datetime();
const statusSchema = z.object({
  /** The time of this status. */
  at: timeSchema,
  /** The error of the last backup; null when it succeeded. */
  failure: z.object({ at: timeSchema, message: z.string() }).nullable(),
  second: z.object({ last_at: timeSchema.nullable(), failure: z.string().nullable() }),
});
/** The state that the server needs after a restart and that other commands read. */
export type StoredBackupStatus = z.infer<typeof statusSchema>;

const { failure, second } = statusSchema.shape;
const failuresSchema = z.object({
  failure: failure.optional().catch(null),
  second: second.pick({ failure: true }).nullish().catch(null),
});

const parseFile = (backupsDir: string): unknown => JSON.parse(readFileSync(join(backupsDir, STATUS_FILE), 'utf8'));

/** @returns null when there is no such file, or it cannot be read */
export function readStoredStatus(backupsDir: string): StoredBackupStatus | null {
  try {
    return statusSchema.parse(parseFile(backupsDir));
  } catch {
    return null;
  }
}

/** The errors alone, also from a file whose other fields cannot be read. */
export function readStoredFailures(backupsDir: string): z.infer<typeof failuresSchema> {
  try {
    return failuresSchema.parse(parseFile(backupsDir));
  } catch {
    return {};
  }
}

/** @returns false when the file could not be written, for example on a full disk */
export function storeStatus(backupsDir: string, status: StoredBackupStatus): boolean {
  try {
    writeFileAtomicSync(join(backupsDir, STATUS_FILE), `${JSON.stringify(status)}\n`);
    return true;
  } catch {
    return false;
  }
}
