import { Anchor } from '@mantine/core';
import { IconFileInvoice } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { RecordAmount } from '#client/features/tax-records/display/record-amount.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { PaymentDate } from '#client/features/tax-records/display/user-records/record-row.tsx';
import { recordLabel, recordTitle, statusLabel } from '#client/features/tax-records/display/record-labels.ts';
import { StatusBadge } from '#client/features/tax-records/display/status-badge.tsx';
import { VerificationMark } from '#client/features/tax-records/display/verification/verification-mark.tsx';
import { formatRupiah, SERVER_TIME_ZONE, showDateShort, today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import type { RecordCard, RecordCardFields } from '#shared/api/tax-records/record-card.ts';
import type { Message } from '#shared/api/chat/chat.ts';
import { statusLabels } from '#shared/labels.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import classes from './record-card.module.css';
import type { CardRecord } from './records/card-record.ts';
import { useCurrentRecord } from './records/use-current-record.ts';

const dueText = (date: string | null): string =>
  date === null ? 'tanpa jatuh tempo' : `jatuh tempo ${showDateShort(date)}`;

/** '3 Agu 10.42', with the year where it is another one. */
function showMoment(iso: string): string {
  const day = showDateShort(iso).replace(new RegExp(` ${yearOf(today())}$`), '');
  return `${day} ${formatTime(iso, SERVER_TIME_ZONE)}`;
}

type Shown = Pick<RecordCardFields, 'status' | 'amount' | 'due_date'>;

/** Lists the values that have changed since the card was sent; null while all are the same (R-CARD-12). */
function describeChange(
  before: Shown,
  now: Shown & Pick<RecordCardFields, 'updated_at'>,
): { before: string; now: string; at: string } | null {
  const pairs = [
    [statusLabel(before.status), statusLabel(now.status)],
    [formatRupiah(before.amount), formatRupiah(now.amount)],
    [dueText(before.due_date), dueText(now.due_date)],
  ].filter(([then, current]) => then !== current);
  if (pairs.length === 0) return null;
  const [then, current] = [pairs.map((pair) => pair[0]), pairs.map((pair) => pair[1])];
  return { before: then.join(', '), now: current.join(', '), at: showMoment(now.updated_at) };
}

type Props = {
  card: RecordCard;
  message: Pick<Message, 'user_id'>;
};

/** The record that a message carries, as it is now (R-CARD-10). */
export function RecordCardView({ card, message }: Props) {
  return <LiveRecordCard id={card.id} now={card.now} before={card.then} userId={message.user_id} />;
}

type LiveProps = {
  id: string;
  now: RecordCard['now'];
  /** The record when the message was sent; null for a card that is in no message. */
  before: RecordCard['then'] | null;
  userId: string;
};

export function LiveRecordCard({ id, now, before, userId }: LiveProps) {
  const record = useCurrentRecord(id, now, userId);
  if (record) return <CurrentCard record={record} before={before} />;
  const known = before ?? now;
  return known && <DeletedCard known={known} wasSent={before !== null} />;
}

function CurrentCard({ record, before }: { record: CardRecord; before: RecordCard['then'] | null }) {
  const isAdmin = useSession()?.user?.is_admin === true;
  const change = before && describeChange(before, record);
  return (
    <section
      className={classes['card']}
      aria-label={`Data PBB ${record.year}`}
      data-record-card={record.id}
      // For the button that marks it as paid, which gives the focus to the link of its row.
      data-row
    >
      <CardTitle>
        <Anchor
          component={Link}
          to={isAdmin ? paths.adminRecord(record.id) : paths.record(record.id)}
          className={classes['link'] ?? ''}
          aria-label={`Buka data PBB ${recordLabel(record)}`}
        >
          {recordTitle(record)}
        </Anchor>
      </CardTitle>
      <span className={`${classes['number']} tabular`}>
        PBB {record.year} · {formatSptNumber(record.spt_number)}
      </span>
      <RecordAmount record={record} className={classes['amount'] ?? ''} />
      <span className={classes['state']}>
        <StatusBadge status={record.status} />
        <span className="tabular">
          <PaymentDate record={record} />
        </span>
      </span>
      <VerificationMark record={record} scope={isAdmin ? 'admin' : 'own'} />
      <output className={classes['change']}>
        {change === null ? null : (
          <>
            Saat dikirim: {change.before} → kini {change.now} ({change.at})
          </>
        )}
      </output>
      {isAdmin ? <AdminActions record={record} /> : null}
    </section>
  );
}

function DeletedCard({ known, wasSent }: { known: RecordCard['then']; wasSent: boolean }) {
  return (
    <section className={classes['card']} aria-label={`Data PBB ${known.year}`} data-deleted>
      <CardTitle>{recordTitle(known)}</CardTitle>
      <span className={`${classes['number']} tabular`}>
        PBB {known.year} · {formatSptNumber(known.spt_number)}
      </span>
      <strong className={classes['deleted']}>Data sudah dihapus</strong>
      <span className={classes['change']}>
        {wasSent ? 'Saat dikirim' : 'Sebelumnya'}: {statusLabels[known.status]}, {formatRupiah(known.amount)}
      </span>
    </section>
  );
}

function CardTitle({ children }: { children: ReactNode }) {
  return (
    <span className={classes['title']}>
      <IconFileInvoice size={20} aria-hidden />
      {children}
    </span>
  );
}

const loadActions = async () => (await import('./card-actions.tsx')).CardActions;

/** Loaded on their own: users never need them. */
function AdminActions({ record }: { record: CardRecord }) {
  const { Component } = useLazyComponent(loadActions, { delayMs: 0 });
  return <div className={`${classes['actions']} no-print`}>{Component ? <Component record={record} /> : null}</div>;
}
