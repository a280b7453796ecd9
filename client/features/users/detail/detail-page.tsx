import { Button, Group, Paper } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { ApiError } from '#client/lib/api/api-error.ts';
import { isAdminPath, paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { AdminAccountAnswer, UserAnswer } from '#shared/api/users.ts';
import type { UserChange } from '#shared/events.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { userQuery } from '../api.ts';
import { userKeys } from '../keys.ts';
import { RecoveryCodeDialog } from '../display/recovery-code/recovery-code-dialog.tsx';
import { UserBadges } from '../display/user-badges.tsx';
import { EditUserDialog } from '../edit/edit-user-dialog.tsx';
import { ResetPasswordDialog } from '../reset-password/reset-password-dialog.tsx';
import { useDeleteUser, useEndRecoveryCode, useToggleUser } from '../use-user-actions.tsx';
import { UserHeaderActions } from './user-header-actions.tsx';

type Props = {
  /** Draws the sections of other features. client/app passes them in, so that features do not import each other. */
  renderSections: (user: AdminAccountAnswer) => ReactNode;
};

/** /admin/users/{id} (docs/requirements.md R-USER-14). */
export function UserDetail({ renderSections }: Props) {
  const { query, user, isMissing } = useShownUser();
  const [openDialog, setOpenDialog] = useState<'edit' | 'code' | 'password' | null>(null);
  const navigate = useNavigate();
  const leave = () => void navigate(paths.adminUsers, { replace: true });
  const remove = useDeleteUser(leave);
  const toggle = useToggleUser();
  const endCode = useEndRecoveryCode();
  const title = isMissing ? 'User tidak ditemukan' : (user?.name ?? 'Detail Pengguna');
  usePageTitle(title);
  const close = () => setOpenDialog(null);

  return (
    <>
      <BackHeader
        to={paths.adminUsers}
        isWayBack={isAdminPath}
        title={title}
        description={user ? <UserSummary user={user} /> : undefined}
        actions={
          user ? (
            <UserHeaderActions
              user={user}
              onEdit={() => setOpenDialog('edit')}
              onMakeCode={() => setOpenDialog('code')}
              onEndCode={() => void endCode(user)}
              onResetPassword={() => setOpenDialog('password')}
              onToggle={() => void toggle(user)}
              onDelete={() => void remove(user)}
            />
          ) : undefined
        }
      />
      {isMissing ? (
        <UserNotFound />
      ) : (
        <QueryView
          isPage
          query={query}
          failedText="Gagal memuat users"
          loading={{ text: 'Memuat pengguna…', rows: 3, height: 170 }}
        >
          {renderSections}
        </QueryView>
      )}
      <EditUserDialog user={openDialog === 'edit' && user ? user : null} onClose={close} />
      <RecoveryCodeDialog account={openDialog === 'code' && user ? user : null} onClose={close} />
      <ResetPasswordDialog user={openDialog === 'password' && user ? user : null} onClose={close} onDeleted={leave} />
    </>
  );
}

function UserSummary({ user }: { user: UserAnswer }) {
  return (
    <Group component="span" gap="xs">
      <span style={{ overflowWrap: 'anywhere' }}>{emailText(user.email)}</span>
      <UserBadges isAdmin={user.is_admin} isActive={user.is_active} />
    </Group>
  );
}

function UserNotFound() {
  return (
    <Paper withBorder>
      <EmptyState
        icon={IconUserOff}
        title="Mungkin sudah dihapus"
        description="Akun ini tidak ada di daftar pengguna."
        action={
          <Button component={Link} to={paths.adminUsers}>
            Kembali ke daftar
          </Button>
        }
      />
    </Paper>
  );
}

/** The user that the URL names, loaded again when another admin changes the account. */
function useShownUser() {
  const { id = '' } = useParams();
  const queryClient = useQueryClient();
  const query = useQuery(userQuery(id));
  const isMissing = query.error instanceof ApiError && query.error.status === 404;

  useServerEvent(
    'user:changed',
    useCallback(
      ({ user }: UserChange) => {
        if (user.id === id) void queryClient.invalidateQueries({ queryKey: userKeys.user(id) });
      },
      [queryClient, id],
    ),
  );

  return { query, isMissing, user: isMissing ? undefined : query.data };
}
