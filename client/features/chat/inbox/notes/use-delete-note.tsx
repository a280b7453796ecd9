import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#client/lib/api-error.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Note } from '#shared/api/inbox.ts';
import { deleteNote } from '../api.ts';
import { notesKey } from './use-notes.ts';

/** Asks, deletes a note, and reports it. */
export function useDeleteNote() {
  const queryClient = useQueryClient();
  return useSubmit(async ({ id, user_id, author }: Note) => {
    const isConfirmed = await confirm({
      title: 'Hapus catatan',
      message: `Catatan dari ${author.name} akan dihapus untuk semua admin dan tidak dapat dikembalikan.`,
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await deleteNote(id);
      notify.success('Catatan dihapus');
    } catch (error) {
      // A colleague was faster.
      if (!(error instanceof ApiError && error.status === 404)) notify.failure(error, 'Gagal menghapus catatan');
    }
    queryClient.setQueryData<Note[]>(notesKey(user_id), (known) => known?.filter((note) => note.id !== id));
    await queryClient.invalidateQueries({ queryKey: notesKey(user_id) });
  });
}
