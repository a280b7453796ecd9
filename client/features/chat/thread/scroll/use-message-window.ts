import { useStore } from 'jotai';
import { useState } from 'react';
import type { ChatSession } from '../../session/chat-session.ts';
import type { Conversation } from '../../session/conversation.ts';
import type { Jump } from '../../session/segment.ts';
import { readConversation } from '../../session/state.ts';
import { holdWindow, latestWindow, rangeOf, showNewer, showOlder, windowAround } from './message-window.ts';

/**
 * Which messages of an open conversation are in the page: a part of the loaded ones, or of those around a message to which
 * somebody has jumped; and what happens when the reader comes near the edges of that part.
 */
export function useMessageWindow(
  chatSession: ChatSession,
  userId: string,
  conversation: Conversation,
  jump: Jump | null,
) {
  const store = useStore();
  const segment = jump?.segment ?? null;
  const { messages, hasOlder, olderLoadState } = segment ?? conversation;
  const [messageWindow, setMessageWindow] = useState(latestWindow);
  const [shownJump, setShownJump] = useState(0);
  const isArrived = jump !== null && jump.loadState === 'none';
  if (isArrived && jump.number !== shownJump) {
    setShownJump(jump.number);
    setMessageWindow(windowAround(messages, jump.targetId));
  }
  const range = rangeOf(messages, messageWindow);
  const readOlder = () => void (segment ? chatSession.readBeside(userId, 'older') : chatSession.readOlder(userId));
  // Two scroll events may come before the page is drawn again: the second one must not load once more.
  const isLoadingOlder = () =>
    olderLoadState !== 'none' || (segment === null && readConversation(store, userId).olderLoadState !== 'none');
  const readNewer = () => void chatSession.readBeside(userId, 'newer');

  return {
    messages,
    range,
    /** Whether the newest message of the conversation is in the page. */
    hasNewest: segment === null && range.to === messages.length,
    /** Whether there are older messages that are not loaded. */
    hasOlder,
    olderLoadState,
    readOlder,
    /** Whether there are newer messages that are not loaded, after the last one in the page. */
    isBeforeGap: segment !== null && segment.hasNewer && range.to === messages.length,
    newerLoadState: segment?.newerLoadState ?? 'none',
    readNewer,
    /** Why the last page could not be loaded. */
    error: segment ? segment.error : conversation.error,
    /** The number of the jump whose message is in the page; 0 before the first one. */
    arrivedJump: isArrived ? jump.number : 0,
    hold: () => setMessageWindow(holdWindow(messages, messageWindow)),
    showLatest: () => setMessageWindow(latestWindow),
    extendUp: (): void => {
      if (range.from > 0) {
        if (messageWindow !== latestWindow) setMessageWindow(showOlder(messages, messageWindow));
      } else if (hasOlder && !isLoadingOlder()) readOlder();
    },
    extendDown: (): void => {
      if (range.to < messages.length) setMessageWindow(showNewer(messages, messageWindow));
      else if (segment?.hasNewer && segment.newerLoadState === 'none') readNewer();
    },
  };
}
