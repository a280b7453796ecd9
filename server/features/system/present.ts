import type { BackupFile, BackupsData, BackupStatus, PublicReach, RunningCopy } from '#shared/api/system.ts';
import type { PublicCertificates } from '#server/operations/acme/public-certificates.ts';
import type { PublicSite } from '#server/http/public/public-site.ts';
import type { BackupSchedulerState } from '#server/operations/backups/scheduler.ts';
import type { Backup } from '#server/operations/backups/archive-names.ts';
import { copyAgeMs, type RunningCopyStatus } from '#server/operations/running-copy/copy-state.ts';

const iso = (instantMs: number): string => new Date(instantMs).toISOString();

function presentBackup({ name, kind, createdAtMs, sizeBytes }: Backup): BackupFile {
  return { name, kind, created_at: iso(createdAtMs), size_bytes: sizeBytes };
}

function presentRunningCopy(status: RunningCopyStatus, nowMs: number): RunningCopy {
  const { path, atMs, state, message, percent, reason } = status;
  const ageMs = copyAgeMs(status, nowMs);
  return {
    path,
    at: atMs === null ? null : iso(atMs),
    behind_seconds: ageMs === null ? null : Math.floor(ageMs / 1000),
    state,
    message,
    percent,
    reason,
  };
}

export function presentBackupStatus(
  {
    nowMs,
    engine = 'sqlite',
    everyHours,
    nextAtMs,
    backups,
    last,
    lastAgeMs,
    failure,
    running,
    second,
  }: BackupSchedulerState,
  copy: RunningCopyStatus | null,
): BackupStatus {
  return {
    now: iso(nowMs),
    engine,
    every_hours: everyHours,
    next_at: nextAtMs === null ? null : iso(nextAtMs),
    last: last && presentBackup(last),
    last_age_ms: lastAgeMs === null ? null : Math.round(lastAgeMs),
    failure,
    running: running && { started_at: iso(running.startedAtMs), percent: running.percent },
    second_folder: second,
    running_copy: copy && presentRunningCopy(copy, nowMs),
    total_bytes: backups.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
  };
}

export function presentBackups(state: BackupSchedulerState, copy: RunningCopyStatus | null): BackupsData {
  const status = presentBackupStatus(state, copy);
  return { engine: status.engine, status, backups: state.backups.map(presentBackup) };
}

/** The public names of this server, with what is known of their certificate. */
export type PublicNames = Pick<PublicSite, 'domains' | 'securePort'> & Pick<PublicCertificates, 'status' | 'retry'>;

export function presentPublicReach({ domains, securePort, status }: Omit<PublicNames, 'retry'>): PublicReach {
  const [first = ''] = domains;
  const { certified_names: certified, valid_until, issuing, failed_attempts, last_error, next_attempt_at } = status();
  const port = certified.includes(first) ? securePort(first) : null;
  return {
    domains: [...domains],
    address: port === null ? null : new URL(`https://${first}:${port}`).origin,
    certificate: {
      missing_names: domains.filter((domain) => !certified.includes(domain)),
      valid_until,
      issuing,
      failed_attempts,
      last_error,
      next_attempt_at,
    },
  };
}
