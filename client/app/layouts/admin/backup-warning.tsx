import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { backupsQuery } from '#client/features/system/api.ts';
import { findBackupIssue, type BackupIssue } from '#client/features/system/backups/backup-health.ts';
import { findCopyWarning } from '#client/features/system/backups/copy-health.ts';
import classes from './backup-warning.module.css';
import { paths } from '#client/paths.ts';
import type { BackupStatus } from '#shared/api/system.ts';
import { useHasOwnHeader } from './use-has-own-header.ts';

/** The opened page is loaded first. */
const FIRST_CHECK_DELAY_MS = 4000;
const CHECK_INTERVAL_MS = 5 * 60_000;
/** A running copy may stop, or be well again, soon. */
const CHECK_COPY_INTERVAL_MS = 60_000;
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

/** The state of the backups, loaded rarely and after the page. */
function useBackupStatus(): BackupStatus | undefined {
  const [isEnabled, setIsEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsEnabled(true), FIRST_CHECK_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...backupsQuery,
    enabled: isEnabled,
    staleTime: CHECK_INTERVAL_MS,
    refetchInterval: ({ state }) => (state.data?.status.running_copy ? CHECK_COPY_INTERVAL_MS : CHECK_INTERVAL_MS),
    retry: false,
  });
  return data?.status;
}

type NoticeProps = {
  /** Whether the page below has no padding. */
  isFullBleed: boolean;
  /** Without one the notice stays. */
  onDismiss?: () => void;
  children: ReactNode;
};

function Notice({ isFullBleed, onDismiss, children }: NoticeProps) {
  return (
    <Alert
      color="yellow"
      variant="light"
      {...STATUS_ROLE}
      icon={<IconAlertTriangle size={20} aria-hidden />}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel="Tutup peringatan"
      {...(onDismiss && { onClose: onDismiss })}
      classNames={{ closeButton: classes['close'] ?? '' }}
      {...(isFullBleed ? { radius: 0 } : { mb: 'md' })}
    >
      {children}
    </Alert>
  );
}

function IssueText({ issue: { message, hint } }: { issue: BackupIssue }) {
  return (
    <>
      <Text fw={500}>{message}</Text>
      <Text fz="sm">
        {hint}{' '}
        <Anchor component={Link} to={paths.adminSettings} inherit underline="always">
          Buka Pengaturan
        </Anchor>
      </Text>
    </>
  );
}

type Props = Pick<NoticeProps, 'isFullBleed'>;

/** The dashboard names the problem under 'Perlu ditindak', and the settings show the backups. */
const PAGES_THAT_SHOW_IT: readonly string[] = [paths.adminDashboard, paths.adminSettings];

/** Warns admins about failed, old or uncopied backups, and a stopped running copy, on every page that does not show it itself. */
export function BackupWarning({ isFullBleed }: Props) {
  const { pathname } = useLocation();
  const hasOwnHeader = useHasOwnHeader();
  const status = useBackupStatus();
  const [dismissed, setDismissed] = useState(readDismissed);
  if (!status || hasOwnHeader) return null;
  const issue = findBackupIssue(status);
  const isIssueShown = issue && issue.key !== dismissed && !PAGES_THAT_SHOW_IT.includes(pathname);
  const copyWarning = pathname === paths.adminSettings ? null : findCopyWarning(status);
  return (
    <>
      {copyWarning === null ? null : (
        <Notice isFullBleed={isFullBleed}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {copyWarning}{' '}
            <Anchor component={Link} to={paths.adminBackups} inherit underline="always">
              Cadangan
            </Anchor>
          </Text>
        </Notice>
      )}
      {isIssueShown ? (
        <Notice
          isFullBleed={isFullBleed}
          onDismiss={() => {
            storeDismissed(issue.key);
            setDismissed(issue.key);
          }}
        >
          <IssueText issue={issue} />
        </Notice>
      ) : null}
    </>
  );
}
