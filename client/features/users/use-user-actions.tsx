import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { OwnPasswordBody, UserAnswer } from '#shared/api/users.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { deleteUser, endCard, endRecoveryCode, removeFactor, toggleUserActive } from './api.ts';
import { asksOwnPassword } from './field-errors.ts';
import { reloadUsers } from './keys.ts';
import { confirmWithPassword, type Question } from './own-password/confirm-with-password.tsx';

function UserConfirmMessage({ text, note, user }: { text: string; note?: string; user: UserAnswer }) {
  return (
    <>
      <Text>{text}</Text>
      <Text fw={600} mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {user.name} · {emailText(user.email)}
      </Text>
      {note ? (
        <Text c="dimmed" mt="xs">
          {note}
        </Text>
      ) : null}
    </>
  );
}

type Run<T> = (own: OwnPasswordBody) => Promise<T>;

/**
 * Runs an action on an account, after a question where there is one. For an administrator's account it also asks for the own
 * password; also when only the server knows that it is one.
 * @returns null when the question was declined
 */
async function runConfirmed<T>(user: UserAnswer, question: Question, isAsked: boolean, run: Run<T>): Promise<T | null> {
  if (user.is_admin) return confirmWithPassword(question, run);
  if (isAsked && !(await confirm(question))) return null;
  try {
    return await run({});
  } catch (error) {
    if (!asksOwnPassword(error)) throw error;
    return confirmWithPassword(question, run);
  }
}

/**
 * Deletes a user after a question, shows the result and loads all lists again.
 * @param onDeleted called before the lists are loaded
 */
export function useDeleteUser(onDeleted: () => void) {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (user: UserAnswer) => {
    const fallbackErrorText = 'Gagal menghapus user';
    const question: Question = {
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
      fallbackErrorText,
    };
    try {
      const deleted = await runConfirmed(user, question, true, (own) => deleteUser(user.id, own));
      if (!deleted) return;
    } catch (error) {
      notify.failure(error, fallbackErrorText);
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

/** Activates at once, but an admin only with the own password. Asks before it deactivates, because that ends the user's sessions at once. */
export function useToggleUser() {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (user: UserAnswer) => {
    const fallbackErrorText = 'Gagal memperbarui user';
    const question: Question = user.is_active
      ? {
          title: 'Nonaktifkan Pengguna',
          message: (
            <UserConfirmMessage
              text="Pengguna ini langsung keluar dari semua perangkatnya dan tidak dapat masuk sampai diaktifkan lagi."
              user={user}
            />
          ),
          confirmLabel: 'Nonaktifkan',
          danger: true,
          fallbackErrorText,
        }
      : {
          title: 'Aktifkan Pengguna',
          message: <UserConfirmMessage text="Admin ini dapat masuk lagi dan mengelola semua data." user={user} />,
          confirmLabel: 'Aktifkan',
          fallbackErrorText,
        };
    try {
      const toggled = await runConfirmed(user, question, user.is_active, (own) => toggleUserActive(user.id, own));
      if (!toggled) return;
      const { is_active } = toggled;
      if (is_active !== user.is_active) notify.success('User berhasil diperbarui');
      // Another admin was faster, so this toggle has undone their change.
      else
        notify.warning(
          `Status ${user.name} baru saja diubah admin lain. Sekarang: ${is_active ? 'Aktif' : 'Nonaktif'}.`,
        );
    } catch (error) {
      notify.failure(error, fallbackErrorText);
    }
    await reloadUsers(queryClient);
  });
  return submit;
}

/** Ends the unused code of an account, after a question. */
export function useEndRecoveryCode() {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (user: UserAnswer) => {
    const isConfirmed = await confirm({
      title: 'Batalkan kode',
      message: `Kode masuk untuk ${user.name} yang belum dipakai tidak berlaku lagi.`,
      confirmLabel: 'Batalkan kode',
      cancelLabel: 'Kembali',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await endRecoveryCode(user.id);
      notify.success(`Kode masuk untuk ${user.name} dibatalkan`);
    } catch (error) {
      notify.failure(error, 'Gagal membatalkan kode');
    }
    void queryClient.invalidateQueries({ queryKey: ['audit'] });
  });
  return submit;
}

/** Ends the card of an account, after a question. */
export function useEndCard() {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (user: UserAnswer) => {
    const isConfirmed = await confirm({
      title: 'Cabut kartu',
      message: `Kartu ${user.name}, PIN-nya, dan perangkat yang masuk dengannya langsung berakhir.${user.has_email ? '' : ' Tanpa kartu, orang ini tidak dapat masuk.'}`,
      confirmLabel: 'Cabut kartu',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await endCard(user.id);
      notify.success(`Kartu ${user.name} dicabut`);
    } catch (error) {
      notify.failure(error, 'Gagal mencabut kartu');
    }
    await reloadUsers(queryClient);
  });
  return submit;
}

/** Removes the second factor of a user who stands at the counter, after a question; that of an admin needs the own password. */
export function useRemoveFactor() {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (user: UserAnswer) => {
    const fallbackErrorText = 'Gagal menghapus kode kedua';
    const question: Question = {
      title: 'Hapus kode kedua',
      message: (
        <UserConfirmMessage
          text="Hanya bila orangnya ada di depan Anda dan Anda sudah memeriksa KTP-nya. Ia menelepon? Minta memakai kode cadangannya, atau datang membawa KTP. Ia langsung keluar dari semua perangkat, lalu masuk tanpa kode dari aplikasi."
          note="Selama 24 jam, kode masuk, kartu, atau password baru untuk akun ini harus dibuat administrator lain, bukan Anda."
          user={user}
        />
      ),
      confirmLabel: 'Hapus kode kedua',
      danger: true,
      fallbackErrorText,
    };
    try {
      const removed = await runConfirmed(user, question, true, (own) => removeFactor(user.id, own));
      if (!removed) return;
      notify.success(`Kode kedua ${user.name} dihapus`);
    } catch (error) {
      notify.failure(error, fallbackErrorText);
    }
    await reloadUsers(queryClient);
  });
  return submit;
}
