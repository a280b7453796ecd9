import type { Side } from '#shared/events.ts';
import {
  changeConversation,
  type ChatState,
  conversationOf,
  isAdmin,
  type Now,
  type Reading,
  setTimerOnce,
  sideOf,
  withoutKey,
} from './chat-state.ts';
import type { EventOf } from './events.ts';
import {
  advanceCursor,
  type Conversation,
  idNumberOf,
  lastIdNumber,
  otherSide,
  sideOfMessage,
} from './model/conversation.ts';

/** Which messages reached this visible tab (`delivered`) and which were read in it (`seen`), by R-CHAT-21. */

/** Long enough that a burst of messages is one call, short enough that the other side sees it at once. */
const BATCH_DELAY_MS = 250;
const RETRY_MS = 3000;
/** The server drops client events beyond 40 in 5 s; a long list of unread conversations must not use them all. */
const DELIVERED_EVENTS_PER_BATCH = 10;

const changeReading = (state: ChatState, change: Partial<Reading>): ChatState => ({
  ...state,
  reading: { ...state.reading, ...change },
});

/** A conversation is open here; `atBottom`: its newest message is visible. */
export function watch(state: ChatState, { userId, atBottom }: EventOf<'user.watches'>): ChatState {
  const { watched, shown } = state.reading;
  const watching = changeReading(state, { watched: { ...watched, [userId]: { atBottom } } });
  const conversation = conversationOf(state, userId);
  if (!conversation.loaded) return watching;
  const before = shown[userId];
  // Up to this moment everything new came into view.
  const isSeen = atBottom || before === undefined || before.atBottom;
  const upTo = isSeen ? lastIdNumber(conversation) : before.upTo;
  return changeReading(watching, { shown: { ...shown, [userId]: { atBottom, upTo } } });
}

export const unwatch = (state: ChatState, { userId }: EventOf<'user.unwatches'>): ChatState =>
  changeReading(state, {
    watched: withoutKey(state.reading.watched, userId),
    shown: withoutKey(state.reading.shown, userId),
  });

/** Of several conversations side by side only the one that has, or last had, the focus is being read. */
export const focusConversation = (state: ChatState, { userId }: EventOf<'user.focuses'>): ChatState =>
  changeReading(state, { focusedUserId: userId });

/**
 * The newest message on the screen, '0' for an empty conversation; null when it is not open or not loaded. It shows a second
 * answer of a colleague (R-REPLY-5).
 */
export function newestShown(state: ChatState, userId: string): string | null {
  const position = state.reading.shown[userId];
  if (!position) return null;
  return String(position.atBottom ? lastIdNumber(conversationOf(state, userId)) : position.upTo);
}

/** The conversation that is being read here; null when the page has no focus. */
export function readUserId({ page, reading }: ChatState): string | null {
  if (!page.isVisible || !page.hasFocus) return null;
  const { focusedUserId, watched } = reading;
  if (focusedUserId !== null && focusedUserId in watched) return focusedUserId;
  const [only, ...others] = Object.keys(watched);
  return others.length === 0 ? (only ?? null) : null;
}

/** After each change that may make a receipt due. */
export const scheduleReceipts = (state: ChatState, now: Now): ChatState =>
  setTimerOnce(state, 'receipts', now.ms + BATCH_DELAY_MS);

/** After a reconnect the server may have missed the last events. */
export const forgetDelivered = (state: ChatState): ChatState => changeReading(state, { deliveredUpTo: {} });

export const reportReceipts = (state: ChatState, now: Now): ChatState => markSeen(reportDelivered(state, now));

function newestIdOf(conversation: Conversation, side: Side): number {
  const newest = conversation.messages.findLast((message) => sideOfMessage(message) === side);
  return newest ? idNumberOf(newest) : 0;
}

function findUndelivered(state: ChatState): [userId: string, upTo: number][] {
  const side = sideOf(state);
  const found = new Map<string, number>();
  for (const [userId, conversation] of Object.entries(state.conversations)) {
    const newest = newestIdOf(conversation, otherSide(side));
    if (newest > conversation.delivered[side]) found.set(userId, newest);
  }
  if (isAdmin(state)) {
    for (const { summary } of Object.values(state.list.entries)) {
      const { last_message, unread_count, other_user } = summary;
      if (unread_count === 0 || !last_message || last_message.from_admin) continue;
      const known = conversationOf(state, other_user._id).delivered.admin;
      if (Number(last_message._id) > known) found.set(other_user._id, Number(last_message._id));
    }
  }
  return [...found].filter(([userId, upTo]) => upTo > (state.reading.deliveredUpTo[userId] ?? 0));
}

function reportDelivered(state: ChatState, now: Now): ChatState {
  if (!state.page.isVisible || !state.isConnected) return state;
  const due = findUndelivered(state);
  if (due.length === 0) return state;
  const reported = Object.fromEntries(due.slice(0, DELIVERED_EVENTS_PER_BATCH));
  const next = changeReading(state, { deliveredUpTo: { ...state.reading.deliveredUpTo, ...reported } });
  return due.length > DELIVERED_EVENTS_PER_BATCH ? setTimerOnce(next, 'receipts', now.ms + RETRY_MS) : next;
}

function markSeen(state: ChatState): ChatState {
  const userId = readUserId(state);
  if (state.reading.marking || userId === null || state.reading.watched[userId]?.atBottom !== true) return state;
  const conversation = conversationOf(state, userId);
  const side = sideOf(state);
  const upTo = newestIdOf(conversation, otherSide(side));
  return upTo > conversation.seen[side] ? changeReading(state, { marking: { userId, upTo } }) : state;
}

export function receiveSeen(state: ChatState, _event: EventOf<'call.seen'>, now: Now): ChatState {
  const { marking } = state.reading;
  if (!marking) return state;
  const { userId, upTo } = marking;
  const marked = changeConversation(changeReading(state, { marking: null }), userId, (known) =>
    advanceCursor(known, 'seen', sideOf(state), upTo),
  );
  // Another one may have got the focus meanwhile.
  return readUserId(marked) === userId ? marked : scheduleReceipts(marked, now);
}

/** The connection state and the remaining badge show it; repeated while the message is visible. */
export const failSeen = (state: ChatState, now: Now): ChatState =>
  setTimerOnce(changeReading(state, { marking: null }), 'receipts', now.ms + RETRY_MS);
