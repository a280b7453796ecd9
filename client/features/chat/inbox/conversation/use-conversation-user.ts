import { useQuery } from '@tanstack/react-query';
import { chatApi } from '../../effects/api.ts';
import { useChangedUser, useConversation, useListedUser } from '../../session/use-chat.ts';

/** `inactive`: the user reads no answer now; `deleted` and `admin`: there is no conversation any more. */
export type AccountState = 'active' | 'inactive' | 'deleted' | 'admin';
export type ConversationUser = { name: string; email: string; accountState: AccountState };

/** The user of a conversation: from an event or the list, or fetched where a link led straight here. */
export function useConversationUser(userId: string): ConversationUser {
  const listed = useListedUser(userId);
  const changed = useChangedUser(userId);
  const { messages } = useConversation(userId);
  const isListed = listed !== undefined && listed.email !== '';
  const { data } = useQuery({
    queryKey: ['chat', 'user', userId],
    queryFn: () => chatApi.fetchUser(userId),
    enabled: !isListed && !changed,
    retry: false,
  });
  const known = changed?.user ?? (isListed ? listed : data);
  const userMessage = messages.find(({ from_admin }) => !from_admin);
  let accountState: AccountState = known?.is_active === false ? 'inactive' : 'active';
  if (changed?.user.is_admin) accountState = 'admin';
  if (changed?.change === 'deleted') accountState = 'deleted';
  return {
    name: known?.name ?? (listed?.name || (userMessage?.sender_name ?? 'Warga')),
    email: known?.email ?? '',
    accountState,
  };
}
