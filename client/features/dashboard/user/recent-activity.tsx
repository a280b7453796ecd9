import { RecordAmount } from '#client/features/tax-records/display/record-amount.tsx';
import { Box, Button, Paper, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { Pager } from '#client/ui/list/paging/pager.tsx';
import { recordTitle } from '#client/features/tax-records/display/record-labels.ts';
import { VerificationMark } from '#client/features/tax-records/display/verification/verification-mark.tsx';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import { showDate } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { RecordPage } from '#client/features/tax-records/api.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import classes from './dashboard.module.css';

function ActivityLink({ record }: { record: TaxRecord }) {
  return (
    <Link to={paths.record(record.id)} className={classes['activity']}>
      <span className={classes['what']}>
        <Text component="span" display="block" fw={600} className={classes['name']}>
          {recordTitle(record)}
        </Text>
        <Text component="span" display="block" fz="sm" className={classes['name']}>
          {record.tax_type} · {formatSptNumber(record.spt_number)}
        </Text>
        {record.description ? (
          <Text component="span" fz="sm" lineClamp={1}>
            {record.description}
          </Text>
        ) : null}
        <Text component="span" display="block" c="dimmed" fz="sm" className="tabular">
          Tahun {record.year} · dicatat {showDate(record.created_at)}
        </Text>
      </span>
      <span className={classes['sum']}>
        <Text component="span" fw={600}>
          <RecordAmount record={record} />
        </Text>
        <StatusBadge status={record.status} />
        <VerificationMark record={record} scope="own" text="label" />
      </span>
    </Link>
  );
}

function ActivitySkeleton() {
  return (
    <div className={classes['activities']} aria-hidden>
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={classes['activity']}>
          <span className={classes['what']}>
            <Skeleton component="span" display="block" height={16} width="12rem" my={4} />
            <Skeleton component="span" display="block" height={13} width="9rem" my={5} />
            <Skeleton component="span" display="block" height={13} width="11rem" my={5} />
          </span>
          <span className={classes['sum']}>
            <Skeleton component="span" display="block" height={16} width="7rem" my={4} />
            <Skeleton component="span" display="block" height={24} width="6rem" radius="xl" />
          </span>
        </div>
      ))}
    </div>
  );
}

type Props = { query: UseQueryResult<RecordPage>; page: number; onPage: (page: number) => void };

/** The newest records, page by page (R-STAT-6). */
export function RecentActivity({ query, page, onPage }: Props) {
  const headingId = useId();
  const { data } = query;
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={headingId} aria-busy={query.isFetching}>
      <Title order={2} id={headingId} mb="xs">
        Aktivitas Terbaru
      </Title>
      {query.isPending ? (
        <>
          <VisuallyHidden component="output">Memuat aktivitas…</VisuallyHidden>
          <ActivitySkeleton />
        </>
      ) : null}
      {query.isError && !data ? (
        <Stack align="flex-start" gap="sm" py="sm">
          <Text c="dimmed">Aktivitas tidak dapat ditampilkan.</Text>
          <Button variant="light" onClick={() => void query.refetch()}>
            Muat ulang aktivitas
          </Button>
        </Stack>
      ) : null}
      {data && data.total === 0 ? <Text c="dimmed">Belum ada aktivitas terbaru</Text> : null}
      {data && data.total > 0 ? (
        <>
          <ul className={classes['activities']}>
            {data.data.map((record) => (
              <li key={record.id}>
                <ActivityLink record={record} />
              </li>
            ))}
          </ul>
          <Box mt="md">
            <Pager page={page} pageCount={data.last_page} onChange={onPage} label="Halaman aktivitas" />
          </Box>
        </>
      ) : null}
    </Paper>
  );
}
