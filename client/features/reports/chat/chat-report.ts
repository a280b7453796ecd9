import { currentLetterhead } from '#client/exports/current-letterhead.ts';
import type { ReportCell, ReportColumn, ReportDocument } from '#client/exports/report-document.ts';
import { formatNumber, showDate, showDateTime } from '#client/lib/format.ts';
import type { ChatStatistics } from '#shared/api/office.ts';
import { waitLabel, waitMinutes } from './wait-label.ts';

export const CHAT_REPORT_TITLE = 'Laporan Layanan Chat';

type Waits = Pick<ChatStatistics['admins'][number], 'answered' | 'median_ms' | 'p90_ms' | 'longest_wait_ms'>;

/** The days on which something happened. */
export const busyDays = ({ days }: ChatStatistics): ChatStatistics['days'] =>
  days.filter(({ incoming, answered }) => incoming + answered > 0);

/** What a period that is too large leaves out (docs/requirements.md R-OFFICE-9); null when nothing is. */
export function leftOutText({ admins, admins_by_day: isByDayLeftOut }: ChatStatistics['left_out']): string | null {
  if (!isByDayLeftOut) return null;
  const fewest = admins > 0 ? `${formatNumber(admins)} admin dengan balasan paling sedikit dan ` : '';
  return `${fewest}angka tiap admin per hari`;
}

/** Who waits now, whatever the period. */
export function waitingText(waiting: ChatStatistics['waiting']): string {
  if (waiting === null) return 'tidak ada';
  return `${formatNumber(waiting.count)} warga, terlama ${waitLabel(waiting.longest_ms)}`;
}

export function chatReportHeader(
  userName: string,
  nowMs: number,
  { from, to }: ChatStatistics['period'],
  waiting?: ChatStatistics['waiting'],
): Pick<ReportDocument, 'letterhead' | 'details' | 'printedAt'> {
  return {
    letterhead: currentLetterhead(),
    details: [
      ...(waiting === undefined ? [] : [{ label: 'Masih menunggu', value: waitingText(waiting) }]),
      { label: 'Periode', value: `${showDate(from)} – ${showDate(to)}` },
      { label: 'Lama tunggu', value: 'dalam jam buka, sampai balasan pertama' },
      { label: 'Dibuat oleh', value: userName },
    ],
    printedAt: showDateTime(new Date(nowMs).toISOString()),
  };
}

const waitColumns: ReportColumn[] = [
  { header: 'Dibalas', kind: 'integer', width: 12 },
  { header: 'Separuh dijawab dalam (menit)', kind: 'integer', width: 26 },
  { header: '9 dari 10 dijawab dalam (menit)', kind: 'integer', width: 26 },
  { header: 'Terlama (menit)', kind: 'integer', width: 18 },
];

/** A row: what stands before the waits, and the waits. */
const row = (before: ReportCell[], { answered, median_ms, p90_ms, longest_wait_ms }: Waits): ReportCell[] => [
  ...before,
  answered,
  waitMinutes(median_ms),
  waitMinutes(p90_ms),
  waitMinutes(longest_wait_ms),
];

/** The page as a document for .xlsx and .pdf. */
export function chatReport(statistics: ChatStatistics, userName: string, nowMs: number): ReportDocument {
  const { period, total, admins, longest_wait_ms } = statistics;
  const days = busyDays(statistics);
  const all = { ...total, longest_wait_ms };
  const header = chatReportHeader(userName, nowMs, period, statistics.waiting);
  const leftOut = leftOutText(statistics.left_out);
  return {
    title: CHAT_REPORT_TITLE,
    ...header,
    details: [...header.details, ...(leftOut === null ? [] : [{ label: 'Tidak termasuk', value: leftOut }])],
    fileName: `layanan-chat_${period.from}_${period.to}`,
    sections: [
      {
        heading: 'Per Hari',
        columns: [
          { header: 'Tanggal', kind: 'date', width: 24 },
          { header: 'Pesan masuk', kind: 'integer', width: 16 },
          ...waitColumns,
        ],
        rows: days.map((day) => row([day.date, day.incoming], day)),
        ...(days.length > 0 && { totals: row(['Seluruh periode', total.incoming], all) }),
      },
      {
        heading: 'Per Admin',
        columns: [{ header: 'Admin', kind: 'text', width: 30 }, ...waitColumns],
        rows: admins.map((admin) => row([admin.name], admin)),
      },
      {
        heading: 'Per Hari dan Admin',
        columns: [
          { header: 'Tanggal', kind: 'date', width: 24 },
          { header: 'Admin', kind: 'text', width: 30 },
          ...waitColumns,
        ],
        rows: days.flatMap(({ date, admins: ofDay }) => ofDay.map((admin) => row([date, admin.name], admin))),
      },
    ],
  };
}
