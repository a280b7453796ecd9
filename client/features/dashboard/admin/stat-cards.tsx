import { IconAlertCircle, IconCircleCheck, IconFileDescription, IconUsers } from '@tabler/icons-react';
import { Money } from '#client/ui/data/money.tsx';
import { StatCard } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Figures } from './figures.ts';
import classes from './dashboard.module.css';
import { Trend } from './trend.tsx';

const THAN = 'bulan ini dari bulan lalu';

/** Totals over everything; below them how this month compares with the last one. */
export function StatCards({ figures, loading }: { figures: Figures; loading: boolean }) {
  const { month } = figures.periods;
  const before = month.previous ?? undefined;
  return (
    <section className={classes['cards']} aria-label="Statistik">
      <div>
        <StatCard
          label="Total Pengguna"
          value={<span className={classes['figure']}>{formatNumber(figures.total_users)}</span>}
          hint={`${formatNumber(figures.active_users)} aktif`}
          icon={IconUsers}
          loading={loading}
        />
      </div>
      <div>
        <StatCard
          label="Total Catatan Pajak"
          value={<span className={classes['figure']}>{formatNumber(figures.total_records)}</span>}
          hint={
            <>
              {formatNumber(figures.proses)} sedang diproses
              <Trend now={month.total_records} before={before?.total_records} than={`catatan baru ${THAN}`} />
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
          value={<Money amount={figures.paid_tax} className={classes['figure'] ?? ''} />}
          hint={
            <>
              {formatNumber(figures.lunas)} catatan
              <Trend now={month.paid_tax} before={before?.paid_tax} than={THAN} />
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
          value={<Money amount={figures.unpaid_tax} className={classes['figure'] ?? ''} />}
          hint={
            <>
              {formatNumber(figures.total_records - figures.lunas)} catatan
              <Trend now={month.unpaid_tax} before={before?.unpaid_tax} than={THAN} moreIsGood={false} />
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
