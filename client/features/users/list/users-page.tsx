import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { useDensity } from '#client/ui/data/density.ts';
import { usePageSize } from '#client/ui/data/page-size.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { userListQuery } from '../api.ts';
import { EditUserDialog } from '../edit/edit-user-dialog.tsx';
import { ResetPasswordDialog } from '../reset-password/reset-password-dialog.tsx';
import { UserList } from './user-list.tsx';
import { UserToolbar } from './user-toolbar.tsx';
import { useUserListParams } from './use-user-list-params.ts';
import { useDeleteUser, useToggleUser } from '../use-user-actions.tsx';
import { useEditDialog } from '../edit/use-edit-dialog.ts';

/** /admin/users (docs/requirements.md R-USER-8). */
export function UsersPage() {
  usePageTitle('Kelola Users');
  const { filter, setFilter } = useUserListParams();
  const density = useDensity();
  const { user, edit } = useEditDialog();
  const pageSize = usePageSize();
  const query = useQuery({ ...userListQuery(filter, pageSize.pageSize), placeholderData: keepPreviousData });
  // The focused button disappears with its row, so the focus moves to the heading.
  const remove = useDeleteUser(focusHeading);
  const toggle = useToggleUser();
  const [resetting, setResetting] = useState<UserAnswer | null>(null);

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
      <UserToolbar filter={filter} onChange={setFilter} density={density} />
      <UserList
        query={query}
        filter={filter}
        onFilter={setFilter}
        pageSize={pageSize}
        density={density.density}
        onEdit={edit}
        onResetPassword={setResetting}
        onToggle={(target) => void toggle(target)}
        onDelete={(target) => void remove(target)}
      />
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
