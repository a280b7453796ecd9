import { exportReport } from '#client/exports/export-report.ts';
import { useExport } from '#client/exports/use-export.ts';
import { api } from '#client/lib/api/api.ts';
import { formatNumber } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session/session.ts';
import type { AuditEntry } from '#shared/api/audit.ts';
import { AUDIT_MAX } from '#shared/limits.ts';
import { auditReport, auditRows } from './audit-report.ts';
import type { AuditFilter } from './audit-filter.ts';

/** The server answers 200 entries a call, so more would be hundreds of calls. */
const ENTRIES_MAX = 20_000;

/** All entries that match, in parts. A new entry moves the others to later pages, and each comes once. */
async function* auditPages(
  filter: AuditFilter,
  signal: AbortSignal,
): AsyncGenerator<{ entries: AuditEntry[]; total: number }> {
  const ids = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { data, total, last_page } = await api.get('/admin/audit', {
      query: { ...filter, page, limit: AUDIT_MAX },
      signal,
    });
    const entries = data.filter(({ id }) => !ids.has(id));
    for (const { id } of entries) ids.add(id);
    yield { entries, total };
    if (page >= last_page || data.length === 0) return;
  }
}

/** Exports what the filter finds in the audit to Excel (R-SYS-4). */
export function useExportAudit() {
  const { run, busy, state, cancel } = useExport();
  const userName = useSession()?.user?.name ?? '-';

  function exportAudit(filter: AuditFilter): Promise<void> {
    return run({
      name: 'Excel',
      rowsMax: ENTRIES_MAX,
      failedText: 'Gagal mengekspor ke Excel',
      async run({ signal, onCollected, onMaking }) {
        let count = 0;
        await exportReport(
          'xlsx',
          async (addRows) => {
            for await (const { entries, total } of auditPages(filter, signal)) {
              count += entries.length;
              addRows(auditRows(entries));
              onCollected(count, total);
            }
            return auditReport(filter, { count, userName, nowMs: Date.now() });
          },
          { signal, onMaking },
        );
        return `${formatNumber(count)} perubahan berhasil diekspor ke Excel`;
      },
    });
  }

  return { exportAudit, busy, state, cancel };
}
