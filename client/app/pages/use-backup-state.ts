import { useQuery } from '@tanstack/react-query';
import { backupsQuery } from '#client/features/system/api.ts';
import { type BackupIssue, findBackupIssue } from '#client/features/system/backups/backup-health.ts';
import { describeBackup } from '#client/features/system/backups/describe-backup.ts';

const CHECK_INTERVAL_MS = 5 * 60_000;

/**
 * For the dashboard the most serious problem with the backups, or one line where all is well. A failed call shows neither:
 * the settings page says why.
 */
export function useBackupState(): { issue: BackupIssue | null; line: string | null } {
  const { data } = useQuery({
    ...backupsQuery,
    staleTime: CHECK_INTERVAL_MS,
    refetchInterval: CHECK_INTERVAL_MS,
    retry: false,
  });
  const issue = data ? findBackupIssue(data.status) : null;
  return { issue, line: data && !issue ? describeBackup(data.status) : null };
}
