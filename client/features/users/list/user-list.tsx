import { Box, Button, Paper, VisuallyHidden, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconUserPlus, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import type { Density } from '#client/ui/data/density.ts';
import { ListPager } from '#client/ui/data/list-pager.tsx';
import type { PageSize } from '#client/ui/data/page-size.ts';
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

const SKELETON_ROWS = Array.from({ length: 12 }, (_, index) => index);

/** Shown while the accounts are loaded. */
function UserListSkeleton() {
  return (
    <>
      <VisuallyHidden component="output">Memuat pengguna…</VisuallyHidden>
      <Paper withBorder p="sm" aria-hidden>
        <Stack gap={26}>
          {SKELETON_ROWS.map((row) => (
            <Skeleton key={row} height={18} width={row % 2 ? '65%' : '80%'} />
          ))}
        </Stack>
      </Paper>
    </>
  );
}

const FAILED = 'Gagal memuat users';

type Props = UserHandlers & {
  query: UseQueryResult<UserPage>;
  filter: UserFilter;
  onFilter: (change: Partial<UserFilter>, options?: { replace?: boolean }) => void;
  pageSize: { pageSize: PageSize; choose: (size: PageSize) => void };
  density: Density;
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
export function UserList({ query, filter, onFilter, pageSize, density, ...handlers }: Props) {
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
          <Rows users={data.data} protectionReasonOf={protectionReasonOf} density={density} {...handlers} />
          <Box mt="sm">
            <ListPager
              page={filter.page}
              pageSize={pageSize.pageSize}
              total={data.total}
              onPage={goToPage}
              onPageSize={pageSize.choose}
              label="Halaman pengguna"
            />
          </Box>
        </>
      )}
    </Box>
  );
}
