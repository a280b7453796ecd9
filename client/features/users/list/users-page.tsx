import { Button, Paper } from '@mantine/core';
import { IconUserPlus, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { useSelection } from '#client/ui/list/rows/use-selection.ts';
import { useListScreen } from '#client/ui/list/use-list-screen.ts';
import { choicePart, textPart, type UrlParts, useUrlFilter } from '#client/ui/list/filter/url-filter.ts';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { type UserFilter, userListQuery } from '../api.ts';
import { EditUserDialog } from '../edit/edit-user-dialog.tsx';
import { useEditDialog } from '../edit/use-edit-dialog.ts';
import { ResetPasswordDialog } from '../reset-password/reset-password-dialog.tsx';
import { useProtectionReason } from '../use-protection-reason.ts';
import { useDeleteUser, useToggleUser } from '../use-user-actions.tsx';
import { UserCards } from './user-cards.tsx';
import { UserSelectionBar } from './user-selection-bar.tsx';
import { UserTable } from './user-table.tsx';
import { UserToolbar } from './user-toolbar.tsx';

const filterParts: UrlParts<UserFilter> = {
  search: textPart('cari'),
  role: choicePart('peran', ['admin', 'user']),
  status: choicePart('status', ['aktif', 'nonaktif']),
};

/** /admin/users (docs/requirements.md R-USER-8). */
export function UsersPage() {
  usePageTitle('Kelola Users');
  const { filter, change, clear } = useUrlFilter(filterParts);
  const { page, setPage, pageSize, density, isWide } = useListScreen();
  const query = useQuery(userListQuery(filter, page, pageSize.pageSize));
  const protectionReasonOf = useProtectionReason();
  const { user, edit } = useEditDialog();
  // The focused button disappears with its row, so the focus moves to the heading.
  const remove = useDeleteUser(focusHeading);
  const toggle = useToggleUser();
  const [resetting, setResetting] = useState<UserAnswer | null>(null);
  const rows = query.data?.data ?? [];
  const selection = useSelection(rows);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const Rows = isWide ? UserTable : UserCards;

  return (
    <>
      <PageHeader
        title="Kelola Users"
        compact
        actions={
          <Button component={Link} to={paths.adminUserCreate} leftSection={<IconUserPlus size={18} aria-hidden />}>
            Tambah User
          </Button>
        }
      />
      <UserToolbar filter={filter} onChange={change} density={isWide ? density : null} />
      <QueryList
        isPage
        query={query}
        failedText="Gagal memuat users"
        loading={{ text: 'Memuat pengguna…', rows: 8, height: 64 }}
        countedAs="pengguna ditemukan"
        setPage={setPage}
        pageSize={pageSize}
        pagerLabel="Halaman pengguna"
        empty={<NoUsers onClear={isFiltered ? clear : undefined} />}
      >
        {(users) => (
          <Rows
            users={users}
            protectionReasonOf={protectionReasonOf}
            density={density.density}
            selection={selection}
            onEdit={edit}
            onResetPassword={setResetting}
            onToggle={(target) => void toggle(target)}
            onDelete={(target) => void remove(target)}
          />
        )}
      </QueryList>
      <UserSelectionBar selection={selection} />
      <EditUserDialog user={user} onClose={() => edit(null)} />
      <ResetPasswordDialog
        user={resetting}
        onClose={() => setResetting(null)}
        onDeleted={() => {
          setResetting(null);
          focusHeading();
        }}
      />
    </>
  );
}

/** @param onClear left out where no filter hides the accounts */
function NoUsers({ onClear }: { onClear: (() => void) | undefined }) {
  return (
    <Paper withBorder>
      {onClear ? (
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
