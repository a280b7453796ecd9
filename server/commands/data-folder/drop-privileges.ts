import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the types of Node leave out. */
type ProcessWithInitgroups = { initgroups?: (uid: number, gid: number) => void };

/**
 * Root (sudo) on somebody else's data folder becomes that somebody, for good. What root wrote there the server could
 * not open; and the server's own files could be anything that its account wanted root to run into.
 */
export function dropPrivilegesToOwner(dataDir: string): void {
  // Windows has no such numbers.
  if (process.getuid?.() !== 0) return;
  // Where it is still to be made, it is to be theirs who own the place.
  let existingFolder = dataDir;
  while (!existsSync(existingFolder) && dirname(existingFolder) !== existingFolder)
    existingFolder = dirname(existingFolder);
  const owner = statSync(existingFolder);
  if (owner.uid === 0) return;
  const known: object = process;
  try {
    // A disk may be open to a group that the owner is in.
    (known as ProcessWithInitgroups).initgroups?.(owner.uid, owner.gid);
  } catch {
    // An owner without an account has no groups.
    process.setgroups?.([owner.gid]);
  }
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}
