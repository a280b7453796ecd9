import { Button, Card, Title, VisuallyHidden } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { fetchDatabaseState, type DatabaseState } from '#client/lib/api.ts';
import { systemKeys, systemInfoQuery } from '../api.ts';
import classes from '../settings.module.css';
import { useServerTimeMs } from '../use-server-time.ts';
import { InfoRow } from '../info-row.tsx';
import { LastBackupRow } from '../backups/last-backup-row.tsx';
import { SystemInfoRows } from './system-info-rows.tsx';

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
        <InfoRow label="Database">
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
            className={classes['start'] ?? ''}
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
