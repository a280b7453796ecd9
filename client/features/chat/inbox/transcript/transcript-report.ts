import { groupBy } from '#client/lib/group-by.ts';
import type { ReportDocument } from '#client/exports/report-document.ts';
import { reportHead } from '#client/exports/report-head.ts';
import { type TableColumn, tableSection } from '#client/exports/report-table.ts';
import { formatDateRange, formatNumber, SERVER_TIME_ZONE, showDate, today } from '#client/lib/format.ts';
import type { Message } from '#shared/api/chat/chat.ts';
import type { Transcript } from '#shared/api/chat/inbox.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { transcriptText } from '#shared/transcript-text.ts';

/** Dates of a period; '' is open. */
export type TranscriptPeriod = { from: string; to: string };

export type TranscriptDay = { date: string; heading: string; messages: Message[] };

const weekdays = new Intl.DateTimeFormat('id-ID', { weekday: 'long', timeZone: 'UTC' });

/** The messages of a transcript by calendar day. */
export function daysOf(messages: readonly Message[]): TranscriptDay[] {
  const byDate = groupBy(messages, ({ createdAt }) => todayIn(SERVER_TIME_ZONE, Date.parse(createdAt)));
  return [...byDate].map(([date, found]) => ({
    date,
    heading: `${weekdays.format(Date.parse(date))}, ${showDate(date)}`,
    messages: found,
  }));
}

export const timeOf = ({ createdAt }: Message): string => formatTime(createdAt, SERVER_TIME_ZONE);
export const senderOf = ({ sender_name, from_admin }: Message): string =>
  from_admin ? `${sender_name} (admin)` : sender_name;

function periodText({ from, to }: TranscriptPeriod): string {
  if (from && to) return formatDateRange({ fromDate: from, toDate: to });
  if (from) return `Sejak ${showDate(from)}`;
  return to ? `Sampai ${showDate(to)}` : 'Semua pesan';
}

/** As part of a file name on every system. */
const filePart = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();

type About = { period: TranscriptPeriod; printedBy: string; nowMs: number };

/** The letterhead and what the transcript covers, for print and PDF. */
export function transcriptHead({ user, messages, omitted }: Transcript, { period, printedBy, nowMs }: About) {
  return {
    title: 'Percakapan',
    ...reportHead(
      [
        { label: 'Warga', value: emailText(`${user.name} (${user.email})`) },
        { label: 'Periode', value: periodText(period) },
        { label: 'Jumlah pesan', value: formatNumber(messages.length) },
        ...(omitted > 0
          ? [{ label: 'Tidak ikut', value: `${formatNumber(omitted)} pesan terlama, karena terlalu banyak` }]
          : []),
        { label: 'Dicetak oleh', value: printedBy },
      ],
      nowMs,
    ),
  };
}

const columns: readonly TableColumn<Message>[] = [
  { header: 'Pukul', kind: 'text', width: 8, value: timeOf },
  { header: 'Dari', kind: 'text', width: 24, value: senderOf },
  { header: 'Pesan', kind: 'text', width: 68, value: transcriptText },
];

/** The PDF of a conversation: one table for each day. */
export function transcriptReport(transcript: Transcript, about: About): ReportDocument {
  const days = daysOf(transcript.messages);
  const shown = days.length === 0 ? [{ heading: 'Percakapan', messages: [] }] : days;
  return {
    ...transcriptHead(transcript, about),
    fileName: ['percakapan', filePart(transcript.user.name), today()].filter(Boolean).join('_'),
    sections: shown.map(({ heading, messages }) => tableSection({ heading, columns, rows: messages })),
  };
}
