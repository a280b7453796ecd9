import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { backupsQuery } from '#client/features/system/api.ts';
import { findBackupIssue, type BackupIssue } from '#client/features/system/backups/backup-health.ts';
import classes from './backup-warning.module.css';
import { paths } from '#client/paths.ts';
import { useHasOwnHeader } from './use-has-own-header.ts';

/** The opened page is loaded first. */
const FIRST_CHECK_DELAY_MS = 4000;
const CHECK_INTERVAL_MS = 5 * 60_000;
/** Session storage: the key of the warning that was dismissed in this tab. */
const DISMISSED_KEY = 'backup_warning_dismissed';
/** Screen readers read it at the next pause, because it is not urgent. */
const STATUS_ROLE = { role: 'status' } as const;

function readDismissed(): string | null {
  try {
    return window.sessionStorage.getItem(DISMISSED_KEY);
  } catch {
    return null;
  }
}

function storeDismissed(key: string): void {
  try {
    window.sessionStorage.setItem(DISMISSED_KEY, key);
  } catch {
    // Without storage the warning stays dismissed until the page is reloaded.
  }
}

/** The current problem with the backups, loaded rarely and after the page. */
function useBackupIssue(): BackupIssue | null {
  const [isEnabled, setIsEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsEnabled(true), FIRST_CHECK_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...backupsQuery,
    enabled: isEnabled,
    staleTime: CHECK_INTERVAL_MS,
    refetchInterval: CHECK_INTERVAL_MS,
    retry: false,
  });
  return data ? findBackupIssue(data.status) : null;
}

type NoticeProps = { issue: BackupIssue; isFullBleed: boolean; onDismiss: () => void };

function Notice({ issue, isFullBleed, onDismiss }: NoticeProps) {
  return (
    <Alert
      color="yellow"
      variant="light"
      {...STATUS_ROLE}
      icon={<IconAlertTriangle size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel="Tutup peringatan"
      onClose={onDismiss}
      classNames={{ closeButton: classes['close'] ?? '' }}
      {...(isFullBleed ? { radius: 0 } : { mb: 'md' })}
    >
      <Text fw={500}>{issue.message}</Text>
      <Text fz="sm">
        {issue.hint}{' '}
        <Anchor component={Link} to={paths.adminSettings} inherit underline="always">
          Buka Pengaturan
        </Anchor>
      </Text>
    </Alert>
  );
}

type Props = {
  /** Whether the page below has no padding. */
  isFullBleed: boolean;
};

/** The dashboard names the problem under 'Perlu ditindak', and the settings show the backups. */
const PAGES_THAT_SHOW_IT: readonly string[] = [paths.adminDashboard, paths.adminSettings];

/** Warns admins about failed, old or uncopied backups on every page that does not show it itself. */
export function BackupWarning({ isFullBleed }: Props) {
  const { pathname } = useLocation();
  const hasOwnHeader = useHasOwnHeader();
  const issue = useBackupIssue();
  const [dismissed, setDismissed] = useState(readDismissed);
  if (!issue || issue.key === dismissed || hasOwnHeader || PAGES_THAT_SHOW_IT.includes(pathname)) return null;
  return (
    <Notice
      issue={issue}
      isFullBleed={isFullBleed}
      onDismiss={() => {
        storeDismissed(issue.key);
        setDismissed(issue.key);
      }}
    />
  );
}
