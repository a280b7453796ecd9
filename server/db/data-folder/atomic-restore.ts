import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { syncFolderSync, writeFileAtomicSync } from '#server/files/atomic.ts';

/**
 * Puts other data in the place of a data folder's own, all or nothing. The new data stands staged in the folder; a journal
 * says so; then come renames, each of which can be seen to have happened. From the journal on there is only forward: a
 * start that finds one finishes it before it looks at anything.
 */

const JOURNAL = 'pemulihan.json';
const UNFINISHED_JOURNAL = `${JOURNAL}.new`;
/** New data that nothing points to yet. */
const STAGED = /^pemulihan-[\w-]+\.part$/;
const DATABASE = 'pbb.sqlite';
/** In this order: a write-ahead log must be gone before another database bears the name that it belongs to. */
const PARTS = [`${DATABASE}-wal`, `${DATABASE}-shm`, DATABASE, 'proofs'];

/** Paths within the data folder. */
const journalSchema = z.object({ staged: z.string().regex(STAGED), aside: z.string().regex(/^(backups\/)?[\w-]+$/) });
export type RestoreJournal = z.infer<typeof journalSchema>;

export const stagedFolderName = (stamp: string): string => `pemulihan-${stamp}.part`;
export const replacedFolderName = (stamp: string): string => `sebelum-pemulihan-${stamp}`;

/** Removes what was made ready for a swap that never began. */
export function removeStagedFolders(dataDir: string): void {
  rmSync(join(dataDir, UNFINISHED_JOURNAL), { force: true });
  for (const name of readdirSync(dataDir)) {
    if (STAGED.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

/** The point of no return: after it every start finishes the swap. What is staged must be on the disk already. */
export function beginAtomicRestore(dataDir: string, journalEntry: RestoreJournal): void {
  syncFolderSync(join(dataDir, journalEntry.staged));
  writeFileAtomicSync(join(dataDir, JOURNAL), JSON.stringify(journalEntry), {
    temporaryFile: join(dataDir, UNFINISHED_JOURNAL),
  });
}

/** @returns a name that is free, for what must not be lost */
function findFreePath(path: string): string {
  for (let count = 0; ; count += 1) {
    const candidate = count === 0 ? path : `${path}.${count}`;
    if (!existsSync(candidate)) return candidate;
  }
}

/** Moves what stands in the way; an empty folder is not worth keeping. */
function moveToReplaced(livePath: string, asideDir: string): void {
  if (!existsSync(livePath)) return;
  if (statSync(livePath).isDirectory() && readdirSync(livePath).length === 0) return rmdirSync(livePath);
  mkdirSync(asideDir, { recursive: true, mode: 0o700 });
  renameSync(livePath, findFreePath(join(asideDir, basename(livePath))));
  syncFolderSync(asideDir);
}

/**
 * Does what is left to do of a swap; nothing when none was begun.
 * @returns where the data that was here before is now, within the data folder; null when there was none
 * @throws what the disk says; the next call goes on from there
 */
export function finishAtomicRestore(dataDir: string): string | null {
  const journal = join(dataDir, JOURNAL);
  if (!existsSync(journal)) return null;
  const { staged, aside } = journalSchema.parse(JSON.parse(readFileSync(journal, 'utf8')));
  const stagedDir = join(dataDir, staged);
  const replacedDir = join(dataDir, aside);
  // A part whose staged twin is gone has been put in place: what bears its name is the new one.
  const databaseIsOld = existsSync(join(stagedDir, DATABASE));
  for (const part of PARTS) {
    const belongsToDatabase = part !== 'proofs';
    const isOld = belongsToDatabase ? databaseIsOld : existsSync(join(stagedDir, part));
    const live = join(dataDir, part);
    if (isOld) moveToReplaced(live, replacedDir);
    // The old name must be gone from the disk before the new one can stand there.
    syncFolderSync(dataDir);
    if (existsSync(join(stagedDir, part))) renameSync(join(stagedDir, part), live);
    syncFolderSync(dataDir);
  }
  syncFolderSync(dirname(replacedDir));
  rmSync(stagedDir, { recursive: true, force: true });
  rmSync(journal);
  syncFolderSync(dataDir);
  return existsSync(replacedDir) ? aside : null;
}
