import { useStore } from 'jotai';
import { useRef } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { CONVERSATIONS_MAX } from '#shared/limits.ts';
import { ephemeralStateAtom } from '../../state/selectors.ts';
import { chatApi } from '../../effects/api.ts';

/**
 * The user who waits longest for an answer and whom no colleague handles, or null: for 'Kirim & lanjut'. From the server,
 * because the list on the screen may have another filter. What a colleague looks at comes last: three admins who finish at the
 * same time would otherwise all answer the same user.
 * @param exceptUserId the conversation that is just being answered
 * @param isLookedAt whether a colleague has a conversation open
 */
export async function nextWaiting(
  adminId: string,
  exceptUserId: string | null = null,
  isLookedAt: (userId: string) => boolean = () => false,
): Promise<string | null> {
  let lookedAt: string | null = null;
  for (let page = 1; ; page += 1) {
    const { data } = await chatApi.fetchConversations({
      state: 'waiting',
      sort: 'waiting',
      limit: CONVERSATIONS_MAX,
      page,
    });
    for (const { other_user, claimed_by } of data) {
      const userId = other_user._id;
      if (userId === exceptUserId || (claimed_by && claimed_by.id !== adminId)) continue;
      // A claim is an agreement; who only looks may have looked away.
      if (claimed_by || !isLookedAt(userId)) return userId;
      lookedAt ??= userId;
    }
    if (data.length < CONVERSATIONS_MAX) return lookedAt;
  }
}

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
