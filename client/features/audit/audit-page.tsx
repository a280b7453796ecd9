import { Anchor, Box, Paper, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconFileSpreadsheet, IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ExportProgress } from '#client/exports/export-progress.tsx';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { api } from '#client/lib/api/api.ts';
import { formatNumber, showDate } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Pager } from '#client/ui/list/pager.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { ActionButton } from '#client/ui/page/action-button.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { AuditEntry } from '#shared/api/audit.ts';
import { AuditToolbar } from './audit-toolbar.tsx';
import { AuditList } from './display/audit-list.tsx';
import { deletedSubjectIds, SubjectLink } from './display/subject-link.tsx';
import { type AuditFilter, useAuditParams } from './use-audit-params.ts';
import { useExportAudit } from './use-export-audit.ts';
import classes from './audit.module.css';

const ENTRIES_PER_PAGE = 50;
const FAILED = 'Gagal memuat riwayat perubahan';

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

function AuditSkeleton() {
  return (
    <Stack gap="lg">
      <VisuallyHidden component="output">Memuat riwayat perubahan…</VisuallyHidden>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Box key={row} aria-hidden>
          <Skeleton height={18} width="55%" mb="xs" />
          <Skeleton height={14} width="30%" />
        </Box>
      ))}
    </Stack>
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
  const { filter, page, change, setPage } = useAuditParams();
  const exporting = useExportAudit();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) => api.get('/admin/audit', { query: { ...filter, page, limit: ENTRIES_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  });

  return (
    <>
      <PageHeader
        title="Riwayat Perubahan"
        description="Siapa mengubah apa dan kapan. Catatan ini tidak dapat diubah atau dihapus."
        actions={
          <ActionButton
            icon={IconFileSpreadsheet}
            disabledReason={exportBlockedBy(data?.total, error !== null)}
            busy={exporting.busy}
            onPress={() => void exporting.exportAudit(filter)}
          >
            Export Excel
          </ActionButton>
        }
      />
      <AuditToolbar filter={filter} onChange={change} />
      {exporting.state ? <ExportProgress state={exporting.state} onCancel={exporting.cancel} /> : null}
      <Paper withBorder px={{ base: 'sm', sm: 'md' }} py="sm">
        {error && !data ? (
          <ErrorState
            title={messageOf(error, FAILED)}
            description={hintOf(error)}
            onRetry={() => {
              focusHeading();
              void refetch();
            }}
            retrying={isFetching}
          />
        ) : null}
        {!error && !data ? <AuditSkeleton /> : null}
        {data?.total === 0 ? (
          <EmptyState
            icon={IconHistory}
            title="Tidak ada data"
            description={
              Object.values(filter).some((value) => value !== '')
                ? `Tidak ada perubahan yang cocok${rangeText(filter)}. Ubah atau bersihkan filternya.`
                : 'Belum ada perubahan yang tercatat.'
            }
          />
        ) : null}
        {data && data.total > 0 ? (
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? classes['waiting'] : undefined}>
            <Text component="output" display="block" c="dimmed" fz="sm" mb={4}>
              {formatNumber(data.total)} perubahan
            </Text>
            <AuditEntries entries={data.data} />
            {data.last_page > 1 ? (
              <Box mt="lg">
                <Pager page={page} pageCount={data.last_page} onChange={setPage} label="Halaman riwayat" />
              </Box>
            ) : null}
          </div>
        ) : null}
      </Paper>
    </>
  );
}
