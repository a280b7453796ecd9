import { Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconBuildingCommunity } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import { ReportLoadError } from './report-load-error.tsx';
import classes from './property-panel.module.css';
import { PropertyTable } from './property-table.tsx';

// Recharts is half as large as the rest of the app, so it is loaded only when there is something to draw.
const PropertyChart = lazy(async () => ({ default: (await import('./property-chart.tsx')).PropertyChart }));

/** The tab 'Jenis Properti': the tax of each property type (R-REPORT-4). */
export function PropertyPanel({ query }: { query: UseQueryResult<PropertyStatistics[]> }) {
  if (query.isError && !query.data) return <ReportLoadError query={query} tab="property" />;
  if (!query.data) return <PropertySkeleton />;
  if (query.data.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState
          icon={IconBuildingCommunity}
          title="Tidak ada data"
          description="Belum ada pajak yang dicatat pada periode ini."
        />
      </Paper>
    );
  }
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} className={classes['panel'] ?? ''}>
      <PropertyTable shares={query.data} />
      {totalAmount(query.data) > 0 ? (
        <div className={classes['chart']}>
          <Suspense fallback={<Skeleton circle height={236} />}>
            <PropertyChart shares={query.data} />
          </Suspense>
        </div>
      ) : null}
    </Paper>
  );
}

function PropertySkeleton() {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} className={classes['panel'] ?? ''} aria-busy>
      <VisuallyHidden component="output">Memuat data properti…</VisuallyHidden>
      <div>
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <Skeleton key={key} height={28} my={14} />
        ))}
      </div>
      <div className={classes['chart']}>
        <Skeleton circle height={236} />
      </div>
    </Paper>
  );
}
