import { currentLetterhead } from '#client/exports/current-letterhead.ts';
import type { ReportCell, ReportDocument } from '#client/exports/report-document.ts';
import { formatNumber, SERVER_TIME_ZONE, showDateShort, showDateTime, today } from '#client/lib/format.ts';
import type { AuditEntry } from '#shared/api/audit.ts';
import { formatTime } from '#shared/domain/date-labels.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { auditActionLabels } from './action-labels.ts';
import {
  auditFieldLabel,
  automaticPhrase,
  checkSentence,
  formatAuditValue,
  isCreationOrDeletion,
  relevantChanges,
} from './display/audit-labels.ts';
import type { AuditFilter } from './use-audit-params.ts';

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

export function auditRow(entry: AuditEntry): ReportCell[] {
  return [
    todayIn(SERVER_TIME_ZONE, Date.parse(entry.created_at)),
    formatTime(entry.created_at, SERVER_TIME_ZONE),
    entry.actor.name,
    roleText(entry),
    auditActionLabels[entry.action],
    entry.subject.label,
    changesText(entry),
  ];
}

function filterDetails({ search, action, from, to }: AuditFilter): ReportDocument['details'] {
  return [
    ...(search ? [{ label: 'Pencarian', value: search }] : []),
    ...(action ? [{ label: 'Tindakan', value: auditActionLabels[action] }] : []),
    ...(from ? [{ label: 'Dari tanggal', value: showDateShort(from) }] : []),
    ...(to ? [{ label: 'Sampai tanggal', value: showDateShort(to) }] : []),
  ];
}

/** The audit as a document; its rows come before, from `auditRow`. */
export function auditReport(
  filter: AuditFilter,
  { count, userName, nowMs }: { count: number; userName: string; nowMs: number },
): ReportDocument {
  return {
    title: 'Riwayat Perubahan',
    letterhead: currentLetterhead(),
    details: [
      ...filterDetails(filter),
      { label: 'Jumlah perubahan', value: formatNumber(count) },
      { label: 'Dibuat oleh', value: userName },
    ],
    printedAt: showDateTime(new Date(nowMs).toISOString()),
    fileName: `riwayat-perubahan_${today()}`,
    orientation: 'landscape',
    sections: [
      {
        heading: 'Riwayat Perubahan',
        columns: [
          { header: 'Tanggal', kind: 'date', width: 18 },
          { header: 'Jam', kind: 'text', width: 8 },
          { header: 'Pelaku', kind: 'text', width: 22 },
          { header: 'Peran', kind: 'text', width: 10 },
          { header: 'Tindakan', kind: 'text', width: 24 },
          { header: 'Tentang', kind: 'text', width: 36 },
          { header: 'Perubahan', kind: 'text', width: 70 },
        ],
        rows: [],
      },
    ],
  };
}
