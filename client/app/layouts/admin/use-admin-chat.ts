import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { totalUnreadAtom } from '#client/features/chat/session/state.ts';
import { useChatSession } from '#client/features/chat/session/use-chat.ts';
import { useRegisteredUserCount } from '#client/features/chat/session/use-registered-user-count.ts';
import { ANSWER_HASH, paths } from '#client/paths.ts';

/** Keeps the chat connected on every page of the admin area. @returns the number of unread messages */
export function useAdminChat(): number {
  const chatSession = useChatSession();
  const navigate = useNavigate();
  useRegisteredUserCount();
  // A click on a notification opens its conversation. The inbox does that itself, beside what is open there.
  const isInbox = useLocation().pathname === paths.adminChat;
  useEffect(() => {
    if (isInbox) return undefined;
    return chatSession?.onOpenRequest(
      (userId, { write }) => void navigate(paths.adminConversation(userId) + (write ? ANSWER_HASH : '')),
    );
  }, [chatSession, navigate, isInbox]);
  return useAtomValue(totalUnreadAtom);
}
