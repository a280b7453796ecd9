import { Paper, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import { IconBuildingCommunity } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import { formatRupiah } from '#client/lib/format.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import type { PropertyStatistics } from '#shared/api/reports.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { RingChart, RingPatterns, RingText } from '../chart/ring-chart.tsx';
import { ReportTableView } from '../table/report-table-view.tsx';
import { propertyTable } from './own-reports.ts';
import classes from './property-panel.module.css';
import {
  chartSlices,
  joinedTypes,
  OTHERS,
  PATTERN_TILE,
  propertyFill,
  propertyPatterns,
  sliceColor,
} from './property-slices.ts';
import { ReportLoadError } from './report-load-error.tsx';
import slices from './slices.module.css';

const TABLE_FROM_EM = 30;

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
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} className={`${classes['panel']} ${slices['slices']}`}>
      <RingPatterns patterns={propertyPatterns} tile={PATTERN_TILE} />
      <PropertyTable shares={query.data} />
      {totalAmount(query.data) > 0 ? <PropertyChart shares={query.data} /> : null}
    </Paper>
  );
}

function PropertyTable({ shares }: { shares: readonly PropertyStatistics[] }) {
  const id = useId();
  const joined = joinedTypes(shares);
  return (
    <div>
      <Title order={2} fz="h3" mb="xs" id={id}>
        Pajak menurut jenis properti
      </Title>
      <ReportTableView
        table={propertyTable(shares)}
        labelledBy={id}
        wideFromEm={TABLE_FROM_EM}
        renderName={(share) => (
          <PropertyName share={share} slice={joined.includes(share.property) ? OTHERS : share.property} />
        )}
        hasTotal
      />
    </div>
  );
}

/** The mark before the name looks as the slice of the chart. */
function PropertyName({ share, slice }: { share: PropertyStatistics; slice: string }) {
  return (
    <>
      <span className={classes['name']}>
        <svg className={classes['mark']} aria-hidden>
          <rect width="100%" height="100%" fill={propertyFill(slice)} />
        </svg>
        {share.property}
      </span>
      <span className={classes['track']} aria-hidden>
        <span style={{ width: `${share.percentage}%`, background: sliceColor(slice) }} />
      </span>
    </>
  );
}

function PropertyChart({ shares }: { shares: readonly PropertyStatistics[] }) {
  const joined = joinedTypes(shares);
  const total = formatRupiah(totalAmount(shares));
  return (
    <div className={classes['chart']}>
      <RingChart slices={chartSlices(shares)}>
        <RingText below={-12} size={13}>
          Total
        </RingText>
        {/* Fifteen digits fit in the hole, too. */}
        <RingText below={10} size={total.length > 15 ? 13 : 16} isTotal>
          {total}
        </RingText>
      </RingChart>
      {joined.length > 0 ? (
        <p className={classes['note']}>Pada diagram, Lainnya mencakup jenis di bawah 2%: {joined.join(', ')}.</p>
      ) : null}
    </div>
  );
}

function PropertySkeleton() {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} className={classes['panel']} aria-busy>
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
