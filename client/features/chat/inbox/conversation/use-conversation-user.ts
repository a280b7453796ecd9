import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { chatApi } from '../../session/api.ts';
import { listAtom } from '../../session/state.ts';
import { useConversation } from '../../session/use-chat.ts';

export type ConversationUser = { name: string; email: string };

/** The user of a conversation: from the list, or fetched where a link led straight here. */
export function useConversationUser(userId: string): ConversationUser {
  const listed = useAtomValue(listAtom).entries[userId]?.summary.other_user;
  const { messages } = useConversation(userId);
  const isListed = listed !== undefined && listed.email !== '';
  const { data } = useQuery({
    queryKey: ['chat', 'user', userId],
    queryFn: () => chatApi.fetchUser(userId),
    enabled: !isListed,
    retry: false,
  });
  if (isListed) return listed;
  const userMessage = messages.find(({ from_admin }) => !from_admin);
  return { name: data?.name ?? (listed?.name || (userMessage?.sender_name ?? 'Warga')), email: data?.email ?? '' };
}
