import { Skeleton, Text, ThemeIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCalendarDue,
  IconChevronRight,
  IconCircleCheck,
  IconCircleX,
  IconHourglass,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatNumber, showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { OwnStatistics } from '#shared/api/tax-records/statistics.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import classes from './owed-row.module.css';

const bills = (count: number) => `${formatNumber(count)} tagihan`;

const kinds = {
  overdue: { Icon: IconAlertTriangle, color: 'red' },
  dueSoon: { Icon: IconCalendarDue, color: 'yellow' },
  claimed: { Icon: IconHourglass, color: 'gray' },
  none: { Icon: IconCircleCheck, color: 'green' },
  rejected: { Icon: IconCircleX, color: 'yellow' },
} as const;

type RowContent = {
  kind: keyof typeof kinds;
  text: string;
  /** The oldest due date of what is overdue. */
  since: string | null;
  amount: number | null;
  /** Which part of the amount nobody has confirmed. */
  estimated?: string | null;
  /** The page with the bills: the list, or the record itself when there is only one. */
  link: { to: string; label: string } | null;
};

/** The bills to pay first: the overdue ones, else those due soon. */
function findOwed(statistics: OwnStatistics): RowContent {
  const { outstanding_records: overdue, outstanding_record_id: overdueId, due_soon: soon } = statistics;
  if (overdue > 0) {
    const to = overdueId === null ? paths.recordsShown('tunggakan') : paths.record(overdueId);
    const { outstanding_since: since, outstanding_amount: amount } = statistics;
    const link = { to, label: 'Lihat tunggakan' };
    const estimated = estimatedText(statistics.outstanding_estimated);
    return { kind: 'overdue', text: `${bills(overdue)} menunggak`, since, amount, estimated, link };
  }
  if (soon.records > 0) {
    const date = showDateShort(soon.due_date);
    const text =
      soon.records === 1 ? `1 tagihan jatuh tempo ${date}` : `${bills(soon.records)} segera jatuh tempo, mulai ${date}`;
    const to = soon.record_id === null ? paths.recordsShown('belum-lunas') : paths.record(soon.record_id);
    return { kind: 'dueSoon', text, since: null, amount: soon.amount, link: { to, label: 'Lihat tagihan' } };
  }
  const rest = { since: null, amount: null, link: null };
  if (statistics.unpaid_records > 0) return { kind: 'none', text: 'Tidak ada tagihan yang menunggak', ...rest };
  const { pending, outdated, rejected } = statistics.checked;
  const waiting = pending.count + outdated.count;
  // A payment that its owner reported is not yet one that the office knows (R-CHECK-30).
  const claimed = (count: number, what: string) =>
    ({ kind: 'claimed', text: `Anda melaporkan semuanya lunas; ${formatNumber(count)} ${what}`, ...rest }) as const;
  if (waiting > 0) return claimed(waiting, 'menunggu diperiksa kantor');
  if (rejected.count > 0) return claimed(rejected.count, 'ditolak kantor');
  return { kind: 'none', text: 'Semua tagihan sudah lunas', ...rest };
}

/** The proofs that the office rejected. They stand first, because the owner has to report again (R-CHECK-61). */
export function RejectedRow({ statistics }: { statistics: OwnStatistics | undefined }) {
  if (!statistics || statistics.rejected_records === 0) return null;
  const { rejected_records: count, rejected_record_id: id } = statistics;
  const to = id === null ? paths.recordsShown('ditolak') : paths.record(id);
  const text = `${formatNumber(count)} bukti ditolak kantor`;
  return (
    <Row
      name="Bukti ditolak"
      content={{ kind: 'rejected', text, since: null, amount: null, link: { to, label: 'Lihat' } }}
    />
  );
}

/** The bills that the user has to pay, with a link to them (R-STAT-11). */
export function OwedRow({ statistics, loading }: { statistics: OwnStatistics | undefined; loading: boolean }) {
  if (loading) return <Skeleton className={classes['skeleton']} aria-hidden />;
  if (!statistics) return null;
  return <Row name="Tagihan" content={findOwed(statistics)} />;
}

function Row({ name, content: { kind, text, since, amount, estimated, link } }: { name: string; content: RowContent }) {
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
        {estimated ? (
          <Text component="span" c="dimmed" fz="sm">
            {estimated}
          </Text>
        ) : null}
        {link ? (
          <span className={classes['act']}>
            {link.label} <IconChevronRight size={18} aria-hidden />
          </span>
        ) : null}
      </span>
    </>
  );
  return (
    <section aria-label={name} className={classes['section']}>
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
