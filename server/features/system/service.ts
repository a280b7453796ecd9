import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SystemInfo } from '#shared/api/system.ts';
import type { Backups } from '#server/operations/backups/keeper.ts';
import type { Context } from '#server/context.ts';
import { APP_VERSION } from '#server/version.ts';
import { createFolderSize } from './folder-size.ts';
import { presentBackupStatus } from './present.ts';

type Deps = {
  backups: Backups;
  databaseFile: string;
  /** Where the office reaches this server; asked anew each time. */
  network: () => { addresses: string[]; secureAddresses: string[]; hasLocalAuthority: boolean };
};

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;

async function diskOf(folder: string): Promise<SystemInfo['disk']> {
  const disk = await statfs(folder).catch(() => null);
  return disk && { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize };
}

/** What runs here and what it takes up. */
export function createSystemService(
  { now, presence, proofsDir }: Pick<Context, 'now' | 'presence' | 'proofsDir'>,
  { backups, databaseFile, network }: Deps,
) {
  const startedAt = new Date(now()).toISOString();
  const proofsSize = createFolderSize(proofsDir, now);

  return {
    async info(): Promise<SystemInfo> {
      const [database, log, proofs, disk, backup] = await Promise.all([
        sizeOf(databaseFile),
        sizeOf(`${databaseFile}-wal`),
        proofsSize(),
        diskOf(dirname(proofsDir)),
        backups.state(),
      ]);
      const { addresses, secureAddresses, hasLocalAuthority } = network();
      return {
        version: `v${APP_VERSION}`,
        started_at: startedAt,
        database: { size_bytes: database + log },
        proofs: { count: proofs.count, size_bytes: proofs.sizeBytes },
        disk,
        connected: presence.counts(),
        addresses,
        secure_addresses: secureAddresses,
        has_local_authority: hasLocalAuthority,
        backup: presentBackupStatus(backup),
      };
    },
  };
}
export type SystemService = ReturnType<typeof createSystemService>;
