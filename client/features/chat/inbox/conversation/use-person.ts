import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { chatApi } from '../../session/api.ts';
import { listAtom } from '../../session/state.ts';
import { useConversation } from '../../session/use-chat.ts';

export type ResidentName = { name: string; email: string };

/** Who a conversation is with: from the list, or looked up where a link led straight here. */
export function usePerson(userId: string): ResidentName {
  const listed = useAtomValue(listAtom).entries[userId]?.summary.other_user;
  const { messages } = useConversation(userId);
  const known = listed !== undefined && listed.email !== '';
  const { data } = useQuery({
    queryKey: ['chat', 'person', userId],
    queryFn: () => chatApi.person(userId),
    enabled: !known,
    retry: false,
  });
  if (known) return listed;
  const wrote = messages.find(({ from_admin }) => !from_admin);
  return { name: data?.name ?? (listed?.name || (wrote?.sender_name ?? 'Warga')), email: data?.email ?? '' };
}
