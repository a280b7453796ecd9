import { SimpleGrid } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconClock, IconFiles, IconReceiptTax } from '@tabler/icons-react';
import { Money } from '#client/ui/data/money.tsx';
import { StatCard } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { AdminStatistics } from '#shared/api/tax-records.ts';
import { statusLabels } from '#shared/labels.ts';
import classes from './statistics-cards.module.css';

/** The five cards (R-REPORT-7). */
export function StatisticsCards({ statistics }: { statistics: AdminStatistics | undefined }) {
  const loading = !statistics;
  const count = (value: number | undefined) => formatNumber(value ?? 0);
  return (
    <SimpleGrid cols={{ base: 2, md: 3, xl: 5 }} spacing="sm" mb="md" className={classes['cards'] ?? ''}>
      <StatCard label="Total Records" value={count(statistics?.total_records)} icon={IconFiles} loading={loading} />
      <StatCard
        label={statusLabels.lunas}
        value={count(statistics?.lunas)}
        icon={IconCircleCheck}
        color="green"
        loading={loading}
      />
      <StatCard
        label={statusLabels.belum_lunas}
        value={count(statistics?.belum_lunas)}
        icon={IconAlertCircle}
        color="red"
        loading={loading}
      />
      <StatCard
        label={statusLabels.proses}
        value={count(statistics?.proses)}
        icon={IconClock}
        color="yellow"
        loading={loading}
      />
      <StatCard
        label="Total Pajak"
        value={<Money amount={statistics?.total_tax ?? 0} className={classes['money'] ?? ''} />}
        icon={IconReceiptTax}
        loading={loading}
      />
    </SimpleGrid>
  );
}
