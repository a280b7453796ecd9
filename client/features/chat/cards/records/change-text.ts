import { formatRupiah, SERVER_TIME_ZONE, showDateShort, today } from '#client/lib/format.ts';
import { statusLabel } from '#client/features/tax-records/display/record-labels.ts';
import type { RecordCardFields } from '#shared/api/record-card.ts';
import { formatTime } from '#shared/domain/date-labels.ts';
import { yearOf } from '#shared/domain/dates.ts';

const dueText = (date: string | null): string =>
  date === null ? 'tanpa jatuh tempo' : `jatuh tempo ${showDateShort(date)}`;

/** '3 Agu 10.42', with the year where it is another one. */
function showMoment(iso: string): string {
  const day = showDateShort(iso).replace(new RegExp(` ${yearOf(today())}$`), '');
  return `${day} ${formatTime(iso, SERVER_TIME_ZONE)}`;
}

type Shown = Pick<RecordCardFields, 'status' | 'amount' | 'due_date'>;

/** What a card said at the moment of sending and says otherwise now; null while all is the same (R-CARD-12). */
export function describeChange(
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
