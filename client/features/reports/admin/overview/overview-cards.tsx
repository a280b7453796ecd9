import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CheckedLine } from '#client/features/tax-records/display/checked-line.tsx';
import { formatNumber, today } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { ReportOverview } from '#shared/api/reports.ts';
import { UNPAID_LABEL } from '#shared/labels.ts';
import { comparedRanges, comparedWith } from './compared-with.ts';
import classes from './overview.module.css';

/** The four numbers of the report: received, the period before, unpaid and overdue (R-REPORT-13). */
export function OverviewCards({ overview }: { overview: ReportOverview | undefined }) {
  if (!overview) {
    return (
      <div className={classes['cards']} aria-hidden>
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} height={104} radius="md" />
        ))}
      </div>
    );
  }
  const { period, received, unpaid, overdue } = overview;
  const { previous } = received;
  const inPeriod = { payment_from: period.from, payment_to: period.to };
  const beforePeriod = { payment_from: previous.from, payment_to: previous.to };
  return (
    <dl className={classes['cards']} aria-label="Angka utama">
      <Card
        label="Diterima"
        hint={`${formatNumber(received.count)} pembayaran pada periode ini`}
        to={paths.adminRecordsWhere(inPeriod)}
        note={<CheckedLine checked={received.checked} where={inPeriod} />}
      >
        <Money amount={received.amount} />
      </Card>
      <Card
        label="Periode sebelumnya"
        hint={`${comparedWith(received.amount, previous.amount)} · ${comparedRanges(overview, today())}`}
        to={paths.adminRecordsWhere(beforePeriod)}
        note={<CheckedLine checked={previous.checked} where={beforePeriod} />}
      >
        <Money amount={previous.amount} />
      </Card>
      <Card
        label={UNPAID_LABEL}
        hint={`${formatNumber(unpaid.count)} data, per hari ini`}
        to={paths.adminRecordsWhere({ view: 'unpaid' })}
      >
        <Money amount={unpaid.amount} />
      </Card>
      <Card
        label="Tunggakan"
        hint={`${formatNumber(overdue.count)} data lewat jatuh tempo, per hari ini`}
        note={estimatedText(overdue.estimated)}
        to={paths.adminRecordsWhere({ view: 'overdue' })}
        isAlert={overdue.count > 0}
      >
        <Money amount={overdue.amount} />
      </Card>
    </dl>
  );
}

type CardProps = { label: string; hint: string; to: string; note?: ReactNode; isAlert?: boolean; children: ReactNode };

function Card({ label, hint, to, note, isAlert = false, children }: CardProps) {
  return (
    <div className={classes['card']} data-alert={isAlert || undefined}>
      <dt>
        <Link to={to}>{label}</Link>
      </dt>
      <dd>{children}</dd>
      <dd className={classes['hint']}>{hint}</dd>
      {note ? <dd className={classes['hint']}>{note}</dd> : null}
    </div>
  );
}
