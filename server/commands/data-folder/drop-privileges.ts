import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { listPorts } from '#server/http/listen/listen.ts';
import { UNPRIVILEGED_PORT_MIN } from '#server/http/listen/port-advice.ts';
import type { Settings } from '#server/settings.ts';

/** Whether the server listens on a port that only root may open. */
export const usesPrivilegedPort = (settings: Pick<Settings, 'port' | 'tls'>): boolean =>
  listPorts(settings).some((number) => number > 0 && number < UNPRIVILEGED_PORT_MIN);

/** @returns a line to print when a server is started as root by hand for its ports; null otherwise (docs/requirements.md R-ACME-25) */
export function warnOfRoot(
  settings: Pick<Settings, 'port' | 'tls'>,
  userId: number | undefined = process.getuid?.(),
): string | null {
  if (userId !== 0 || !usesPrivilegedPort(settings)) return null;
  return 'PERINGATAN: server berjalan sebagai root karena memakai porta di bawah 1024. Lebih aman sebagai layanan: sudo … service install';
}

/** Node has this function on POSIX systems, but its types leave it out. */
type ProcessWithInitgroups = { initgroups?: (uid: number, gid: number) => void };

/**
 * Drops the privileges of root (sudo) to the owner of the data folder, for the rest of the process. The server could
 * not open files that root wrote there. The owner could also put a link there, by which root would overwrite a system
 * file.
 */
export function dropPrivilegesToOwner(dataDir: string): void {
  // Windows has no user ids.
  if (process.getuid?.() !== 0) return;
  // A data folder that does not exist yet will belong to the owner of the folder in which it is made.
  let existingFolder = dataDir;
  while (!existsSync(existingFolder) && dirname(existingFolder) !== existingFolder)
    existingFolder = dirname(existingFolder);
  const owner = statSync(existingFolder);
  if (owner.uid === 0) return;
  const known: object = process;
  try {
    // The second backup folder may be writable for a group of the owner only.
    (known as ProcessWithInitgroups).initgroups?.(owner.uid, owner.gid);
  } catch {
    // A user id without an account has no groups.
    process.setgroups?.([owner.gid]);
  }
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}
