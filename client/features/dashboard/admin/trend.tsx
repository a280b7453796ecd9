import { Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react';
import { formatDateRange, today } from '#client/lib/format.ts';
import { samePartBefore, statisticsDates } from '#shared/domain/dates/dates.ts';
import { growthRate, type Period } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';

const percent = new Intl.NumberFormat('id-ID', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

type Props = {
  current: number;
  previous: number | undefined;
  /** Names both periods (`comparedRanges`). */
  comparison: string;
  /** False for unpaid tax, where growth is shown in red. */
  moreIsGood?: boolean;
};

/** The part of a period until today and the same part of the period before: '1–23 Nov 2026 dibanding 1–23 Okt 2026'. */
export function comparedRanges(period: Period): string {
  if (period === 'today') return 'hari ini dibanding kemarin';
  const date = today();
  const { fromDate } = statisticsDates(date)[period].current;
  const before = samePartBefore(date)[period];
  return `${formatDateRange({ fromDate, toDate: date })} dibanding ${formatDateRange(before)}`;
}

/** The change against the period before; nothing where there is nothing to compare with (R-STAT-8). */
export function Trend({ current, previous, comparison, moreIsGood = true }: Props) {
  const growth = growthRate(current, previous);
  if (growth === null) return null;
  const Icon = growth === 0 ? IconArrowRight : growth > 0 ? IconArrowUpRight : IconArrowDownRight;
  const mood = growth === 0 ? 'even' : growth > 0 === moreIsGood ? 'good' : 'bad';
  return (
    <Text component="span" fz="sm" className={classes['trend'] ?? ''} data-mood={mood}>
      <Icon size={16} stroke={2.2} aria-hidden />
      <span>
        <strong className="tabular">{percent.format(growth)}</strong> {comparison}
      </span>
    </Text>
  );
}
