import { Box, Button, NativeSelect, Paper, Skeleton, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconFilterOff, IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { AuditList } from './display/audit-list.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { Pager } from '#client/ui/data/pager.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { api } from '#client/lib/api.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { formatNumber } from '#client/lib/format.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { AuditEntry } from '#shared/api/audit.ts';
import { auditActionLabels } from './action-labels.ts';
import { toActionFilter, type AuditFilter, noAuditFilter, useAuditParams } from './use-audit-params.ts';
import classes from './audit.module.css';
import { SubjectLink } from './components/subject-link.tsx';

const ENTRIES_PER_PAGE = 30;
const FAILED = 'Gagal memuat riwayat perubahan';
const actionOptions = [
  { value: '', label: 'Semua' },
  ...Object.entries(auditActionLabels).map(([value, label]) => ({ value, label })),
];

type ToolbarProps = {
  filter: AuditFilter;
  onChange: (part: Partial<AuditFilter>, options?: { replace?: boolean }) => void;
};

function AuditToolbar({ filter, onChange }: ToolbarProps) {
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <Paper
      component="section"
      aria-label="Saring riwayat"
      withBorder
      p="md"
      mb="md"
      className={`no-print ${classes['bar']}`}
    >
      <SearchField
        label="Cari"
        placeholder="Nama, nomor SPT, atau pelaku"
        value={filter.search}
        onSearch={(search) => onChange({ search }, { replace: filter.search !== '' })}
      />
      <NativeSelect
        label="Tindakan"
        data={actionOptions}
        value={filter.action}
        onChange={(event) => onChange({ action: toActionFilter(event.currentTarget.value) })}
      />
      <UserPicker
        label="Dilakukan oleh"
        placeholder="Semua orang"
        clearable
        value={filter.actor_id}
        onChange={(user) => onChange({ actor_id: user?.id ?? '' })}
      />
      {isFiltered ? (
        <Button
          variant="subtle"
          color="gray"
          px="sm"
          leftSection={<IconFilterOff size={18} aria-hidden />}
          aria-label="Bersihkan filter (Clear)"
          onClick={() => onChange(noAuditFilter)}
        >
          Bersihkan
        </Button>
      ) : null}
    </Paper>
  );
}

function AuditEntries({ entries, onActor }: { entries: readonly AuditEntry[]; onActor: (id: string) => void }) {
  const deletedIds = new Set(
    entries
      .filter(({ action }) => action === 'record.deleted' || action === 'user.deleted')
      .map(({ subject }) => subject.id),
  );
  return (
    <AuditList
      entries={entries}
      renderSubject={(entry) => <SubjectLink entry={entry} deletedIds={deletedIds} />}
      renderActor={({ actor }) => (
        <UnstyledButton
          className={classes['actor'] ?? ''}
          title={`Hanya yang dilakukan ${actor.name}`}
          onClick={() => onActor(actor.id)}
        >
          {actor.name}
        </UnstyledButton>
      )}
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

/** The audit: all changes of records, accounts and conversations, with actor and time. */
export function AuditPage() {
  usePageTitle('Riwayat Perubahan');
  const { filter, page, change, setPage } = useAuditParams();
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
      />
      <AuditToolbar filter={filter} onChange={change} />
      <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
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
            description="Tidak ada perubahan yang cocok, atau belum ada yang tercatat."
          />
        ) : null}
        {data && data.total > 0 ? (
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? classes['waiting'] : undefined}>
            <Text component="output" display="block" c="dimmed" fz="sm" mb="md">
              {formatNumber(data.total)} perubahan
            </Text>
            <AuditEntries entries={data.data} onActor={(actor_id) => change({ actor_id })} />
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
