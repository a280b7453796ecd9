import { useStore } from 'jotai';
import { useRef } from 'react';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { ephemeralStateAtom } from '../../session/state.ts';
import { nextWaiting } from './next-waiting.ts';

/** Opens the conversation that waits longest, after one was answered or needs no answer. */
export function useOpenNextWaiting(adminId: string, userId: string, onOpen: (userId: string) => void) {
  const store = useStore();
  const isSearching = useRef(false);
  return async (): Promise<void> => {
    if (isSearching.current) return;
    isSearching.current = true;
    try {
      const next = await nextWaiting(adminId, userId, (id) =>
        (store.get(ephemeralStateAtom).viewers[id] ?? []).some((viewer) => viewer.id !== adminId),
      );
      if (next === null) notify.info('Tidak ada lagi percakapan yang menunggu jawaban.');
      else onOpen(next);
    } catch (error) {
      notify.error(messageOf(error, 'Percakapan berikutnya gagal dicari'), hintOf(error));
    } finally {
      isSearching.current = false;
    }
  };
}
