import { useEffect, useRef } from 'react';
import type { ChatSession } from '../../session/chat-session.ts';
import { useJump } from '../../session/use-chat.ts';
import type { OpenedMessage } from '../use-inbox-params.ts';

/** Shows the message that the address names, and calls back when the reader has left it for the newest ones. */
export function useOpenMessage(
  chatSession: ChatSession | null,
  message: OpenedMessage | null | undefined,
  onLeft: () => void,
): void {
  const { userId = '', messageId = '' } = message ?? {};
  const jump = useJump(userId);
  useEffect(() => {
    if (chatSession && messageId !== '') void chatSession.jumpToMessage(userId, messageId);
  }, [chatSession, userId, messageId]);
  const wasShown = useRef('');
  useEffect(() => {
    const name = `${userId} ${messageId}`;
    if (jump && messageId !== '') wasShown.current = name;
    else if (!jump && wasShown.current === name) {
      wasShown.current = '';
      onLeft();
    }
  }, [jump, userId, messageId, onLeft]);
}
