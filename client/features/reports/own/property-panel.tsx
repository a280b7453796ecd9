import { Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconBuildingCommunity } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import { ReportLoadError } from './report-load-error.tsx';
import classes from './property-panel.module.css';
import slices from './slices.module.css';
import { PropertyChart } from './property-chart.tsx';
import { PropertyPatterns } from './property-patterns.tsx';
import { joinedTypes } from './property-slices.ts';
import { PropertyTable } from './property-table.tsx';

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
  const joined = joinedTypes(query.data);
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} className={`${classes['panel']} ${slices['slices']}`}>
      <PropertyPatterns />
      <PropertyTable shares={query.data} />
      {totalAmount(query.data) > 0 ? (
        <div className={classes['chart']}>
          <PropertyChart shares={query.data} />
          {joined.length > 0 ? (
            <p className={classes['note']}>Pada diagram, Lainnya mencakup jenis di bawah 2%: {joined.join(', ')}.</p>
          ) : null}
        </div>
      ) : null}
    </Paper>
  );
}

function PropertySkeleton() {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} className={`${classes['panel']} ${slices['slices']}`} aria-busy>
      <VisuallyHidden component="output">Memuat data properti…</VisuallyHidden>
      <div>
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <Skeleton key={key} height={28} my={14} />
        ))}
      </div>
      <div className={classes['chart']}>
        <Skeleton circle height="17rem" />
      </div>
    </Paper>
  );
}
