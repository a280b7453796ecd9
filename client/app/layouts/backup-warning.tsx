import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { backupsQuery } from '#client/features/system/api.ts';
import { backupWorry, type BackupWorry } from '#client/features/system/backup-worry.ts';
import classes from './backup-warning.module.css';
import { paths } from '#client/paths.ts';
import { useOwnHeader } from './use-own-header.ts';

/** The page that was opened comes first. */
const FIRST_LOOK_MS = 4000;
const LOOK_EVERY_MS = 5 * 60_000;
/** What was dismissed in this tab. */
const DISMISSED = 'backup_warning_dismissed';
/** Read out when there is a pause; nothing has to be done this minute. */
const CALM = { role: 'status' } as const;
/** How high it stands, for what fills the rest of the window. */
const HEIGHT = '--notice-height';

function readDismissed(): string | null {
  try {
    return window.sessionStorage.getItem(DISMISSED);
  } catch {
    return null;
  }
}

function storeDismissed(key: string): void {
  try {
    window.sessionStorage.setItem(DISMISSED, key);
  } catch {
    // It stays away until the page is loaded anew.
  }
}

/** What is wrong with the backups, asked for rarely and never in the way of anything. */
function useBackupWorry(): BackupWorry | null {
  const [isTime, setIsTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), FIRST_LOOK_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...backupsQuery,
    enabled: isTime,
    staleTime: LOOK_EVERY_MS,
    refetchInterval: LOOK_EVERY_MS,
    retry: false,
  });
  return data ? backupWorry(data.status) : null;
}

type NoticeProps = { worry: BackupWorry; fills: boolean; onDismiss: () => void };

function Notice({ worry, fills, onDismiss }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const root = document.documentElement;
    const watch = new ResizeObserver(() => root.style.setProperty(HEIGHT, `${element.offsetHeight}px`));
    watch.observe(element);
    return () => {
      watch.disconnect();
      root.style.removeProperty(HEIGHT);
    };
  }, []);
  return (
    <div ref={box} className={`no-print ${classes['place']}`} data-fills={fills || undefined}>
      <Alert
        color="yellow"
        variant="light"
        {...CALM}
        icon={<IconAlertTriangle size={20} aria-hidden />}
        withCloseButton
        closeButtonLabel="Tutup peringatan"
        onClose={onDismiss}
        classNames={{ closeButton: classes['close'] ?? '' }}
        {...(fills ? { radius: 0 } : {})}
      >
        <Text fw={500}>{worry.message}</Text>
        <Text fz="sm">
          {worry.hint}{' '}
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
  fills: boolean;
};

/** Tells administrators on every page when the backups are in trouble; the settings, which tell it themselves, are spared. */
export function BackupWarning({ fills }: Props) {
  const { pathname } = useLocation();
  const headless = useOwnHeader();
  const worry = useBackupWorry();
  const [dismissed, setDismissed] = useState(readDismissed);
  if (!worry || worry.key === dismissed || headless || pathname === paths.adminSettings) return null;
  return (
    <Notice
      worry={worry}
      fills={fills}
      onDismiss={() => {
        storeDismissed(worry.key);
        setDismissed(worry.key);
      }}
    />
  );
}
