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
  const wasShown = useRef(false);
  useEffect(() => {
    wasShown.current = false;
    if (chatSession && messageId !== '') void chatSession.jumpToMessage(userId, messageId);
  }, [chatSession, userId, messageId]);
  useEffect(() => {
    if (messageId === '') return;
    if (jump) wasShown.current = true;
    else if (wasShown.current) {
      wasShown.current = false;
      onLeft();
    }
  }, [jump, messageId, onLeft]);
}
