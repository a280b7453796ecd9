import { useStore } from 'jotai';
import { useState } from 'react';
import type { Message } from '#shared/api/chat/chat.ts';
import type { ChatSession } from '../session/chat-session.ts';
import { type Conversation, idNumberOf } from '../state/model/conversation.ts';
import type { Jump } from '../state/model/segment.ts';
import { readConversation } from '../state/selectors.ts';

/**
 * Which of the loaded messages are in the page. Thousands of bubbles would make every key press slow, so only a part of them is
 * drawn, and that part moves with the reader.
 */
type MessageWindow = {
  /** Null: the newest messages; older ones leave as new ones come. */
  firstId: number | null;
  /** Null: up to the newest message. */
  lastId: number | null;
};
/** The drawn part as indexes: from `from` up to, but without, `to`. */
type MessageRange = { from: number; to: number };

export const latestWindow: MessageWindow = { firstId: null, lastId: null };

export const WINDOW_MESSAGES_MAX = 150;
const LATEST_MESSAGES = 100;
const STEP_MESSAGES = 50;

/** The index of the first message with this id or a later one; a binary search, because there may be thousands. */
function indexOfId(messages: readonly Message[], id: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const message = messages[middle];
    if (message && idNumberOf(message) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function rangeOf(messages: readonly Message[], { firstId, lastId }: MessageWindow): MessageRange {
  const latestFrom = Math.max(0, messages.length - LATEST_MESSAGES);
  // After a deletion the known ids may be gone.
  const from = firstId === null ? latestFrom : Math.min(indexOfId(messages, firstId), latestFrom);
  const to = lastId === null ? messages.length : indexOfId(messages, lastId + 1);
  return { from, to: Math.min(Math.max(to, from), from + WINDOW_MESSAGES_MAX) };
}

function windowOf(messages: readonly Message[], { from, to }: MessageRange): MessageWindow {
  const idAt = (index: number): number | null => {
    const message = messages[index];
    return message ? idNumberOf(message) : null;
  };
  return { firstId: idAt(from), lastId: to === messages.length ? null : idAt(to - 1) };
}

/** The same messages, but their first one stays when new ones come: the reader has scrolled up. */
export function holdWindow(messages: readonly Message[], current: MessageWindow): MessageWindow {
  return windowOf(messages, rangeOf(messages, current));
}

export function showOlder(messages: readonly Message[], current: MessageWindow): MessageWindow {
  const range = rangeOf(messages, current);
  const from = Math.max(0, range.from - STEP_MESSAGES);
  return windowOf(messages, { from, to: Math.min(range.to, from + WINDOW_MESSAGES_MAX) });
}

export function showNewer(messages: readonly Message[], current: MessageWindow): MessageWindow {
  const range = rangeOf(messages, current);
  const to = Math.min(messages.length, range.to + STEP_MESSAGES);
  return windowOf(messages, { from: Math.max(range.from, to - WINDOW_MESSAGES_MAX), to });
}

/** The messages around one. The first one stays when new ones come. */
function windowAround(messages: readonly Message[], id: number): MessageWindow {
  const middle = indexOfId(messages, id);
  const from = Math.max(0, middle - STEP_MESSAGES);
  return windowOf(messages, { from, to: Math.min(messages.length, middle + STEP_MESSAGES) });
}

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
  const readOlder = () => (segment ? chatSession.readBeside(userId, 'older') : chatSession.readOlder(userId));
  // Two scroll events may come before the page is drawn again: the second one must not load once more.
  const isLoadingOlder = () =>
    olderLoadState !== 'none' || (segment === null && readConversation(store, userId).olderLoadState !== 'none');
  const readNewer = () => chatSession.readBeside(userId, 'newer');

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
