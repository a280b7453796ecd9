import { Box } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuildingCommunity,
  IconCircleCheck,
  IconClock,
  IconReceiptTax,
} from '@tabler/icons-react';
import { Money } from '#client/ui/data/money.tsx';
import { StatCard } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { OwnStatistics } from '#shared/api/tax-records.ts';
import classes from './dashboard.module.css';

const countText = (count: number) => `${formatNumber(count)} data`;

/** The own statistics (R-STAT-5); 0 when they could not be loaded (R-STAT-10). */
export function SummaryCards({ statistics, loading }: { statistics: OwnStatistics | undefined; loading: boolean }) {
  const shown = statistics ?? {
    total_tax: 0,
    paid_tax: 0,
    unpaid_tax: 0,
    total_records: 0,
    paid_records: 0,
    unpaid_records: 0,
    outstanding_amount: 0,
    outstanding_records: 0,
  };
  return (
    <Box component="section" aria-label="Ringkasan" className={classes['cards']}>
      <div className={classes['card']}>
        <StatCard
          label="Total PBB"
          value={<Money amount={shown.total_tax} />}
          hint="Semua tahun"
          icon={IconReceiptTax}
          loading={loading}
        />
      </div>
      <div className={classes['card']}>
        <StatCard
          label="Lunas"
          value={<Money amount={shown.paid_tax} />}
          hint={countText(shown.paid_records)}
          icon={IconCircleCheck}
          color="green"
          loading={loading}
        />
      </div>
      <div className={classes['card']}>
        <StatCard
          label="Total Properti"
          value={formatNumber(shown.total_records)}
          hint="Data PBB tercatat"
          icon={IconBuildingCommunity}
          color="gray"
          loading={loading}
        />
      </div>
      <div className={classes['card']}>
        <StatCard
          label="Belum Lunas"
          value={<Money amount={shown.unpaid_tax} />}
          hint={countText(shown.unpaid_records)}
          icon={IconClock}
          color="yellow"
          loading={loading}
        />
      </div>
      <div className={classes['card']}>
        <StatCard
          label="Tunggakan"
          value={<Money amount={shown.outstanding_amount} />}
          hint={shown.outstanding_records > 0 ? `${countText(shown.outstanding_records)} menunggak` : '0 data'}
          icon={IconAlertTriangle}
          color="red"
          loading={loading}
        />
      </div>
    </Box>
  );
}
