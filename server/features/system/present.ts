import type { BackupFile, BackupsData, BackupStatus } from '#shared/api/system.ts';
import type { BackupsState } from '#server/operations/backups/keeper.ts';
import type { Backup } from '#server/operations/backups/names.ts';

const iso = (instantMs: number): string => new Date(instantMs).toISOString();

function presentBackup({ name, kind, createdAtMs, sizeBytes }: Backup): BackupFile {
  return { name, kind, created_at: iso(createdAtMs), size_bytes: sizeBytes };
}

export function presentBackupStatus({
  nowMs,
  everyHours,
  nextAtMs,
  backups,
  last,
  failure,
  running,
  second,
}: BackupsState): BackupStatus {
  return {
    now: iso(nowMs),
    every_hours: everyHours,
    next_at: nextAtMs === null ? null : iso(nextAtMs),
    last: last && presentBackup(last),
    failure,
    running: running && { started_at: iso(running.startedAtMs), percent: running.percent },
    second_folder: second,
    total_bytes: backups.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
  };
}

export function presentBackups(state: BackupsState): BackupsData {
  return { status: presentBackupStatus(state), backups: state.backups.map(presentBackup) };
}
