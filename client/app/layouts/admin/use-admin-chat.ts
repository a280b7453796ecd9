import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { totalUnreadAtom } from '#client/features/chat/session/state.ts';
import { useChatSession } from '#client/features/chat/session/use-chat.ts';
import { useRegisteredUserCount } from '#client/features/chat/session/use-registered-user-count.ts';
import { paths } from '#client/paths.ts';

/** Keeps the chat connected on every page of the admin area. @returns the number of unread messages */
export function useAdminChat(): number {
  const chatSession = useChatSession();
  const navigate = useNavigate();
  useRegisteredUserCount();
  // A click on a notification opens its conversation.
  useEffect(
    () => chatSession?.onOpenRequest((userId) => void navigate(paths.adminConversation(userId))),
    [chatSession, navigate],
  );
  return useAtomValue(totalUnreadAtom);
}
