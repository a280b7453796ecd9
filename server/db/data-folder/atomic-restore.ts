import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { syncFolderSync, writeFileAtomicSync } from '#server/files/atomic.ts';
import { forgetDatabaseMarks, STATE_FILE } from './installation-state.ts';
import { forgetMove } from './moved-folder.ts';
import { findFreePath } from './put-aside.ts';

/**
 * Replaces the data of a data folder, all or nothing. The new data is staged in the folder, a journal is written, then
 * files are renamed. Each rename can be recognized afterwards. Once the journal exists, the next start always finishes the
 * restore before it reads any data.
 */

const JOURNAL = 'pemulihan.json';
const UNFINISHED_JOURNAL = `${JOURNAL}.new`;
/** Folders with staged data. */
const STAGED = /^pemulihan-[\w-]+\.part$/;
const DATABASE = 'pbb.sqlite';
/** In this order: SQLite must not find the write-ahead log of the old database beside the new one. */
const DATABASE_PARTS = [`${DATABASE}-wal`, `${DATABASE}-shm`, DATABASE];
/** An archive has no more than the first of these; a running copy has all that a new computer needs. */
const OTHER_PARTS = ['proofs', 'secret', 'push-keys.json', 'tls', 'setelan.env', STATE_FILE];

/** Paths relative to the data folder. */
const journalSchema = z.object({ staged: z.string().regex(STAGED), aside: z.string().regex(/^(backups\/)?[\w-]+$/) });
export type RestoreJournal = z.infer<typeof journalSchema>;

export const stagedFolderName = (stamp: string): string => `pemulihan-${stamp}.part`;
export const replacedFolderName = (stamp: string): string => `sebelum-pemulihan-${stamp}`;

/** Removes staged data of a restore that never began. */
export function removeStagedFolders(dataDir: string): void {
  rmSync(join(dataDir, UNFINISHED_JOURNAL), { force: true });
  for (const name of readdirSync(dataDir)) {
    if (STAGED.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

/** After this call every start finishes the restore. The files of the staged data must be synced already. */
export function beginAtomicRestore(dataDir: string, journalEntry: RestoreJournal): void {
  syncFolderSync(join(dataDir, journalEntry.staged));
  writeFileAtomicSync(join(dataDir, JOURNAL), JSON.stringify(journalEntry), {
    temporaryFile: join(dataDir, UNFINISHED_JOURNAL),
  });
}

/** Moves a part of the old data away. An empty folder is removed. */
function moveToReplaced(livePath: string, asideDir: string): void {
  if (!existsSync(livePath)) return;
  if (statSync(livePath).isDirectory() && readdirSync(livePath).length === 0) return rmdirSync(livePath);
  mkdirSync(asideDir, { recursive: true, mode: 0o700 });
  renameSync(livePath, findFreePath(join(asideDir, basename(livePath))));
  syncFolderSync(asideDir);
}

/**
 * Finishes a restore that has begun; does nothing without one.
 * @returns the folder of the replaced data, relative to the data folder; null when there was no data
 * @throws errors of the disk; the next call continues
 */
export function finishAtomicRestore(dataDir: string): string | null {
  const journal = join(dataDir, JOURNAL);
  if (!existsSync(journal)) return null;
  const { staged, aside } = journalSchema.parse(JSON.parse(readFileSync(journal, 'utf8')));
  const stagedDir = join(dataDir, staged);
  const replacedDir = join(dataDir, aside);
  // When the staged part is gone, the part in the data folder is the new one already.
  const databaseIsOld = existsSync(join(stagedDir, DATABASE));
  // The restored database is usually older than what the folder remembers; a running copy brings its own memory.
  if (databaseIsOld && !existsSync(join(stagedDir, STATE_FILE))) forgetDatabaseMarks(dataDir);
  if (databaseIsOld) forgetMove(dataDir);
  for (const part of [...DATABASE_PARTS, ...OTHER_PARTS]) {
    const isOld = DATABASE_PARTS.includes(part) ? databaseIsOld : existsSync(join(stagedDir, part));
    const live = join(dataDir, part);
    if (isOld) moveToReplaced(live, replacedDir);
    // The removal of the old part must be on the disk before the new part takes its name.
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
