import { Anchor, Paper, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ExportProgress } from '#client/exports/export-progress.tsx';
import { api } from '#client/lib/api/api.ts';
import { formatNumber, showDate } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { useUrlFilter } from '#client/ui/list/filter/url-filter.ts';
import { ActionButton } from '#client/ui/page/action-button.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { AuditEntry } from '#shared/api/audit.ts';
import { type AuditFilter, auditFilterParts } from './audit-filter.ts';
import { AuditToolbar } from './audit-toolbar.tsx';
import { AuditList } from './display/audit-list.tsx';
import { deletedSubjectIds, SubjectLink } from './display/subject-link.tsx';
import { useExportAudit } from './use-export-audit.ts';

const ENTRIES_PER_PAGE = 50;

/** The chosen dates in words, behind a space; empty without dates. */
function rangeText({ from, to }: AuditFilter): string {
  if (from && from === to) return ` pada ${showDate(from)}`;
  return `${from ? ` mulai ${showDate(from)}` : ''}${to ? ` sampai ${showDate(to)}` : ''}`;
}

function AuditEntries({ entries }: { entries: readonly AuditEntry[] }) {
  const deletedIds = deletedSubjectIds(entries);
  return (
    <AuditList
      entries={entries}
      renderSubject={(entry) => <SubjectLink entry={entry} deletedIds={deletedIds} />}
      renderActor={({ actor }) =>
        deletedIds.has(actor.id) ? (
          <strong>{actor.name}</strong>
        ) : (
          <Anchor component={Link} to={paths.adminUser(actor.id)} fw={600} c="inherit">
            {actor.name}
          </Anchor>
        )
      }
    />
  );
}

/** Why nothing can be exported; null when something can. */
function exportBlockedBy(total: number | undefined, isFailed: boolean): string | null {
  if (total !== undefined) return total > 0 ? null : 'Belum ada yang dapat diekspor.';
  return isFailed ? 'Riwayat belum berhasil dimuat.' : 'Tunggu sampai riwayat selesai dimuat.';
}

/** The audit: all changes of records, accounts and conversations, with actor and time. */
export function AuditPage() {
  usePageTitle('Riwayat Perubahan');
  const { filter, change, clear } = useUrlFilter(auditFilterParts);
  const { page, setPage } = usePageParam();
  const exporting = useExportAudit();
  const query = useQuery({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) => api.get('/admin/audit', { query: { ...filter, page, limit: ENTRIES_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  });
  const total = query.data?.total;
  const isFiltered = Object.values(filter).some((value) => value !== '');

  return (
    <>
      <PageHeader
        title="Riwayat Perubahan"
        description="Siapa mengubah apa dan kapan. Catatan ini tidak dapat diubah atau dihapus."
        actions={
          <ActionButton
            icon={IconFileSpreadsheet}
            disabledReason={exportBlockedBy(total, query.error !== null)}
            busy={exporting.busy}
            onPress={() => void exporting.exportAudit(filter)}
          >
            Export Excel
          </ActionButton>
        }
      />
      <AuditToolbar filter={filter} onChange={change} onClear={isFiltered ? clear : undefined} />
      {exporting.state ? <ExportProgress state={exporting.state} onCancel={exporting.cancel} /> : null}
      <QueryList
        isPage
        query={query}
        failedText="Gagal memuat riwayat perubahan"
        loading={{ text: 'Memuat riwayat perubahan…', rows: 5, height: 48 }}
        setPage={setPage}
        pagerLabel="Halaman riwayat"
        empty={
          <Paper withBorder>
            <EmptyState
              icon={IconHistory}
              title="Tidak ada data"
              description={
                isFiltered
                  ? `Tidak ada perubahan yang cocok${rangeText(filter)}. Ubah atau bersihkan filternya.`
                  : 'Belum ada perubahan yang tercatat.'
              }
            />
          </Paper>
        }
      >
        {(entries) => (
          <Paper withBorder px={{ base: 'sm', sm: 'md' }} py="sm">
            <Text component="output" display="block" c="dimmed" fz="sm" mb={4}>
              {formatNumber(total ?? 0)} perubahan
            </Text>
            <AuditEntries entries={entries} />
          </Paper>
        )}
      </QueryList>
    </>
  );
}
