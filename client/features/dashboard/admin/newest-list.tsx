import { Anchor, Button, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconLayoutGrid, IconTable, type TablerIcon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Page } from '#shared/api/envelope.ts';
import classes from './dashboard.module.css';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';

type Props<T> = {
  title: string;
  /** The word for one row, for example 'pengguna'. */
  unit: string;
  query: UseQueryResult<Page<T>>;
  allPath: string;
  view: ListView;
  onView: (view: string) => void;
  empty: { title: string; icon: TablerIcon };
  children: (rows: readonly T[]) => ReactNode;
};

const views = [
  { value: 'kartu', Icon: IconLayoutGrid, label: 'Kartu' },
  { value: 'tabel', Icon: IconTable, label: 'Tabel' },
];

const SKELETON_ROWS = [1, 2, 3];

/** A list of the dashboard: heading, total, link to the whole list, and every state of loading. */
export function NewestList<T>({ title, unit, query, allPath, view, onView, empty, children }: Props<T>) {
  const headingId = useId();
  const { data } = query;
  return (
    <Paper component="section" withBorder p="lg" mb="md" aria-labelledby={headingId} aria-busy={query.isPending}>
      <div className={classes['sectionHead']}>
        <div>
          <Title order={2} id={headingId}>
            {title}
          </Title>
          <Text c="dimmed" fz="sm" className="tabular">
            {data ? `Total ${formatNumber(data.total)} ${unit}` : ' '}
          </Text>
        </div>
        <div className={`${classes['listTools']} no-print`}>
          <SegmentedControl
            aria-label={`Tampilan ${title}`}
            value={view}
            onChange={onView}
            data={views.map(({ value, label, Icon }) => ({
              value,
              label: (
                <span className={classes['choice']}>
                  <Icon size={16} aria-hidden /> {label}
                </span>
              ),
            }))}
          />
          <Anchor
            component={Link}
            to={allPath}
            fw={600}
            className={classes['all'] ?? ''}
            aria-label={`Lihat Semua ${unit}`}
          >
            Lihat Semua
          </Anchor>
        </div>
      </div>
      {query.isPending ? (
        <Stack gap="md" aria-hidden>
          {SKELETON_ROWS.map((row) => (
            <Skeleton key={row} height={64} radius="md" />
          ))}
        </Stack>
      ) : null}
      {query.isError && !data ? (
        <Stack align="flex-start" gap="sm">
          <Text c="dimmed">Daftar ini tidak dapat ditampilkan.</Text>
          <Button variant="light" loading={query.isFetching} onClick={() => void query.refetch()}>
            Muat ulang daftar
          </Button>
        </Stack>
      ) : null}
      {data && data.data.length === 0 ? <EmptyState icon={empty.icon} title={empty.title} /> : null}
      {data && data.data.length > 0 ? children(data.data) : null}
    </Paper>
  );
}

export type ListView = 'kartu' | 'tabel';

/** Cards or table for a list of the dashboard. The choice is stored in the browser; the default is cards. */
export function useStoredView(list: 'users' | 'records') {
  const key = `admin_dashboard_${list}`;
  const [view, setView] = useState<ListView>(() => (readStored(key) === 'tabel' ? 'tabel' : 'kartu'));

  function choose(next: string): void {
    const chosen = next === 'tabel' ? 'tabel' : 'kartu';
    writeStored(key, chosen);
    setView(chosen);
  }

  return { view, choose };
}
