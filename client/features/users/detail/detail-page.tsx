import { Button, Group, Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { isAdminPath, paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { UserBadges } from '../display/user-badges.tsx';
import { EditUserDialog } from '../edit/edit-user-dialog.tsx';
import { ResetPasswordDialog } from '../reset-password/reset-password-dialog.tsx';
import { useDeleteUser, useToggleUser } from '../use-user-actions.tsx';
import { UserHeaderActions } from './user-header-actions.tsx';
import { useShownUser } from './use-shown-user.ts';

type Props = {
  /** Draws the sections of other features. client/app passes them in, so that features do not import each other. */
  renderSections: (user: UserAnswer) => ReactNode;
};

/** /admin/users/{id} (docs/requirements.md R-USER-14). */
export function UserDetail({ renderSections }: Props) {
  const { user, isMissing, error, retry } = useShownUser();
  const [openDialog, setOpenDialog] = useState<'edit' | 'password' | null>(null);
  const navigate = useNavigate();
  const leave = () => void navigate(paths.adminUsers, { replace: true });
  const remove = useDeleteUser(leave);
  const toggle = useToggleUser();
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
              onResetPassword={() => setOpenDialog('password')}
              onToggle={() => void toggle(user)}
              onDelete={() => void remove(user)}
            />
          ) : undefined
        }
      />
      {isMissing ? <UserNotFound /> : null}
      {user ? renderSections(user) : null}
      {!user && !isMissing && !error ? <UserSkeleton /> : null}
      {!user && error ? (
        <Paper withBorder>
          <ErrorState title={messageOf(error, 'Gagal memuat users')} description={hintOf(error)} onRetry={retry} />
        </Paper>
      ) : null}
      <EditUserDialog user={openDialog === 'edit' && user ? user : null} onClose={close} />
      <ResetPasswordDialog user={openDialog === 'password' && user ? user : null} onClose={close} onDeleted={leave} />
    </>
  );
}

function UserSummary({ user }: { user: UserAnswer }) {
  return (
    <Group component="span" gap="xs">
      <span style={{ overflowWrap: 'anywhere' }}>{user.email}</span>
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

function UserSkeleton() {
  return (
    <Stack>
      <VisuallyHidden component="output">Memuat pengguna…</VisuallyHidden>
      {[120, 240, 160].map((height) => (
        <Skeleton key={height} height={height} radius="lg" aria-hidden />
      ))}
    </Stack>
  );
}
