import type { ReportDocument } from '#client/exports/report-document.ts';
import { type ReportHead, reportHead } from '#client/exports/report-head.ts';
import { tableSection } from '#client/exports/report-table.ts';
import { formatNumber, showDate, showDateShort } from '#client/lib/format.ts';
import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import type { ReportTable, ReportTableColumn, TableBar } from '../table/report-table.ts';
import { axisMs, waitLabel, waitMinutes } from './wait-label.ts';

export const CHAT_REPORT_TITLE = 'Laporan Layanan Chat';

type Waits = Pick<ChatStatistics['admins'][number], 'answered' | 'median_ms' | 'p90_ms' | 'longest_wait_ms'>;

/** The days on which something happened. */
export const busyDays = ({ days }: ChatStatistics): ChatStatistics['days'] =>
  days.filter(({ incoming, answered }) => incoming + answered > 0);

/** The figures that too large a period leaves out (docs/requirements.md R-OFFICE-9); null when it leaves out none. */
export function leftOutText({ admins, admins_by_day: isByDayLeftOut }: ChatStatistics['left_out']): string | null {
  if (!isByDayLeftOut) return null;
  const fewest = admins > 0 ? `${formatNumber(admins)} admin dengan balasan paling sedikit dan ` : '';
  return `${fewest}angka tiap admin per hari`;
}

/** The users who wait now. The chosen period has no effect on them. */
export function waitingText(waiting: ChatStatistics['waiting']): string {
  if (waiting === null) return 'tidak ada';
  return `${formatNumber(waiting.count)} warga, terlama ${waitLabel(waiting.longest_ms)}`;
}

export function chatReportHead(
  userName: string,
  nowMs: number,
  { from, to }: ChatStatistics['period'],
  waiting?: ChatStatistics['waiting'],
): ReportHead {
  return reportHead(
    [
      ...(waiting === undefined ? [] : [{ label: 'Masih menunggu', value: waitingText(waiting) }]),
      { label: 'Periode', value: `${showDate(from)} – ${showDate(to)}` },
      { label: 'Lama tunggu', value: 'dalam jam buka, sampai balasan pertama' },
      { label: 'Dibuat oleh', value: userName },
    ],
    nowMs,
  );
}

/** A wait is text on the screen and minutes in a file. */
const waitColumns: readonly ReportTableColumn<Waits>[] = [
  { header: 'Dibalas', kind: 'integer', width: 12, value: ({ answered }) => answered },
  {
    header: 'Separuh dijawab dalam (menit)',
    screenHeader: 'Separuh dijawab dalam',
    kind: 'integer',
    width: 26,
    value: ({ median_ms }) => waitMinutes(median_ms),
    screenText: ({ median_ms }) => waitLabel(median_ms),
  },
  {
    header: '9 dari 10 dijawab dalam (menit)',
    screenHeader: '9 dari 10 dijawab dalam',
    kind: 'integer',
    width: 26,
    value: ({ p90_ms }) => waitMinutes(p90_ms),
    screenText: ({ p90_ms }) => waitLabel(p90_ms),
  },
  {
    header: 'Terlama (menit)',
    screenHeader: 'Terlama',
    kind: 'integer',
    width: 18,
    value: ({ longest_wait_ms }) => waitMinutes(longest_wait_ms),
    screenText: ({ longest_wait_ms }) => waitLabel(longest_wait_ms),
  },
];

type DayRow = Waits & { date: string; incoming: number };

export function dayTable(statistics: ChatStatistics): ReportTable<DayRow> {
  const { total, longest_wait_ms } = statistics;
  return {
    heading: 'Per Hari',
    columns: [
      {
        header: 'Tanggal',
        kind: 'date',
        width: 24,
        value: ({ date }) => date,
        screenText: ({ date }) => showDateShort(date),
      },
      { header: 'Pesan masuk', kind: 'integer', width: 16, value: ({ incoming }) => incoming },
      ...waitColumns,
    ],
    rows: busyDays(statistics),
    total: { label: 'Seluruh periode', row: { ...total, longest_wait_ms, date: '' } },
  };
}

export const adminTable = ({ admins }: ChatStatistics): ReportTable<Waits & { name: string }> => ({
  heading: 'Per Admin',
  columns: [{ header: 'Admin', kind: 'text', width: 30, value: ({ name }) => name }, ...waitColumns],
  rows: admins,
});

/** Only in files, because it is long. */
const dayAndAdminTable = (statistics: ChatStatistics): ReportTable<Waits & { date: string; name: string }> => ({
  heading: 'Per Hari dan Admin',
  columns: [
    { header: 'Tanggal', kind: 'date', width: 24, value: ({ date }) => date },
    { header: 'Admin', kind: 'text', width: 30, value: ({ name }) => name },
    ...waitColumns,
  ],
  rows: busyDays(statistics).flatMap(({ date, admins }) => admins.map((admin) => ({ ...admin, date }))),
});

/** Bars that are filled up to the median, and striped up to what nine of ten did not exceed. */
export function waitBar(rows: readonly Waits[]): TableBar<Waits> {
  const axis = axisMs(Math.max(0, ...rows.map(({ p90_ms }) => p90_ms ?? 0)));
  const percent = (ms: number | null): number => ((ms ?? 0) / axis) * 100;
  return {
    legend: [
      { part: 'median', text: 'Separuh dijawab dalam waktu ini' },
      { part: 'p90', text: '9 dari 10 dijawab dalam waktu ini' },
      { text: `Panjang penuh: ${waitLabel(axis)}` },
    ],
    parts: ({ median_ms, p90_ms }) => [
      { part: 'p90', from: 0, to: percent(p90_ms) },
      { part: 'median', from: 0, to: percent(median_ms) },
    ],
  };
}

/** The page as a document for .xlsx and .pdf. */
export function chatReport(statistics: ChatStatistics, userName: string, nowMs: number): ReportDocument {
  const { period, waiting, left_out } = statistics;
  const head = chatReportHead(userName, nowMs, period, waiting);
  const leftOut = leftOutText(left_out);
  return {
    title: CHAT_REPORT_TITLE,
    ...head,
    details: [...head.details, ...(leftOut === null ? [] : [{ label: 'Tidak termasuk', value: leftOut }])],
    fileName: `layanan-chat_${period.from}_${period.to}`,
    sections: [
      tableSection(dayTable(statistics)),
      tableSection(adminTable(statistics)),
      tableSection(dayAndAdminTable(statistics)),
    ],
  };
}
