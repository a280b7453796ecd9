import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PublicReach, PushReach, SystemInfo } from '#shared/api/system.ts';
import type { BackupScheduler } from '#server/operations/backups/scheduler.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { APP_VERSION } from '#server/version.ts';
import { createFolderSizeReader } from './folder-size.ts';
import { presentBackupStatus } from './present.ts';

type Network = { addresses: string[]; secureAddresses: string[]; hasLocalAuthority: boolean };
/** The page shows this without a listener. */
const NO_NETWORK: Network = { addresses: [], secureAddresses: [], hasLocalAuthority: false };

export type SystemServiceDeps = {
  backups: BackupScheduler;
  databaseFile: string;
  /** Read again at every use, because addresses change. Undefined when nothing listens. */
  network: (() => Network) | undefined;
  /** null without a public name. */
  publicReach: () => PublicReach | null;
  pushReach: () => PushReach;
};

const fileSizeBytes = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;

async function readDiskSpace(folder: string): Promise<SystemInfo['disk']> {
  const disk = await statfs(folder).catch(() => null);
  return disk && { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize };
}

/** Reports version, addresses and disk use of the running server. */
export function createSystemService(
  { now, presence, proofsDir }: Pick<ServiceContext, 'now' | 'presence' | 'proofsDir'>,
  { backups, databaseFile, network, publicReach, pushReach }: SystemServiceDeps,
) {
  const startedAt = new Date(now()).toISOString();
  const readProofsSize = createFolderSizeReader(proofsDir, now);

  return {
    async info(): Promise<SystemInfo> {
      const [databaseBytes, walBytes, proofs, disk, backup] = await Promise.all([
        fileSizeBytes(databaseFile),
        fileSizeBytes(`${databaseFile}-wal`),
        readProofsSize(),
        readDiskSpace(dirname(proofsDir)),
        backups.state(),
      ]);
      const { addresses, secureAddresses, hasLocalAuthority } = network?.() ?? NO_NETWORK;
      return {
        version: `v${APP_VERSION}`,
        started_at: startedAt,
        database: { size_bytes: databaseBytes + walBytes },
        proofs: { count: proofs.count, size_bytes: proofs.sizeBytes },
        disk,
        connected: presence.counts(),
        addresses,
        secure_addresses: secureAddresses,
        has_local_authority: hasLocalAuthority,
        public: publicReach(),
        push: pushReach(),
        backup: presentBackupStatus(backup),
      };
    },
  };
}
export type SystemService = ReturnType<typeof createSystemService>;
