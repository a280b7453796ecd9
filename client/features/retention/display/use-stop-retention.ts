import { useQueryClient } from '@tanstack/react-query';
import { stopNotice } from '#client/features/notices/api.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { reloadRetention } from '../api.ts';

/** Asks, and keeps everything for ever again; any admin may. */
export function useStopRetention() {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async (noticeId: string) => {
    const isConfirmed = await confirm({
      title: 'Hentikan penghapusan',
      message: 'Semua pesan dan akun disimpan selamanya lagi. Yang sudah dihapus tidak kembali.',
      confirmLabel: 'Hentikan',
    });
    if (!isConfirmed) return;
    try {
      await stopNotice(noticeId);
      notify.success('Penghapusan dihentikan. Semua disimpan selamanya.');
    } catch (error) {
      // A colleague stopped it, or set another term: the reload shows that.
      notify.failure(error, 'Gagal menghentikan');
      if (!(error instanceof ApiError && error.status === 404)) return;
    }
    await reloadRetention(queryClient);
  });
  return { stop: submit, busy };
}
