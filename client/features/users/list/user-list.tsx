import { Box, Button, Paper, Text, VisuallyHidden, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconUserPlus, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { Pager } from '#client/ui/data/pager.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { formatNumber } from '#client/lib/format.ts';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import type { UserPage } from '../api.ts';
import { useProtectionReason } from '../use-protection-reason.ts';
import type { UserFilter } from '../api.ts';
import { noUserFilter } from './use-user-list-params.ts';
import type { UserHandlers } from './user-actions.tsx';
import { UserCards } from './user-cards.tsx';
import classes from './user-list.module.css';
import { UserTable } from './user-table.tsx';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

/** Shown while the accounts are loaded. */
function UserListSkeleton() {
  return (
    <>
      <VisuallyHidden component="output">Memuat pengguna…</VisuallyHidden>
      <Stack gap="sm" aria-hidden>
        {SKELETON_ROWS.map((row) => (
          <Paper key={row} withBorder p="md">
            <Skeleton height={18} width="40%" mb="xs" />
            <Skeleton height={14} width="65%" />
          </Paper>
        ))}
      </Stack>
    </>
  );
}

const FAILED = 'Gagal memuat users';

type Props = UserHandlers & {
  query: UseQueryResult<UserPage>;
  filter: UserFilter;
  onFilter: (change: Partial<UserFilter>, options?: { replace?: boolean }) => void;
};

function NoUsers({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <Paper withBorder>
      {isFiltered ? (
        <EmptyState
          icon={IconUserSearch}
          title="Tidak ada pengguna yang cocok"
          description="Ubah pencarian atau saringannya."
          action={
            <Button variant="light" mt="xs" onClick={onClear}>
              Tampilkan semua
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={IconUsers}
          title="Belum ada pengguna"
          action={
            <Button
              component={Link}
              to={paths.adminUserCreate}
              mt="xs"
              leftSection={<IconUserPlus size={18} aria-hidden />}
            >
              Tambah User
            </Button>
          }
        />
      )}
    </Paper>
  );
}

/** One page of accounts, or its loading, empty or error state. */
export function UserList({ query, filter, onFilter, ...handlers }: Props) {
  const isWide = useWideScreen(75);
  const protectionReasonOf = useProtectionReason();
  const list = useRef<HTMLDivElement>(null);
  const { data, error, isPending, isPlaceholderData } = query;
  const lastPage = isPlaceholderData ? undefined : data?.last_page;
  const isPageOutOfRange = lastPage !== undefined && filter.page > Math.max(1, lastPage);
  useEffect(() => {
    // An old address, or deleted accounts, may name a page that no longer exists; then the last page is shown.
    if (isPageOutOfRange) onFilter({ page: lastPage }, { replace: true });
  });

  function goToPage(page: number): void {
    onFilter({ page });
    list.current?.scrollIntoView({ block: 'start' });
  }

  function retry(): void {
    focusHeading();
    void query.refetch();
  }

  if (isPending) return <UserListSkeleton />;
  if (!data) {
    return (
      <Paper withBorder>
        <ErrorState title={messageOf(error, FAILED)} description={hintOf(error)} onRetry={retry} />
      </Paper>
    );
  }
  const isFiltered = filter.search !== '' || filter.role !== '' || filter.status !== '';
  const Rows = isWide ? UserTable : UserCards;
  return (
    <Box ref={list} className={classes['list'] ?? ''} data-outdated={isPlaceholderData || undefined}>
      {error ? (
        <Box mb="md" className="no-print">
          <FormAlert
            kind="warning"
            message={messageOf(error, FAILED)}
            hint="Yang terlihat di bawah mungkin bukan yang terbaru."
          />
        </Box>
      ) : null}
      <VisuallyHidden component="output">
        {isPlaceholderData ? 'Memuat pengguna…' : `${formatNumber(data.total)} pengguna ditemukan`}
      </VisuallyHidden>
      {data.total === 0 ? (
        <NoUsers isFiltered={isFiltered} onClear={() => onFilter(noUserFilter)} />
      ) : (
        <>
          <Text fw={600} mb="sm" aria-hidden>
            {formatNumber(data.total)} pengguna
          </Text>
          <Rows users={data.data} protectionReasonOf={protectionReasonOf} {...handlers} />
          {data.last_page > 1 ? (
            <Box mt="md">
              <Pager page={filter.page} pageCount={data.last_page} onChange={goToPage} label="Halaman pengguna" />
            </Box>
          ) : null}
        </>
      )}
    </Box>
  );
}
