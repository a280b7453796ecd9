import { CONVERSATIONS_MAX } from '#shared/limits.ts';
import { chatApi } from '../../session/api.ts';

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
