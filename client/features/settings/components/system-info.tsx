import { Card, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fetchDatabaseState, type DatabaseState } from '#client/lib/api.ts';
import { APP_VERSION } from '../version.ts';
import classes from '../settings.module.css';

const CHECK_EVERY_MS = 30_000;

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

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['line']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Three true lines about the server. */
export function SystemInfo() {
  const { data: state } = useQuery({
    queryKey: ['system', 'database'],
    queryFn: fetchDatabaseState,
    staleTime: 0,
    refetchInterval: CHECK_EVERY_MS,
  });
  return (
    <Card component="section" aria-labelledby="informasi-sistem">
      <Title order={2} id="informasi-sistem" mb="xs">
        Informasi Sistem
      </Title>
      <dl className={classes['lines']}>
        <Line label="Versi">v{APP_VERSION}</Line>
        <Line label="Database">
          <Database state={state} />
        </Line>
        <Line label="Cadangan terakhir">
          Belum pernah
          <span className={classes['note']}>Server belum melaporkan cadangan otomatis.</span>
        </Line>
      </dl>
    </Card>
  );
}
