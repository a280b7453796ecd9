import { formatDate } from '#shared/domain/dates/date-labels.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { officeHoursText } from '#shared/domain/office/office-days.ts';
import { isOverdue } from '#shared/domain/tax-records/overdue.ts';
import type { ReplyVariable } from '#shared/domain/reply-template.ts';
import { formatRupiah, senToRupiah } from '#shared/domain/money/rupiah.ts';
import { ESTIMATE_LABEL, estimatedPartText } from '#shared/rollover-texts.ts';
import type { OfficeHoursRow } from '#server/office/office-queries.ts';
import type { UnpaidRecord } from './queries.ts';

export type ReplySubject = {
  userName: string;
  adminName: string;
  /** In the order of the list. */
  unpaid: readonly UnpaidRecord[];
  officeHours: OfficeHoursRow | undefined;
  /** 'yyyy-mm-dd' in the server's time zone. */
  today: string;
};

/** A message is plain text that people copy and search, so its amounts have an ordinary space. */
const rupiahText = (sen: bigint): string => formatRupiah(senToRupiah(Number(sen))).replaceAll('\u00A0', ' ');
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const dateText = (date: string): string => formatDate(date, 'UTC');

function recordLine({ year, sptNumber, amountSen, amountSource, dueDate }: UnpaidRecord): string {
  const estimate = amountSource === 'estimate' ? ` ${ESTIMATE_LABEL}` : '';
  const due = dueDate === null ? '' : `, jatuh tempo ${dateText(dueDate)}`;
  return `- PBB ${year}, No. SPT ${onOneLine(formatSptNumber(sptNumber))}: ${rupiahText(BigInt(amountSen))}${estimate}${due}`;
}

const sumOf = (records: readonly UnpaidRecord[]): bigint =>
  records.reduce((sum, { amountSen }) => sum + BigInt(amountSen), 0n);

function overdueText(overdue: readonly UnpaidRecord[]): string {
  const estimated = overdue.filter(({ amountSource }) => amountSource === 'estimate');
  const part = estimatedPartText({ count: estimated.length, amount: senToRupiah(Number(sumOf(estimated))) });
  return [rupiahText(sumOf(overdue)), part?.replaceAll('\u00A0', ' ')].filter(Boolean).join(', ');
}

/** The values of the variables for one user; null has no value (R-REPLY-4). */
export function replyValues({
  userName,
  adminName,
  unpaid,
  officeHours,
  today,
}: ReplySubject): Record<ReplyVariable, string | null> {
  const overdue = unpaid.filter((record) => isOverdue(record, today));
  const dueDates = unpaid.flatMap(({ dueDate }) => (dueDate !== null && dueDate >= today ? dueDate : []));
  const nextDueDate = dueDates.reduce<string | null>((min, date) => (min === null || date < min ? date : min), null);
  const name = onOneLine(userName);
  return {
    nama: name,
    nama_depan: name.split(' ')[0] ?? name,
    // Summed exactly: doubles round a sum of many large amounts.
    jumlah_tunggakan: overdueText(overdue),
    daftar_tunggakan: overdue.length === 0 ? null : overdue.map(recordLine).join('\n'),
    jatuh_tempo_terdekat: nextDueDate === null ? null : dateText(nextDueDate),
    admin: onOneLine(adminName),
    jam_layanan: officeHours ? officeHoursText(officeHours.days) : null,
  };
}
