import { IconAlertCircle, IconCircleCheck, IconFileDescription, IconUsers } from '@tabler/icons-react';
import { Money } from '#client/ui/data/money.tsx';
import { StatCard } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { DashboardStatistics } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';
import { Trend } from './trend.tsx';

const COMPARISON = 'bulan ini dari bulan lalu';

/** The totals of all time, each with the trend of this month. */
export function StatCards({ statistics, loading }: { statistics: DashboardStatistics; loading: boolean }) {
  const { month } = statistics.periods;
  const previous = month.previous ?? undefined;
  return (
    <section className={classes['cards']} aria-label="Statistik">
      <div>
        <StatCard
          label="Total Pengguna"
          value={formatNumber(statistics.total_users)}
          hint={`${formatNumber(statistics.active_users)} aktif`}
          icon={IconUsers}
          loading={loading}
        />
      </div>
      <div>
        <StatCard
          label="Total Data PBB"
          value={formatNumber(statistics.total_records)}
          hint={
            <>
              {formatNumber(statistics.proses)} sedang diproses
              <Trend
                current={month.total_records}
                previous={previous?.total_records}
                comparison={`data baru ${COMPARISON}`}
              />
            </>
          }
          icon={IconFileDescription}
          color="gray"
          loading={loading}
        />
      </div>
      <div>
        <StatCard
          label="Pajak Lunas"
          value={<Money amount={statistics.paid_tax} />}
          hint={
            <>
              {formatNumber(statistics.lunas)} data
              <Trend current={month.paid_tax} previous={previous?.paid_tax} comparison={COMPARISON} />
            </>
          }
          icon={IconCircleCheck}
          color="green"
          loading={loading}
        />
      </div>
      <div>
        <StatCard
          label="Pajak Belum Lunas"
          value={<Money amount={statistics.unpaid_tax} />}
          hint={
            <>
              {formatNumber(statistics.total_records - statistics.lunas)} data
              {statistics.proses > 0 ? `, termasuk ${formatNumber(statistics.proses)} diproses` : null}
              <Trend
                current={month.unpaid_tax}
                previous={previous?.unpaid_tax}
                comparison={COMPARISON}
                moreIsGood={false}
              />
            </>
          }
          icon={IconAlertCircle}
          color="red"
          loading={loading}
        />
      </div>
    </section>
  );
}
