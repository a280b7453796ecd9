import { Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react';
import { growthRate } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';

const percent = new Intl.NumberFormat('id-ID', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

type Props = {
  current: number;
  previous: number | undefined;
  /** What it is compared with, as in 'dari bulan lalu'. */
  comparison: string;
  /** Whether more is good news; false for what is still owed. */
  moreIsGood?: boolean;
};

/** How a figure moved against the period before; nothing where there is nothing to compare with (contract 6). */
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
