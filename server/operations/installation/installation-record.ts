import type { FastifyBaseLogger } from 'fastify';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import type { Database } from '#server/db/database.ts';
import {
  readIdentity,
  readInstallationState,
  storeInstallationState,
} from '#server/db/data-folder/installation-state.ts';

const SAVE_EVERY_MS = MINUTE_MS;
/** While the server was off only its clock tells how long, and that may have been set: more than this is not believed. */
const BELIEVED_PAUSE_MS = DAY_MS;

type RecordDeps = {
  dataDir: string;
  database: Pick<Database, 'readMarks'>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Milliseconds that only grow, whatever happens to the clock. */
  monotonicNow: () => number;
  log: Pick<FastifyBaseLogger, 'error'>;
};

/**
 * Keeps the state file of the data folder: how far the database has come, and the operating time. That is the time for
 * which the installation has been in use. It grows with the server, and over a pause with the clock of the computer, but
 * by a day at most. So a clock that is set forward or back makes nothing older or younger (R-RUN-18).
 */
export function createInstallationRecord({ dataDir, database, now, monotonicNow, log }: RecordDeps) {
  const stored = readInstallationState(dataDir);
  const identity = readIdentity(dataDir);
  const pauseMs = stored ? Math.min(BELIEVED_PAUSE_MS, Math.max(0, now() - stored.writtenAtMs)) : 0;
  let operatingAtStartMs = (stored?.operatingMs ?? 0) + pauseMs;
  const startedAtMs = monotonicNow();
  const firstSeenMs = new Map(Object.entries(stored?.firstSeenMs ?? {}));
  let timer: NodeJS.Timeout | null = null;

  const operatingMs = (): number => operatingAtStartMs + (monotonicNow() - startedAtMs);

  /** An error of the disk must not stop a server that can still be read from. */
  function save(): void {
    try {
      storeInstallationState(dataDir, {
        marks: database.readMarks(),
        operatingMs: operatingMs(),
        writtenAtMs: now(),
        firstSeenMs: Object.fromEntries(firstSeenMs),
        identity,
      });
    } catch (error) {
      log.error({ err: error }, 'the state of the installation was not written');
    }
  }

  return {
    identity,

    /** Grows with time, also over restarts; never back. */
    operatingMs,

    /**
     * A database that came back without its state file, or with an older one, has seen later times already. The ages of files stay.
     * @param ms operating time
     */
    notBefore(ms: number): void {
      const missingMs = ms - operatingMs();
      if (missingMs <= 0) return;
      operatingAtStartMs += missingMs;
      for (const [path, seenMs] of firstSeenMs) firstSeenMs.set(path, seenMs + missingMs);
    },

    /**
     * The operating time since a file was first seen. It is remembered from the first call on.
     * @param path in the data folder
     * @param ageMs its age at the first call
     */
    ageMs(path: string, ageMs = 0): number {
      const seenMs = firstSeenMs.get(path) ?? operatingMs() - ageMs;
      firstSeenMs.set(path, seenMs);
      return operatingMs() - seenMs;
    },

    /** Forgets the files of a folder that are gone. */
    forgetGone(folder: string, existing: Pick<ReadonlySet<string>, 'has'>): void {
      for (const path of firstSeenMs.keys()) {
        if (path.startsWith(`${folder}/`) && !existing.has(path)) firstSeenMs.delete(path);
      }
    },

    save,

    /** Writes the state now and once a minute. */
    start(): void {
      save();
      timer = setInterval(save, SAVE_EVERY_MS);
      timer.unref();
    },

    /** Must be called while the database is open. */
    close(): void {
      if (timer) clearInterval(timer);
      save();
    },
  };
}
export type InstallationRecord = ReturnType<typeof createInstallationRecord>;
