import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { listQuery } from './api.ts';
import { EditUserDialog } from './components/edit-user-dialog.tsx';
import { UserCounters } from './components/user-counters.tsx';
import { UserList } from './components/user-list.tsx';
import { UserToolbar } from './components/user-toolbar.tsx';
import { useUserFilter } from './list-url.ts';
import { useDeleteUser, useToggleUser } from './use-change-user.tsx';
import { useEditing } from './use-editing.ts';

/** Specification 2.4, /admin/users. */
export function UsersPage() {
  usePageTitle('Kelola Users');
  const { filter, setFilter } = useUserFilter();
  const { user, edit } = useEditing();
  const query = useQuery({ ...listQuery(filter), placeholderData: keepPreviousData });
  // The button goes with its row, and the focus must not go with the button.
  const remove = useDeleteUser(focusHeading);
  const toggle = useToggleUser();

  return (
    <>
      <PageHeader
        title="Kelola Users"
        description="Akun warga dan administrator."
        actions={
          <HeaderActions>
            <Button component={Link} to={paths.adminUserCreate} leftSection={<IconUserPlus size={18} aria-hidden />}>
              Tambah User
            </Button>
          </HeaderActions>
        }
      />
      <UserCounters />
      <UserToolbar filter={filter} onChange={setFilter} />
      <UserList
        query={query}
        filter={filter}
        onFilter={setFilter}
        onEdit={edit}
        onToggle={(target) => void toggle(target)}
        onDelete={(target) => void remove(target)}
      />
      <EditUserDialog user={user} onClose={() => edit(null)} />
    </>
  );
}
