import type { ReportCell, ReportDocument } from '#client/exports/report-document.ts';
import { reportHead } from '#client/exports/report-head.ts';
import { rowCells, type TableColumn, tableSection } from '#client/exports/report-table.ts';
import { formatNumber, SERVER_TIME_ZONE, showDateShort, today } from '#client/lib/format.ts';
import type { AuditEntry } from '#shared/api/audit.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { type AuditFilter, auditActionLabels } from './audit-filter.ts';
import {
  auditFieldLabel,
  automaticPhrase,
  checkSentence,
  formatAuditValue,
  isCreationOrDeletion,
  relevantChanges,
} from './display/audit-labels.ts';

function changesText(entry: AuditEntry): string {
  const check = checkSentence(entry);
  if (check !== null) return check;
  const hasOneValue = isCreationOrDeletion(entry);
  return relevantChanges(entry)
    .map(({ field, from, to }) =>
      hasOneValue
        ? `${auditFieldLabel(field)}: ${formatAuditValue(field, from ?? to)}`
        : `${auditFieldLabel(field)}: ${formatAuditValue(field, from)} → ${formatAuditValue(field, to)}`,
    )
    .join('; ');
}

function roleText(entry: AuditEntry): string {
  if (automaticPhrase(entry) !== null) return '-';
  return entry.actor.role === 'admin' ? 'Admin' : 'Warga';
}

const columns: readonly TableColumn<AuditEntry>[] = [
  {
    header: 'Tanggal',
    kind: 'date',
    width: 18,
    value: ({ created_at }) => todayIn(SERVER_TIME_ZONE, Date.parse(created_at)),
  },
  { header: 'Jam', kind: 'text', width: 8, value: ({ created_at }) => formatTime(created_at, SERVER_TIME_ZONE) },
  { header: 'Pelaku', kind: 'text', width: 22, value: ({ actor }) => actor.name },
  { header: 'Peran', kind: 'text', width: 10, value: roleText },
  { header: 'Tindakan', kind: 'text', width: 24, value: ({ action }) => auditActionLabels[action] },
  { header: 'Tentang', kind: 'text', width: 36, value: ({ subject }) => emailText(subject.label) },
  { header: 'Perubahan', kind: 'text', width: 70, value: changesText },
];

export const auditRows = (entries: readonly AuditEntry[]): ReportCell[][] =>
  entries.map((entry) => rowCells(columns, entry));

function filterDetails({ search, action, from, to }: AuditFilter): ReportDocument['details'] {
  return [
    ...(search ? [{ label: 'Pencarian', value: search }] : []),
    ...(action ? [{ label: 'Tindakan', value: auditActionLabels[action] }] : []),
    ...(from ? [{ label: 'Dari tanggal', value: showDateShort(from) }] : []),
    ...(to ? [{ label: 'Sampai tanggal', value: showDateShort(to) }] : []),
  ];
}

/** The audit as a document; its rows come before, from `auditRows`. */
export function auditReport(
  filter: AuditFilter,
  { count, userName, nowMs }: { count: number; userName: string; nowMs: number },
): ReportDocument {
  return {
    title: 'Riwayat Perubahan',
    ...reportHead(
      [
        ...filterDetails(filter),
        { label: 'Jumlah perubahan', value: formatNumber(count) },
        { label: 'Dibuat oleh', value: userName },
      ],
      nowMs,
    ),
    fileName: `riwayat-perubahan_${today()}`,
    orientation: 'landscape',
    sections: [tableSection({ heading: 'Riwayat Perubahan', columns, rows: [] })],
  };
}
