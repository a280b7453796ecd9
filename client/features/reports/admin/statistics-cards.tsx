import { IconAlertCircle, IconCircleCheck, IconClock, IconFiles, IconReceiptTax } from '@tabler/icons-react';
import { StatCard, StatCards } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { AdminStatistics } from '#shared/api/statistics.ts';
import { statusLabels } from '#shared/labels.ts';

/** The five cards (R-REPORT-7). */
export function StatisticsCards({ statistics }: { statistics: AdminStatistics | undefined }) {
  const loading = !statistics;
  const count = (value: number | undefined) => formatNumber(value ?? 0);
  return (
    <StatCards columns={5}>
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
      <StatCard label="Total Pajak" amount={statistics?.total_tax ?? 0} icon={IconReceiptTax} loading={loading} />
    </StatCards>
  );
}
