import type {
  BackupFile,
  BackupsData,
  BackupStatus,
  PublicReach,
  PushReach,
  RunningCopy,
  SystemInfo,
} from '#shared/api/system.ts';
import { HOUR_MS } from '#shared/durations.ts';

/** A time this many hours ago (negative: in the future), in the server's format. */
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

export function buildBackup(fields: Partial<BackupFile> = {}): BackupFile {
  return {
    name: 'pbb-kita-20260610-120000.tar',
    kind: 'periodic',
    created_at: hoursAgo(2.5),
    size_bytes: 12_345_678,
    ...fields,
  };
}

/** Backups without a problem: every two hours, none running, no second folder. */
export function buildBackupStatus(fields: Partial<BackupStatus> = {}): BackupStatus {
  return {
    now: hoursAgo(0),
    every_hours: 2,
    next_at: hoursAgo(-0.75),
    last: buildBackup(),
    failure: null,
    running: null,
    second_folder: null,
    total_bytes: 987_654_321,
    ...fields,
  };
}

/** A running copy that is well. @param secondsBehind null: there is no whole copy */
export function buildRunningCopy(secondsBehind: number | null, fields: Partial<RunningCopy> = {}): RunningCopy {
  return {
    path: '/mnt/usb/salinan-berjalan',
    at: secondsBehind === null ? null : new Date(Date.now() - secondsBehind * 1000).toISOString(),
    behind_seconds: secondsBehind,
    state: 'ok',
    message: null,
    percent: null,
    reason: null,
    ...fields,
  };
}

export function buildBackupsData(status: Partial<BackupStatus> = {}, backups = [buildBackup()]): BackupsData {
  return { status: buildBackupStatus({ last: backups[0] ?? null, ...status }), backups };
}

/** A public name with a certificate for 60 more days. */
export function buildPublicReach(certificate: Partial<PublicReach['certificate']> = {}): PublicReach {
  return {
    domains: ['pbb.desa.id'],
    address: 'https://pbb.desa.id',
    certificate: {
      missing_names: [],
      valid_until: hoursAgo(-60 * 24),
      issuing: false,
      failed_attempts: 0,
      last_error: null,
      next_attempt_at: hoursAgo(-30 * 24),
      ...certificate,
    },
  };
}

/** No browser has turned notifications on. */
export const buildPushReach = (fields: Partial<PushReach> = {}): PushReach => ({
  subscriptions: 0,
  waiting: 0,
  sent: 0,
  failed: 0,
  last_failure: null,
  reaches_out: null,
  ...fields,
});

export function buildSystemInfo(fields: Partial<SystemInfo> = {}): SystemInfo {
  return {
    version: 'v1.0.0',
    started_at: hoursAgo(76.5),
    database: { size_bytes: 45_600_000 },
    proofs: { count: 1234, size_bytes: 2_100_000_000 },
    disk: { free_bytes: 120_000_000_000, total_bytes: 250_000_000_000, users_refused: false },
    connected: { residents: 12, administrators: 2, sockets: 17 },
    addresses: ['http://192.168.1.10:3000'],
    secure_addresses: [],
    has_local_authority: false,
    public: null,
    push: buildPushReach(),
    backup: buildBackupStatus(),
    ...fields,
  };
}
