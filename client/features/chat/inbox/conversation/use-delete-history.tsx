import { Text } from '@mantine/core';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { ChatSession } from '../../session/chat-session.ts';

/** Asks, and deletes the history of a conversation for both sides (R-CHAT-20). */
export function useDeleteHistory(chatSession: ChatSession, userId: string, name: string) {
  const { submit: deleteHistory, busy } = useSubmit(async () => {
    try {
      await chatSession.clear(userId);
      notify.success('Riwayat percakapan dihapus');
    } catch (error) {
      notify.failure(error, 'Gagal menghapus riwayat percakapan');
    }
  });
  async function confirmAndDelete(): Promise<void> {
    const isConfirmed = await confirm({
      title: `Hapus Chat dengan ${name}`,
      message: (
        <>
          <Text>Tindakan ini akan menghapus seluruh riwayat percakapan. Anda yakin ingin melanjutkan?</Text>
          <Text c="dimmed" mt="xs">
            Catatan internal tentang warga ini tetap ada.
          </Text>
        </>
      ),
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (isConfirmed) await deleteHistory();
  }
  return { confirmAndDelete, busy };
}
