import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { backupsQuery } from '#client/features/system/api.ts';
import { findBackupIssue, type BackupIssue } from '#client/features/system/backups/backup-health.ts';
import classes from './backup-warning.module.css';
import { paths } from '#client/paths.ts';
import { useHasOwnHeader } from './use-has-own-header.ts';

/** The page that was opened comes first. */
const FIRST_CHECK_DELAY_MS = 4000;
const CHECK_INTERVAL_MS = 5 * 60_000;
/** What was dismissed in this tab. */
const DISMISSED_KEY = 'backup_warning_dismissed';
/** Read out when there is a pause; nothing has to be done this minute. */
const STATUS_ROLE = { role: 'status' } as const;
/** How high it stands, for what fills the rest of the window. */
const HEIGHT_VARIABLE = '--notice-height';

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
    // It stays away until the page is loaded anew.
  }
}

/** What is wrong with the backups, asked for rarely and never in the way of anything. */
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
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => root.style.setProperty(HEIGHT_VARIABLE, `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty(HEIGHT_VARIABLE);
    };
  }, []);
  return (
    <div ref={box} className={`no-print ${classes['place']}`} data-fills={isFullBleed || undefined}>
      <Alert
        color="yellow"
        variant="light"
        {...STATUS_ROLE}
        icon={<IconAlertTriangle size={20} aria-hidden />}
        withCloseButton
        closeButtonLabel="Tutup peringatan"
        onClose={onDismiss}
        classNames={{ closeButton: classes['close'] ?? '' }}
        {...(isFullBleed ? { radius: 0 } : {})}
      >
        <Text fw={500}>{issue.message}</Text>
        <Text fz="sm">
          {issue.hint}{' '}
          <Anchor component={Link} to={paths.adminSettings} inherit underline="always">
            Buka Pengaturan
          </Anchor>
        </Text>
      </Alert>
    </div>
  );
}

type Props = {
  /** Whether the page below takes the whole width, edge to edge. */
  isFullBleed: boolean;
};

/** Tells administrators on every page when the backups are in trouble; the settings, which tell it themselves, are spared. */
export function BackupWarning({ isFullBleed }: Props) {
  const { pathname } = useLocation();
  const hasOwnHeader = useHasOwnHeader();
  const issue = useBackupIssue();
  const [dismissed, setDismissed] = useState(readDismissed);
  if (!issue || issue.key === dismissed || hasOwnHeader || pathname === paths.adminSettings) return null;
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
