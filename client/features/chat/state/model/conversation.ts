import type { History, Message } from '#shared/api/chat/chat.ts';
import type { Side } from '#shared/events.ts';

/** Positions in a conversation, per side; 0 is before the first message. */
export type Cursors = Record<Side, number>;
export type LoadState = 'none' | 'busy' | 'failed';

/** The part of a history that is being read: the messages after one, or the newest page (null), as it was asked for. */
export type Refresh = {
  /** Grows with each refresh of the conversation, and the round with each page of one. */
  number: number;
  round: number;
  after: number | null;
  deletionCount: number;
  outOfOrder: readonly Message[];
  /** Asked for meanwhile: what was asked for before may be older than the reason. */
  isAgain: boolean;
};

/** The state of one conversation on this page. `messages` has no gap and is in id order. */
export type Conversation = {
  messages: readonly Message[];
  /** Received, but an earlier message is missing: shown as soon as that gap is filled. */
  outOfOrder: readonly Message[];
  /** The newest page has been read at least once. */
  loaded: boolean;
  hasOlder: boolean;
  seen: Cursors;
  delivered: Cursors;
  /** The number of deletions noticed; an answer requested before a deletion is outdated. */
  deletionCount: number;
  loadState: LoadState;
  olderLoadState: LoadState;
  /** Why the last load failed, for `messageOf` and `hintOf`. */
  error: unknown;
  /** null: nothing is being read. */
  refresh: Refresh | null;
  refreshCount: number;
  /** The number of pages read; an answer to a send that was requested before may be outdated. */
  pageCount: number;
  /** The page before this message is being read. */
  olderBefore: number | null;
};

export const emptyConversation: Conversation = {
  messages: [],
  outOfOrder: [],
  loaded: false,
  hasOlder: false,
  seen: { user: 0, admin: 0 },
  delivered: { user: 0, admin: 0 },
  deletionCount: 0,
  loadState: 'none',
  olderLoadState: 'none',
  error: null,
  refresh: null,
  refreshCount: 0,
  pageCount: 0,
  olderBefore: null,
};

/** Message ids are decimal strings that grow; as numbers they can be compared. No id gives 0. */
export function toIdNumber(id: string | null | undefined): number {
  return id ? Number(id) : 0;
}

export const idNumberOf = (message: Message): number => toIdNumber(message._id);

export function lastIdNumber(conversation: Conversation): number {
  const last = conversation.messages.at(-1);
  return last ? idNumberOf(last) : 0;
}

export function otherSide(side: Side): Side {
  return side === 'user' ? 'admin' : 'user';
}

export const sideOfMessage = (message: Message): Side => (message.from_admin ? 'admin' : 'user');

function insertOutOfOrder(outOfOrder: readonly Message[], message: Message): readonly Message[] {
  if (outOfOrder.some(({ _id }) => _id === message._id)) return outOfOrder;
  const after = outOfOrder.findIndex((other) => idNumberOf(other) > idNumberOf(message));
  return after === -1 ? [...outOfOrder, message] : [...outOfOrder.slice(0, after), message, ...outOfOrder.slice(after)];
}

/** Appends the messages that directly follow; the others stay in `outOfOrder`. */
function appendContiguous(conversation: Conversation): Conversation {
  if (!conversation.loaded || conversation.outOfOrder.length === 0) return conversation;
  const messages = [...conversation.messages];
  let last = lastIdNumber(conversation);
  const outOfOrder: Message[] = [];
  for (const message of conversation.outOfOrder) {
    if (idNumberOf(message) <= last) continue;
    if (toIdNumber(message.prev_id) === last) {
      messages.push(message);
      last = idNumberOf(message);
    } else outOfOrder.push(message);
  }
  return { ...conversation, messages, outOfOrder };
}

/** A message from an event or from the answer to a send. A repeated one changes nothing. */
export function receiveMessage(conversation: Conversation, message: Message): Conversation {
  const last = lastIdNumber(conversation);
  if (conversation.loaded && idNumberOf(message) <= last) return conversation;
  // The first message of a conversation although others are known: the history before it was deleted unnoticed.
  const base =
    conversation.loaded && last > 0 && message.prev_id === null ? clearConversation(conversation) : conversation;
  return appendContiguous({ ...base, outOfOrder: insertOutOfOrder(base.outOfOrder, message) });
}

/** Whether messages wait for missing ones before them, which have to be fetched. */
export function hasGap(conversation: Conversation): boolean {
  return conversation.loaded && conversation.outOfOrder.length > 0;
}

function withHistoryCursors(conversation: Conversation, history: History): Conversation {
  const furthest = (known: Cursors, user: string | null, admin: string | null): Cursors => ({
    user: Math.max(known.user, toIdNumber(user)),
    admin: Math.max(known.admin, toIdNumber(admin)),
  });
  return {
    ...conversation,
    seen: furthest(conversation.seen, history.user_seen_id, history.admin_seen_id),
    delivered: furthest(conversation.delivered, history.user_delivered_id, history.admin_delivered_id),
  };
}

/**
 * Applies the newest page: it replaces everything known except newer messages. Events come after their commit; so a message
 * that was out of order at the request and is not in the answer does not exist any more.
 */
export function applyNewestPage(
  conversation: Conversation,
  history: History,
  outOfOrderAtRequest: readonly Message[],
): Conversation {
  const newest = history.messages.at(-1);
  const newestId = newest ? idNumberOf(newest) : 0;
  const newer = [...conversation.messages, ...conversation.outOfOrder].filter(
    (message) => idNumberOf(message) > newestId,
  );
  return appendContiguous({
    ...withHistoryCursors(conversation, history),
    messages: history.messages,
    outOfOrder: newer.filter((message) => !outOfOrderAtRequest.includes(message)),
    loaded: true,
    hasOlder: history.has_more,
  });
}

/**
 * Applies the messages after a known one, oldest first.
 * @returns 'stale' when the answer does not continue the known messages, because the history was deleted meanwhile
 */
export function applyPageAfter(
  conversation: Conversation,
  history: History,
  after: number,
  outOfOrderAtRequest: readonly Message[],
): Conversation | 'stale' {
  const first = history.messages[0];
  if (first ? toIdNumber(first.prev_id) !== after : after > 0 && history.total === 0) return 'stale';
  const fresh = history.messages.filter((message) => idNumberOf(message) > lastIdNumber(conversation));
  const next = appendContiguous({
    ...withHistoryCursors(conversation, history),
    outOfOrder: fresh.reduce(insertOutOfOrder, conversation.outOfOrder),
  });
  if (history.has_more) return next;
  return { ...next, outOfOrder: next.outOfOrder.filter((message) => !outOfOrderAtRequest.includes(message)) };
}

/** Applies the page before the oldest known message. @returns 'stale' as `applyPageAfter` */
export function applyOlderPage(conversation: Conversation, history: History, before: number): Conversation | 'stale' {
  const first = conversation.messages[0];
  if (!first || idNumberOf(first) !== before) return conversation;
  const newest = history.messages.at(-1);
  if (toIdNumber(first.prev_id) !== (newest ? idNumberOf(newest) : 0)) return 'stale';
  return {
    ...withHistoryCursors(conversation, history),
    messages: [...history.messages, ...conversation.messages],
    hasOlder: history.has_more,
  };
}

export function advanceCursor(
  conversation: Conversation,
  kind: 'seen' | 'delivered',
  by: Side,
  upTo: number,
): Conversation {
  const delivered = { ...conversation.delivered, [by]: Math.max(conversation.delivered[by], upTo) };
  // A seen message was also delivered.
  if (kind === 'delivered') return { ...conversation, delivered };
  return { ...conversation, delivered, seen: { ...conversation.seen, [by]: Math.max(conversation.seen[by], upTo) } };
}

/** The messages with the newer answers about them: links to files end, and photos become proofs. */
export function withFreshMessages(messages: readonly Message[], fresh: readonly Message[]): readonly Message[] {
  const byId = new Map(fresh.map((message) => [message._id, message]));
  return messages.some(({ _id }) => byId.has(_id))
    ? messages.map((message) => byId.get(message._id) ?? message)
    : messages;
}

/** Applies messages that were read again; unknown ones are ignored. */
export function replaceMessages(conversation: Conversation, fresh: readonly Message[]): Conversation {
  const messages = withFreshMessages(conversation.messages, fresh);
  return messages === conversation.messages ? conversation : { ...conversation, messages };
}

/** Empties the history; the positions stay, because ids are never used again. */
function clearConversation(conversation: Conversation): Conversation {
  return {
    ...conversation,
    messages: [],
    outOfOrder: [],
    hasOlder: false,
    deletionCount: conversation.deletionCount + 1,
  };
}

/** Messages were deleted: the newest page has to be read anew, as at start. */
export const unloadConversation = (conversation: Conversation): Conversation => ({
  ...clearConversation(conversation),
  loaded: false,
});

/**
 * Counts the messages of the other side after this side's seen position. It is the same subtraction as the server's, so it
 * cannot drift. It is exact once the loaded messages reach back to that position.
 */
export function countUnread(conversation: Conversation, side: Side): number {
  const other = otherSide(side);
  return conversation.messages.filter(
    (message) => sideOfMessage(message) === other && idNumberOf(message) > conversation.seen[side],
  ).length;
}
