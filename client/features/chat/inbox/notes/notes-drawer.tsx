import { Button, Drawer, Group } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconLock, IconNotes, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#client/lib/api/api-error.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { Note } from '#shared/api/chat/inbox.ts';
import { NoteCard } from './note-card.tsx';
import classes from './notes.module.css';
import { useNotes, notesKey } from './use-notes.ts';
import { deleteNote } from '../api.ts';

/** Asks, deletes a note, and reports it. */
function useDeleteNote() {
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

type Props = { userId: string; name: string; opened: boolean; onClose: () => void; onWrite: () => void };

/** The notes about a conversation, newest first, with a button to delete each. */
export function NotesDrawer({ userId, name, opened, onClose, onWrite }: Props) {
  // Opened only after it was mounted closed: otherwise it would not give the focus back.
  const isMounted = useMounted();
  // The field of the note takes the focus instead.
  const [isWriting, setIsWriting] = useState(false);
  if (opened && isWriting) setIsWriting(false);
  function write(): void {
    // At once, within the press: otherwise a phone shows no keyboard.
    flushSync(() => {
      setIsWriting(true);
      onClose();
    });
    onWrite();
  }
  return (
    <Drawer
      opened={opened && isMounted}
      onClose={onClose}
      position="right"
      size="min(26rem, 100%)"
      returnFocus={!isWriting}
      title={`Catatan tentang ${name}`}
      closeButtonProps={{ 'aria-label': 'Tutup catatan' }}
    >
      <Group gap="0.4rem" fz="sm" c="dimmed">
        <IconLock size={16} aria-hidden />
        Hanya terlihat oleh admin
      </Group>
      <Button variant="default" mt="sm" mih={44} leftSection={<IconPencil size={18} aria-hidden />} onClick={write}>
        Tulis catatan
      </Button>
      <NoteList userId={userId} />
    </Drawer>
  );
}

function NoteList({ userId }: { userId: string }) {
  const { submit: remove, busy } = useDeleteNote();
  return (
    <QueryView
      query={useNotes(userId)}
      failedText="Gagal memuat catatan"
      loading={{ text: 'Memuat catatan…', rows: 1, height: 64 }}
    >
      {(notes) =>
        notes.length === 0 ? (
          <EmptyState icon={IconNotes} title="Belum ada catatan" />
        ) : (
          <ol className={classes['list']} reversed>
            {notes.toReversed().map((note) => (
              <li key={note.id}>
                <NoteCard note={note} withDate>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    mih={36}
                    disabled={busy}
                    aria-label={`Hapus catatan dari ${note.author.name}`}
                    onClick={() => void remove(note)}
                  >
                    Hapus
                  </Button>
                </NoteCard>
              </li>
            ))}
          </ol>
        )
      }
    </QueryView>
  );
}
