import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type PublicReach, type PushReach, type SystemInfo, systemTexts } from '#shared/api/system.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { AppError } from '#server/http/errors.ts';
import type { BackupScheduler } from '#server/operations/backups/scheduler.ts';
import type { RunningCopy } from '#server/operations/running-copy/copy-state.ts';
import type { DiskSpace } from '#server/files/disk-space.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { isLeftToAdmins } from '#server/accounts/user-writes.ts';
import { APP_VERSION } from '#server/process/version.ts';
import { presentBackupStatus } from './present.ts';

/** Measuring ten thousand images takes about a second of disk access; a size one minute old is good enough. */
const CACHE_MS = 60_000;

type Network = { addresses: string[]; secureAddresses: string[]; hasLocalAuthority: boolean };
/** The page shows this without a listener. */
const NO_NETWORK: Network = { addresses: [], secureAddresses: [], hasLocalAuthority: false };

export type SystemServiceDeps = {
  backups: BackupScheduler;
  runningCopy: RunningCopy | null;
  /** Bytes that the database has on its disk. */
  readDiskUse: () => Promise<number>;
  /** Whether the database takes writes now. */
  takesWrites: () => Promise<boolean>;
  /** The host to which changes go; null: the database is a file. */
  primaryHost: (() => string | null) | null;
  /** Read again at every use, because addresses change. Undefined when nothing listens. */
  network: (() => Network) | undefined;
  /** null without a public name. */
  publicReach: () => PublicReach | null;
  /** @returns how long the limits of the directory forbid it; 0: it is asked; null: there is nothing to try again */
  retryCertificate: () => number | null;
  pushReach: () => Promise<PushReach>;
};

/** Reports version, addresses and disk use of the running server. */
export function createSystemService(
  {
    now,
    presence,
    proofsDir,
    filesFolder,
    readDiskSpace,
  }: Pick<ServiceContext, 'now' | 'presence' | 'proofsDir' | 'filesFolder' | 'readDiskSpace'>,
  deps: SystemServiceDeps,
) {
  const { backups, runningCopy, readDiskUse, network, publicReach, retryCertificate, pushReach } = deps;
  const startedAt = new Date(now()).toISOString();
  const readProofsSize = createFolderSizeReader(proofsDir, now);
  /** A share that hangs is not measured; below one that is lost are another folder and another disk. */
  const readFiles = async (): Promise<{ proofs: FolderSize; disk: DiskSpace | null }> =>
    (await filesFolder?.isThere()) === false
      ? { proofs: { count: 0, sizeBytes: 0 }, disk: null }
      : { proofs: await readProofsSize(), disk: readDiskSpace() };

  /** Asked only behind a change: after a switch the connections in use may still lead to the former host. */
  async function readPrimary(): Promise<{ primary?: string | null }> {
    const { primaryHost, takesWrites } = deps;
    if (!primaryHost) return {};
    return { primary: (await takesWrites()) ? primaryHost() : null };
  }

  return {
    async info(): Promise<SystemInfo> {
      const [databaseBytes, primary, { proofs, disk }, lostAt, backup, push] = await Promise.all([
        readDiskUse(),
        readPrimary(),
        readFiles(),
        filesFolder?.lostAt(),
        backups.state(),
        pushReach(),
      ]);
      const { addresses, secureAddresses, hasLocalAuthority } = network?.() ?? NO_NETWORK;
      return {
        version: `v${APP_VERSION}`,
        started_at: startedAt,
        database: { size_bytes: databaseBytes, ...primary },
        proofs: { count: proofs.count, size_bytes: proofs.sizeBytes },
        ...(lostAt ? { files_lost_at: lostAt } : {}),
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
        push,
        backup: presentBackupStatus(backup, runningCopy?.status() ?? null),
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

type FolderSize = { count: number; sizeBytes: number };

/**
 * Measures a folder, one file at a time so that the event loop stays free, and caches the result for a minute.
 * @param now epoch milliseconds
 */
function createFolderSizeReader(folder: string, now: () => number): () => Promise<FolderSize> {
  let cached: { atMs: number; size: Promise<FolderSize> } | null = null;
  return () => {
    const atMs = now();
    // A clock that was set back must not keep an old size.
    if (!cached || Math.abs(atMs - cached.atMs) >= CACHE_MS) {
      const size = measure(folder);
      cached = { atMs, size };
      size.catch(() => {
        cached = null;
      });
    }
    return cached.size;
  };
}

async function measure(folder: string): Promise<FolderSize> {
  let count = 0;
  let sizeBytes = 0;
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile()) continue;
    // Null when the file was removed meanwhile.
    const file = await stat(join(folder, entry.name)).catch(() => null);
    if (!file) continue;
    count += 1;
    sizeBytes += file.size;
  }
  return { count, sizeBytes };
}
