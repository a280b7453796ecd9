import { Box, Paper, Skeleton, ThemeIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuildingCommunity,
  IconChevronRight,
  IconCircleCheck,
  IconClock,
  IconReceiptTax,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { OwnStatistics } from '#shared/api/tax-records/statistics.ts';
import classes from './summary-cards.module.css';

const bills = (count: number) => `${formatNumber(count)} tagihan`;

type CardProps = {
  label: string;
  value: ReactNode;
  hint: ReactNode;
  /** The list of the records that the number counts. */
  to: string;
  icon: TablerIcon;
  color?: 'laut' | 'green' | 'red' | 'yellow' | 'gray';
  loading: boolean;
};

function SummaryCard({ label, value, hint, to, icon: Icon, color = 'laut', loading }: CardProps) {
  return (
    <Paper component={Link} to={to} withBorder className={classes['card']} data-color={color} aria-busy={loading}>
      <span className={classes['label']}>{label}</span>
      <span className={`${classes['value']} tabular`}>
        {loading ? <Skeleton component="span" display="block" height="1.25rem" width="7rem" maw="100%" /> : value}
      </span>
      <span className={classes['hint']}>{loading ? '\u00A0' : hint}</span>
      <ThemeIcon size={32} variant="light" color={color} className={classes['icon'] ?? ''} aria-hidden>
        <Icon size={18} />
      </ThemeIcon>
      <IconChevronRight size={18} className={classes['chevron'] ?? ''} aria-hidden />
    </Paper>
  );
}

const noStatistics = {
  total_tax: 0,
  paid_tax: 0,
  unpaid_tax: 0,
  total_records: 0,
  total_objects: 0,
  paid_records: 0,
  unpaid_records: 0,
  outstanding_amount: 0,
  outstanding_records: 0,
};

/** The own statistics, each with a link to its records (R-STAT-5); 0 when they could not be loaded (R-STAT-10). */
export function SummaryCards({ statistics, loading }: { statistics: OwnStatistics | undefined; loading: boolean }) {
  const shown = statistics ?? noStatistics;
  return (
    <Box component="section" aria-label="Ringkasan" className={classes['cards']}>
      <SummaryCard
        label="Total PBB"
        value={<Money amount={shown.total_tax} />}
        hint="Semua tahun"
        to={paths.records}
        icon={IconReceiptTax}
        loading={loading}
      />
      <SummaryCard
        label="Lunas"
        value={<Money amount={shown.paid_tax} />}
        hint={
          <>
            {bills(shown.paid_records)}
            {statistics ? <CheckedLine checked={statistics.checked} /> : null}
          </>
        }
        to={`${paths.records}?status=lunas`}
        icon={IconCircleCheck}
        color="green"
        loading={loading}
      />
      <SummaryCard
        label="Total Properti"
        value={formatNumber(shown.total_records)}
        hint={
          shown.total_objects === shown.total_records
            ? 'Data PBB tercatat'
            : `Data PBB tercatat, ${formatNumber(shown.total_objects)} objek`
        }
        to={paths.records}
        icon={IconBuildingCommunity}
        color="gray"
        loading={loading}
      />
      <SummaryCard
        label="Belum Lunas"
        value={<Money amount={shown.unpaid_tax} />}
        hint={shown.unpaid_records > 0 ? `${bills(shown.unpaid_records)}, termasuk Proses` : bills(0)}
        to={paths.recordsShown('belum-lunas')}
        icon={IconClock}
        color={shown.unpaid_records > 0 ? 'yellow' : 'gray'}
        loading={loading}
      />
      <SummaryCard
        label="Tunggakan"
        value={<Money amount={shown.outstanding_amount} />}
        hint={[bills(shown.outstanding_records), statistics && estimatedText(statistics.outstanding_estimated)]
          .filter(Boolean)
          .join(', ')}
        to={paths.recordsShown('tunggakan')}
        icon={IconAlertTriangle}
        color={shown.outstanding_records > 0 ? 'red' : 'gray'}
        loading={loading}
      />
    </Box>
  );
}
