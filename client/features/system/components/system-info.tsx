import { Button, Card, Title, VisuallyHidden } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { fetchDatabaseState, type DatabaseState } from '#client/lib/api.ts';
import { systemKeys, systemQuery } from '../api.ts';
import classes from '../settings.module.css';
import { useServerClock } from '../use-clock.ts';
import { APP_VERSION } from '../version.ts';
import { Fact } from './fact.tsx';
import { LastBackup } from './last-backup.tsx';
import { SystemFacts } from './system-facts.tsx';

const CHECK_EVERY_MS = 30_000;
/** The first answer may come before this page's own connection: it would say that nobody is here. */
const CHECK_AGAIN_MS = 3000;
const OWN_VERSION = `v${APP_VERSION}`;

const states = {
  connected: { text: 'Terhubung', english: 'Connected', look: 'good' },
  disconnected: { text: 'Tidak terhubung', english: 'Disconnected', look: 'bad' },
  unknown: { text: 'Server tidak menjawab', english: 'Unknown', look: 'bad' },
} as const;

function Database({ state }: { state: DatabaseState | undefined }) {
  if (!state) return <span className={classes['dim']}>Memeriksa…</span>;
  const { text, english, look } = states[state];
  return (
    <span className={classes[look]}>
      {text} <VisuallyHidden>({english})</VisuallyHidden>
    </span>
  );
}

/** What there is to know about the server, all of it true. */
export function SystemInfo() {
  const { data: state } = useQuery({
    queryKey: systemKeys.database,
    queryFn: fetchDatabaseState,
    staleTime: 0,
    refetchInterval: CHECK_EVERY_MS,
  });
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    ...systemQuery,
    refetchInterval: ({ state: { dataUpdateCount } }) => (dataUpdateCount === 1 ? CHECK_AGAIN_MS : CHECK_EVERY_MS),
  });
  const nowMs = useServerClock(data?.backup.now, dataUpdatedAt);
  const version = data?.version ?? OWN_VERSION;
  return (
    <Card component="section" aria-labelledby="informasi-sistem">
      <Title order={2} id="informasi-sistem" mb="xs">
        Informasi Sistem
      </Title>
      <dl className={classes['lines']}>
        <Fact
          label="Versi"
          note={version === OWN_VERSION ? null : `Halaman ini masih ${OWN_VERSION}. Muat ulang untuk memperbaruinya.`}
        >
          {version}
        </Fact>
        <Fact label="Database">
          <Database state={state} />
        </Fact>
        {data ? (
          <>
            <LastBackup status={data.backup} nowMs={nowMs} />
            <SystemFacts info={data} nowMs={nowMs} />
          </>
        ) : (
          <Fact label="Cadangan terakhir">
            <span className={classes['dim']}>{error ? 'Belum diketahui' : 'Memeriksa…'}</span>
          </Fact>
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
