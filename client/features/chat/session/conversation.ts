import type { History, Message } from '#shared/api/chat.ts';
import type { Side } from '#shared/events.ts';

/** Positions in a conversation, per side; 0 is before the first message. */
export type Cursors = Record<Side, number>;
export type LoadState = 'none' | 'busy' | 'failed';

/** What this page knows of one conversation. `messages` is always one run without a gap, in id order. */
export type Conversation = {
  messages: readonly Message[];
  /** Pushed, but something before them is missing: shown as soon as the catch-up has filled the gap. */
  outOfOrder: readonly Message[];
  /** The newest page has been read at least once. */
  loaded: boolean;
  hasOlder: boolean;
  seen: Cursors;
  delivered: Cursors;
  /** How many deletions were noticed; an answer that was asked for before one of them is worth nothing. */
  epoch: number;
  loadState: LoadState;
  olderLoadState: LoadState;
  /** Why the last load failed, for `messageOf` and `hintOf`. */
  error: unknown;
};

export const emptyConversation: Conversation = {
  messages: [],
  outOfOrder: [],
  loaded: false,
  hasOlder: false,
  seen: { user: 0, admin: 0 },
  delivered: { user: 0, admin: 0 },
  epoch: 0,
  loadState: 'none',
  olderLoadState: 'none',
  error: null,
};

/** Message ids are decimal strings that grow; as numbers they can be compared. Nothing is 0. */
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

/** Appends what follows on directly; the rest stays aside. */
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

/** A message from a push or an answer to a send. The same one again changes nothing. */
export function receiveMessage(conversation: Conversation, message: Message): Conversation {
  const last = lastIdNumber(conversation);
  if (conversation.loaded && idNumberOf(message) <= last) return conversation;
  // The first message of all, although others are known: the history before it was deleted unnoticed.
  const base =
    conversation.loaded && last > 0 && message.prev_id === null ? clearConversation(conversation) : conversation;
  return appendContiguous({ ...base, outOfOrder: insertOutOfOrder(base.outOfOrder, message) });
}

/** Whether messages wait for others before them: time to ask for what came after the last known one. */
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
 * The newest page: replaces what was known, except for pushes that are newer still. `asideBefore` is what was set aside when the
 * page was asked for: a push comes after its commit, so whatever of it the answer lacks does not exist any more.
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
 * What came after a message, oldest first. @returns 'stale' when the answer does not continue what is known: the history was
 * deleted meanwhile and has to be read afresh.
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

/** The page before the oldest known message. @returns 'stale' as above. */
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
  // What was read was certainly delivered.
  if (kind === 'delivered') return { ...conversation, delivered };
  return { ...conversation, delivered, seen: { ...conversation.seen, [by]: Math.max(conversation.seen[by], upTo) } };
}

/** Empties the history; positions stay, ids never come back. */
export function clearConversation(conversation: Conversation): Conversation {
  return { ...conversation, messages: [], outOfOrder: [], hasOlder: false, epoch: conversation.epoch + 1 };
}

/**
 * Messages of the other side beyond this side's seen position. The same subtraction as the server's, so it cannot drift; exact as
 * soon as what is loaded reaches back to that position.
 */
export function countUnread(conversation: Conversation, side: Side): number {
  const other = otherSide(side);
  return conversation.messages.filter(
    (message) => sideOfMessage(message) === other && idNumberOf(message) > conversation.seen[side],
  ).length;
}
