import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { deleteUser, toggleUserActive } from './api.ts';
import { reloadUsers } from './keys.ts';

function UserConfirmMessage({ text, note, user }: { text: string; note?: string; user: UserAnswer }) {
  return (
    <>
      <Text>{text}</Text>
      <Text fw={600} mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {user.name} · {user.email}
      </Text>
      {note ? (
        <Text c="dimmed" mt="xs">
          {note}
        </Text>
      ) : null}
    </>
  );
}

/**
 * Deletes a user after a question, shows the result and loads all lists again.
 * @param onDeleted called before the lists are loaded
 */
export function useDeleteUser(onDeleted: () => void) {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (user: UserAnswer) => {
    const isConfirmed = await confirm({
      title: 'Hapus Pengguna',
      message: (
        <UserConfirmMessage
          text="Apakah Anda yakin ingin menghapus pengguna ini? Tindakan ini tidak dapat dibatalkan."
          note="Data PBB, bukti pembayaran, dan percakapannya ikut terhapus."
          user={user}
        />
      ),
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await deleteUser(user.id);
    } catch (error) {
      notify.failure(error, 'Gagal menghapus user');
      // Another admin may have deleted the user already.
      await reloadUsers(queryClient);
      return;
    }
    notify.success('User berhasil dihapus');
    onDeleted();
    await reloadUsers(queryClient);
  });
  return submit;
}

/** Activates at once. Asks before it deactivates, because that ends the user's sessions at once. */
export function useToggleUser() {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (user: UserAnswer) => {
    const isConfirmed =
      !user.is_active ||
      (await confirm({
        title: 'Nonaktifkan Pengguna',
        message: (
          <UserConfirmMessage
            text="Pengguna ini langsung keluar dari semua perangkatnya dan tidak dapat masuk sampai diaktifkan lagi."
            user={user}
          />
        ),
        confirmLabel: 'Nonaktifkan',
        danger: true,
      }));
    if (!isConfirmed) return;
    try {
      const { is_active } = await toggleUserActive(user.id);
      if (is_active !== user.is_active) notify.success('User berhasil diperbarui');
      // Another admin was faster, so this toggle has undone their change.
      else
        notify.warning(
          `Status ${user.name} baru saja diubah admin lain. Sekarang: ${is_active ? 'Aktif' : 'Nonaktif'}.`,
        );
    } catch (error) {
      notify.failure(error, 'Gagal memperbarui user');
    }
    await reloadUsers(queryClient);
  });
  return submit;
}
