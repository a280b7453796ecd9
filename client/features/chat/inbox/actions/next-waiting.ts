import { CONVERSATIONS_MAX } from '#shared/limits.ts';
import { chatApi } from '../../session/api.ts';

/**
 * The user who waits longest for an answer and whom no colleague handles, or null: for 'Kirim & lanjut'. From the server,
 * because the list on the screen may have another filter.
 * @param exceptUserId the conversation that is just being answered
 */
export async function nextWaiting(adminId: string, exceptUserId: string | null = null): Promise<string | null> {
  for (let page = 1; ; page += 1) {
    const { data } = await chatApi.fetchConversations({
      state: 'waiting',
      sort: 'waiting',
      limit: CONVERSATIONS_MAX,
      page,
    });
    const next = data.find(
      ({ other_user, claimed_by }) => other_user._id !== exceptUserId && (!claimed_by || claimed_by.id === adminId),
    );
    if (next) return next.other_user._id;
    if (data.length < CONVERSATIONS_MAX) return null;
  }
}
