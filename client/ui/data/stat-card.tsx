import { Paper, Skeleton, ThemeIcon } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Money } from './money.tsx';
import classes from './stat-card.module.css';

type CardsProps = {
  /** The number of cards side by side on a wide screen and on paper. */
  columns: 2 | 4 | 5;
  label?: string;
  className?: string | undefined;
  children: ReactNode;
};

/** A grid of `StatCard`s. */
export function StatCards({ columns, label, className = '', children }: CardsProps) {
  return (
    <dl className={`${classes['cards']} ${className}`} data-columns={columns} aria-label={label}>
      {children}
    </dl>
  );
}

type Props = {
  label: string;
  /** The list that the number counts. */
  to?: string | undefined;
  value?: ReactNode;
  /** In rupiah, in place of `value`; its letters get smaller in a narrow card. */
  amount?: number;
  /** A line below, such as a count. */
  hint?: ReactNode;
  /** A second line. */
  note?: ReactNode;
  icon?: TablerIcon;
  color?: 'laut' | 'green' | 'red' | 'yellow' | 'gray';
  isAlert?: boolean;
  /** Shows a skeleton of the same height, so that the page does not jump when the number is loaded. */
  loading?: boolean;
};

/** One number with its name. */
export function StatCard({
  label,
  to,
  value,
  amount,
  hint,
  note,
  icon: Icon,
  color = 'laut',
  isAlert = false,
  loading = false,
}: Props) {
  return (
    <Paper withBorder p="md" className={classes['card']} data-alert={isAlert || undefined} aria-busy={loading}>
      <dt>
        {to === undefined ? label : <Link to={to}>{label}</Link>}
        {Icon ? (
          <ThemeIcon size="2.125rem" variant="light" color={color} className={classes['icon'] ?? ''} aria-hidden>
            <Icon size="1.1875rem" />
          </ThemeIcon>
        ) : null}
      </dt>
      <dd className="tabular" data-amount={amount !== undefined || undefined}>
        {loading ? <Skeleton height={24} width="7rem" maw="100%" my={4} /> : null}
        {loading ? null : amount === undefined ? value : <Money amount={amount} />}
      </dd>
      {hint === undefined ? null : (
        <dd className={classes['hint']}>{loading ? <Skeleton height={14} width="7rem" maw="100%" my={4} /> : hint}</dd>
      )}
      {note && !loading ? <dd className={classes['hint']}>{note}</dd> : null}
    </Paper>
  );
}
