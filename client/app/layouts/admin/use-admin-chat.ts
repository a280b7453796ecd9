import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { totalUnreadAtom } from '#client/features/chat/session/state.ts';
import { useChatSession } from '#client/features/chat/session/use-chat.ts';
import { useRegisteredUserCount } from '#client/features/chat/session/use-registered-user-count.ts';
import { paths } from '#client/paths.ts';

/** Keeps the chat alive on every page of the administrator's area. @returns how many messages wait for the office */
export function useAdminChat(): number {
  const client = useChatSession();
  const navigate = useNavigate();
  useRegisteredUserCount();
  // A notification was pressed.
  useEffect(
    () => client?.onOpenRequest((userId) => void navigate(paths.adminConversation(userId))),
    [client, navigate],
  );
  return useAtomValue(totalUnreadAtom);
}
