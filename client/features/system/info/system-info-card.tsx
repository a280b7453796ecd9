import { Button, Card, Title, VisuallyHidden } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { fetchDatabaseState, type DatabaseState } from '#client/lib/api/api.ts';
import { systemInfoQuery } from '#client/lib/api/system-info-query.ts';
import { systemKeys } from '../api.ts';
import classes from '../settings.module.css';
import { useServerTimeMs } from '../use-server-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';
import { SystemInfoRows } from './system-info-rows.tsx';
import { showDateTime } from '#client/lib/format.ts';
import type { BackupStatus, SystemInfo } from '#shared/api/system.ts';
import { formatTimeAgo, formatTimeUntil } from '../format-relative-time.ts';

/** The version in package.json, defined by the bundler (`define` in client/vite.config.ts). */
declare const PBB_VERSION: string;

/** The version of this page. After an upgrade it differs from the server's until a reload. */
export const CLIENT_VERSION = PBB_VERSION;

const CHECK_INTERVAL_MS = 30_000;
/** The first answer may come before this page's own socket connects, and would then count no admin. */
const FIRST_RECHECK_MS = 3000;
const PAGE_VERSION = `v${CLIENT_VERSION}`;

const databaseStates = {
  connected: { text: 'Terhubung', english: 'Connected', tone: 'good' },
  disconnected: { text: 'Tidak terhubung', english: 'Disconnected', tone: 'bad' },
  unknown: { text: 'Server tidak menjawab', english: 'Unknown', tone: 'bad' },
} as const;

function DatabaseStatus({ state }: { state: DatabaseState | undefined }) {
  if (!state) return <span className={classes['dim']}>Memeriksa…</span>;
  const { text, english, tone } = databaseStates[state];
  return (
    <span className={classes[tone]}>
      {text} <VisuallyHidden>({english})</VisuallyHidden>
    </span>
  );
}

/** Which of the servers of PostgreSQL takes writes now; null for a file. */
function primaryNote(database: SystemInfo['database'] | undefined): ReactNode {
  if (database?.primary === undefined) return null;
  if (database.primary !== null) return `PostgreSQL di ${database.primary} menerima tulisan`;
  return <strong>Tidak ada PostgreSQL yang menerima tulisan: perubahan sekarang ditolak.</strong>;
}

/** Version, database state, last backup and other values of the server (docs/requirements.md R-SYS-15). */
export function SystemInfoCard() {
  const { data: state } = useQuery({
    queryKey: systemKeys.database,
    queryFn: fetchDatabaseState,
    staleTime: 0,
    refetchInterval: CHECK_INTERVAL_MS,
  });
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    ...systemInfoQuery,
    refetchInterval: ({ state: { dataUpdateCount } }) => (dataUpdateCount === 1 ? FIRST_RECHECK_MS : CHECK_INTERVAL_MS),
  });
  const nowMs = useServerTimeMs(data?.backup.now, dataUpdatedAt);
  const version = data?.version ?? PAGE_VERSION;
  return (
    <Card component="section" aria-labelledby="informasi-sistem">
      <Title order={2} id="informasi-sistem" mb="xs">
        Informasi Sistem
      </Title>
      <dl className={classes['lines']}>
        <InfoRow
          label="Versi"
          note={version === PAGE_VERSION ? null : `Halaman ini masih ${PAGE_VERSION}. Muat ulang untuk memperbaruinya.`}
        >
          {version}
        </InfoRow>
        <InfoRow label="Database" note={primaryNote(data?.database)}>
          <DatabaseStatus state={state} />
        </InfoRow>
        {data ? (
          <>
            <LastBackupRow status={data.backup} nowMs={nowMs} />
            <SystemInfoRows info={data} nowMs={nowMs} />
          </>
        ) : (
          <InfoRow label="Cadangan terakhir">
            <span className={classes['dim']}>{error ? 'Belum diketahui' : 'Memeriksa…'}</span>
          </InfoRow>
        )}
      </dl>
      {error && !data ? (
        <>
          <FormAlert message={messageOf(error, 'Gagal memuat informasi sistem')} hint={hintOf(error)} />
          <Button
            variant="light"
            mt="sm"
            w="fit-content"
            leftSection={<IconRefresh size={18} aria-hidden />}
            loading={isFetching}
            onClick={() => void refetch()}
          >
            Coba lagi
          </Button>
        </>
      ) : null}
    </Card>
  );
}

type Props = { status: Pick<BackupStatus, 'engine' | 'failure' | 'last' | 'every_hours' | 'next_at'>; nowMs: number };

function lastBackupNote({ last, every_hours: everyHours, next_at: nextAt }: Props['status'], nowMs: number): string {
  const exact = last ? [showDateTime(last.created_at)] : [];
  if (everyHours === 0) return [...exact, 'Cadangan otomatis mati'].join(' · ');
  if (!last && nextAt) return `Yang pertama dibuat otomatis: ${formatTimeUntil(nextAt, nowMs).toLowerCase()}`;
  return exact.join('');
}

/** The time of the last backup. */
function LastBackupRow({ status, nowMs }: Props) {
  const { last } = status;
  // The script of the operator writes only how its last backup ended.
  const missing = status.engine === 'postgres' && status.failure ? 'Gagal' : 'Belum pernah';
  return (
    <InfoRow label="Cadangan terakhir" note={lastBackupNote(status, nowMs)}>
      {last ? <RelativeTime iso={last.created_at} text={formatTimeAgo(last.created_at, nowMs)} /> : missing}
    </InfoRow>
  );
}
