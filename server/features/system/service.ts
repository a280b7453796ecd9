import { stat } from 'node:fs/promises';
import { type PublicReach, type PushReach, type SystemInfo, systemTexts } from '#shared/api/system.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { AppError } from '#server/http/errors.ts';
import type { BackupScheduler } from '#server/operations/backups/scheduler.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { isLeftToAdmins } from '#server/accounts/user-writes.ts';
import { APP_VERSION } from '#server/process/version.ts';
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
  /** @returns how long the limits of the directory forbid it; 0: it is asked; null: there is nothing to try again */
  retryCertificate: () => number | null;
  pushReach: () => PushReach;
};

const fileSizeBytes = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;

/** Reports version, addresses and disk use of the running server. */
export function createSystemService(
  { now, presence, proofsDir, readDiskSpace }: Pick<ServiceContext, 'now' | 'presence' | 'proofsDir' | 'readDiskSpace'>,
  { backups, databaseFile, network, publicReach, retryCertificate, pushReach }: SystemServiceDeps,
) {
  const startedAt = new Date(now()).toISOString();
  const readProofsSize = createFolderSizeReader(proofsDir, now);

  return {
    async info(): Promise<SystemInfo> {
      const [databaseBytes, walBytes, proofs, backup] = await Promise.all([
        fileSizeBytes(databaseFile),
        fileSizeBytes(`${databaseFile}-wal`),
        readProofsSize(),
        backups.state(),
      ]);
      const disk = readDiskSpace();
      const { addresses, secureAddresses, hasLocalAuthority } = network?.() ?? NO_NETWORK;
      return {
        version: `v${APP_VERSION}`,
        started_at: startedAt,
        database: { size_bytes: databaseBytes + walBytes },
        proofs: { count: proofs.count, size_bytes: proofs.sizeBytes },
        disk: disk && {
          free_bytes: disk.freeBytes,
          total_bytes: disk.totalBytes,
          users_refused: isLeftToAdmins(disk),
        },
        connected: presence.counts(),
        addresses,
        secure_addresses: secureAddresses,
        has_local_authority: hasLocalAuthority,
        public: publicReach(),
        push: pushReach(),
        backup: presentBackupStatus(backup),
      };
    },

    /**
     * Asks for the certificate of the public names again, after an admin has mended why it failed (R-ACME-35).
     * @throws 409 when nothing failed, 429 within the limits of the directory
     */
    retryCertificate(): PublicReach {
      const waitMs = retryCertificate();
      const reach = publicReach();
      if (waitMs === null || !reach) throw new AppError(409, systemTexts.certificateFine);
      if (waitMs > 0) {
        const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
        throw new AppError(429, systemTexts.certificateTooEarly(Math.ceil(waitMs / MINUTE_MS)), { headers });
      }
      return reach;
    },
  };
}
export type SystemService = ReturnType<typeof createSystemService>;
