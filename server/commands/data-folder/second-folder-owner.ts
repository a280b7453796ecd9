import { readInstallationState } from '#server/db/data-folder/installation-state.ts';
import {
  copyFolderIn,
  foreignText,
  judgeOwnership,
  readCopyState,
} from '#server/operations/running-copy/copy-state.ts';

/**
 * The running copy in a second folder says whose the folder is, also for archives: their retention deletes others there. It
 * counts where this computer keeps no running copy, too.
 * @returns why no archive of this data folder may be written there, in the words of the running copy; null when it may
 * @throws errors of the disk
 */
export function findForeignOwner(dataDir: string, secondDir: string): string | null {
  const copy = readCopyState(copyFolderIn(secondDir));
  // A data folder of an earlier version gets its identity at the next start.
  const own = readInstallationState(dataDir)?.identity;
  if (!copy || !own) return null;
  const ownership = judgeOwnership(copy.identity, own);
  return ownership === 'own' ? null : foreignText(ownership, secondDir);
}
