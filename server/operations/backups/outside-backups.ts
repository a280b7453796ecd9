import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '#server/files/atomic.ts';
import type { BackupScheduler, BackupSchedulerState } from './scheduler.ts';

/** The operator's own backup writes it, in the folder of files. */
const STATUS_FILE = 'status-cadangan.json';
export const outsideStatusFile = (filesDir: string): string => join(filesDir, STATUS_FILE);

/** The interval at which the operator's own backup is expected. */
const EVERY_HOURS = 24;

const statusSchema = z.object({
  at: z.iso.datetime({ offset: true }),
  bytes: z.number().int().nonnegative(),
  ok: z.boolean(),
  message: z.string().optional(),
});

type OutsideState = Pick<BackupSchedulerState, 'last' | 'lastAgeMs' | 'failure'>;

const failed = (nowMs: number, message: string): OutsideState => ({
  last: null,
  lastAgeMs: null,
  failure: { at: new Date(nowMs).toISOString(), message },
});

const unreadable = (statusFile: string, nowMs: number): OutsideState =>
  failed(nowMs, `Berkas ${statusFile} tidak dapat dibaca.`);

/** The result of the operator's last backup. */
export function readOutside(statusFile: string, nowMs: number): OutsideState {
  let text: string;
  try {
    text = readFileSync(statusFile, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { last: null, lastAgeMs: null, failure: null };
    return unreadable(statusFile, nowMs);
  }
  const { data } = statusSchema.safeParse(parseJson(text));
  if (!data) return failed(nowMs, `Isi ${statusFile} tidak dapat dibaca.`);
  const createdAtMs = Date.parse(data.at);
  if (!data.ok) return failed(createdAtMs, data.message || 'Cadangan PostgreSQL gagal.');
  const last = { name: 'postgres', kind: 'periodic' as const, createdAtMs, sizeBytes: data.bytes };
  return { last, lastAgeMs: Math.max(0, nowMs - createdAtMs), failure: null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Refused by the schema.
    return null;
  }
}

/**
 * Backups that the operator makes with the tools of PostgreSQL: only their state is shown. Their own script writes
 * `{ at, bytes, ok, message }` into a file after each.
 * @param isThere whether the share with that file is there; one that hangs must not be read
 */
export function createOutsideBackups(
  statusFile: string,
  now: () => number,
  isThere: () => Promise<boolean>,
): BackupScheduler {
  return {
    isOutside: true,
    backupsDir: dirname(statusFile),
    makeNow: () => false,
    async state() {
      const nowMs = now();
      return {
        ...((await isThere()) ? readOutside(statusFile, nowMs) : unreadable(statusFile, nowMs)),
        nowMs,
        engine: 'postgres',
        everyHours: EVERY_HOURS,
        nextAtMs: null,
        backups: [],
        running: null,
        second: null,
      };
    },
    schedule: () => {},
    startIfDue: async () => {},
    waitUntilIdle: async () => {},
    close: async () => {},
  };
}
