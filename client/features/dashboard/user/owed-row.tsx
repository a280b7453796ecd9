import { Skeleton, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCalendarDue, IconChevronRight, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatNumber, showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { OwnStatistics } from '#shared/api/tax-records.ts';
import classes from './owed-row.module.css';

const bills = (count: number) => `${formatNumber(count)} tagihan`;

const kinds = {
  overdue: { Icon: IconAlertTriangle, color: 'red' },
  dueSoon: { Icon: IconCalendarDue, color: 'yellow' },
  none: { Icon: IconCircleCheck, color: 'green' },
} as const;

type Owed = {
  kind: keyof typeof kinds;
  text: string;
  /** The oldest due date of what is overdue. */
  since: string | null;
  amount: number | null;
  /** Where the bills are: the list, or the record itself when there is only one. */
  link: { to: string; label: string } | null;
};

/** What is to be paid first: what is overdue, else what is due soon. */
function findOwed(statistics: OwnStatistics): Owed {
  const { outstanding_records: overdue, outstanding_record_id: overdueId, due_soon: soon } = statistics;
  if (overdue > 0) {
    const to = overdueId === null ? paths.recordsShown('tunggakan') : paths.record(overdueId);
    const { outstanding_since: since, outstanding_amount: amount } = statistics;
    const link = { to, label: 'Lihat tunggakan' };
    return { kind: 'overdue', text: `${bills(overdue)} menunggak`, since, amount, link };
  }
  if (soon.records > 0) {
    const date = showDateShort(soon.due_date);
    const text =
      soon.records === 1 ? `1 tagihan jatuh tempo ${date}` : `${bills(soon.records)} segera jatuh tempo, mulai ${date}`;
    const to = soon.record_id === null ? paths.recordsShown('belum-lunas') : paths.record(soon.record_id);
    return { kind: 'dueSoon', text, since: null, amount: soon.amount, link: { to, label: 'Lihat tagihan' } };
  }
  const text = statistics.unpaid_records > 0 ? 'Tidak ada tagihan yang menunggak' : 'Semua tagihan sudah lunas';
  return { kind: 'none', text, since: null, amount: null, link: null };
}

/** What the user owes, with one press to it (R-STAT-11). */
export function OwedRow({ statistics, loading }: { statistics: OwnStatistics | undefined; loading: boolean }) {
  if (loading) return <Skeleton className={classes['skeleton']} aria-hidden />;
  if (!statistics) return null;
  const { kind, text, since, amount, link } = findOwed(statistics);
  const { Icon, color } = kinds[kind];
  const content = (
    <>
      <ThemeIcon size={36} variant="transparent" color={color} className={classes['icon'] ?? ''} aria-hidden>
        <Icon size={24} />
      </ThemeIcon>
      <span className={classes['body']}>
        <Text component="span" fw={600} className={classes['text'] ?? ''}>
          {text}
          {since === null ? null : (
            <>
              {' '}
              <span className={classes['since']}>sejak {showDateShort(since)}</span>
            </>
          )}
        </Text>
        {amount === null ? null : (
          <Text component="span" fw={700} fz="lg">
            <Money amount={amount} />
          </Text>
        )}
        {link ? (
          <span className={classes['act']}>
            {link.label} <IconChevronRight size={18} aria-hidden />
          </span>
        ) : null}
      </span>
    </>
  );
  return (
    <section aria-label="Tagihan" className={classes['section']}>
      {link ? (
        <Link to={link.to} className={classes['row']} data-kind={kind}>
          {content}
        </Link>
      ) : (
        <div className={classes['row']} data-kind={kind}>
          {content}
        </div>
      )}
    </section>
  );
}
