import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomicSync } from '#server/files/atomic.ts';

/**
 * The data folder's record beside the database: how far the database had come, so that an older copy is noticed,
 * and how long the installation has been in use, which no wrong clock changes. It is written after the database and so
 * never ahead of it: a crash between the two raises no alarm.
 */

export const STATE_FILE = 'instalasi.json';

const count = z.number().int().nonnegative();

/** The owner of the data in a folder, so that no computer writes over the running copy of another one. */
export const identitySchema = z.object({
  /** Stays the same when the data moves to another computer. */
  office: z.uuid(),
  /** New with every restore of a running copy. */
  holder: z.uuid(),
  /** The holders whose copies this one continues. */
  predecessors: z.array(z.uuid()),
});
export type InstallationIdentity = z.infer<typeof identitySchema>;

const stateSchema = z.object({
  /** The largest numbers ever given to a message and to an audit entry; null: any database is accepted at the next start. */
  marks: z.object({ messages: count, auditEntries: count }).nullable(),
  /** See `server/operations/installation/installation-record.ts`. */
  operatingMs: z.number().nonnegative(),
  /** The clock of the computer when this was written, in epoch milliseconds. */
  writtenAtMs: z.number(),
  /** When a file was first seen, in operating time; the keys are paths in the data folder. */
  firstSeenMs: z.record(z.string(), z.number()),
  /** Absent in folders of earlier versions until the next start. */
  identity: identitySchema.optional(),
});
export type InstallationState = z.infer<typeof stateSchema>;

/** @returns null when there is no such file, or it cannot be read */
export function readInstallationState(dataDir: string): InstallationState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(join(dataDir, STATE_FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** The caller must hold the lock of the data folder. @throws errors of the disk */
export function storeInstallationState(dataDir: string, state: InstallationState): void {
  writeFileAtomicSync(join(dataDir, STATE_FILE), `${JSON.stringify(state)}\n`);
}

/** @returns the identity of the data folder, or a new one when it has none; the caller stores it */
export function readIdentity(dataDir: string): InstallationIdentity {
  return readInstallationState(dataDir)?.identity ?? { office: randomUUID(), holder: randomUUID(), predecessors: [] };
}

/** The identity after a restore of a running copy: the copy goes on here, and its former computer must not write into it. */
export function succeed({ office, holder, predecessors }: InstallationIdentity): InstallationIdentity {
  return { office, holder: randomUUID(), predecessors: [...predecessors, holder] };
}

/** Called when the database is replaced on purpose: the next start accepts it as it is. @throws errors of the disk */
export function forgetDatabaseMarks(dataDir: string): void {
  const state = readInstallationState(dataDir) ?? { operatingMs: 0, writtenAtMs: 0, firstSeenMs: {} };
  storeInstallationState(dataDir, { ...state, marks: null });
}

/**
 * For each file of a folder, how long the server has known it, in operating time.
 * @returns ages in milliseconds by file name; empty without a state file
 */
export function readFileAges(dataDir: string, folder: string): Record<string, number> {
  const state = readInstallationState(dataDir);
  if (!state) return {};
  const ages = Object.entries(state.firstSeenMs).flatMap(([path, seenMs]) =>
    path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), state.operatingMs - seenMs] as const] : [],
  );
  return Object.fromEntries(ages);
}
