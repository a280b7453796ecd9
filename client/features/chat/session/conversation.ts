import type { History, Message } from '#shared/api/chat.ts';
import type { Side } from '#shared/chat-events.ts';

/** Positions in a conversation, per side; 0 is before the first message. */
export type Cursors = Record<Side, number>;
export type LoadState = 'none' | 'busy' | 'failed';

/** What this page knows of one conversation. `messages` is always one run without a gap, in id order. */
export type Conversation = {
  messages: readonly Message[];
  /** Pushed, but something before them is missing: shown as soon as the catch-up has filled the gap. */
  ahead: readonly Message[];
  /** The newest page has been read at least once. */
  loaded: boolean;
  hasOlder: boolean;
  seen: Cursors;
  delivered: Cursors;
  /** How many deletions were noticed; an answer that was asked for before one of them is worth nothing. */
  epoch: number;
  load: LoadState;
  older: LoadState;
  /** Why the last load failed, for `messageOf` and `hintOf`. */
  error: unknown;
};

export const newConversation: Conversation = {
  messages: [],
  ahead: [],
  loaded: false,
  hasOlder: false,
  seen: { user: 0, admin: 0 },
  delivered: { user: 0, admin: 0 },
  epoch: 0,
  load: 'none',
  older: 'none',
  error: null,
};

/** Message ids are decimal strings that grow; as numbers they can be compared. Nothing is 0. */
export function idNumber(id: string | null | undefined): number {
  return id ? Number(id) : 0;
}

export const numberOf = (message: Message): number => idNumber(message._id);

export function lastId(conversation: Conversation): number {
  const last = conversation.messages.at(-1);
  return last ? numberOf(last) : 0;
}

export function otherSide(side: Side): Side {
  return side === 'user' ? 'admin' : 'user';
}

export const sideOfMessage = (message: Message): Side => (message.from_admin ? 'admin' : 'user');

function setAside(ahead: readonly Message[], message: Message): readonly Message[] {
  if (ahead.some(({ _id }) => _id === message._id)) return ahead;
  const after = ahead.findIndex((other) => numberOf(other) > numberOf(message));
  return after === -1 ? [...ahead, message] : [...ahead.slice(0, after), message, ...ahead.slice(after)];
}

/** Appends what follows on directly; the rest stays aside. */
function drain(conversation: Conversation): Conversation {
  if (!conversation.loaded || conversation.ahead.length === 0) return conversation;
  const messages = [...conversation.messages];
  let last = lastId(conversation);
  const ahead: Message[] = [];
  for (const message of conversation.ahead) {
    if (numberOf(message) <= last) continue;
    if (idNumber(message.prev_id) === last) {
      messages.push(message);
      last = numberOf(message);
    } else ahead.push(message);
  }
  return { ...conversation, messages, ahead };
}

/** A message from a push or an answer to a send. The same one again changes nothing. */
export function receiveMessage(conversation: Conversation, message: Message): Conversation {
  const last = lastId(conversation);
  if (conversation.loaded && numberOf(message) <= last) return conversation;
  // The first message of all, although others are known: the history before it was deleted unnoticed.
  const base =
    conversation.loaded && last > 0 && message.prev_id === null ? clearConversation(conversation) : conversation;
  return drain({ ...base, ahead: setAside(base.ahead, message) });
}

/** Whether messages wait for others before them: time to ask for what came after the last known one. */
export function hasGap(conversation: Conversation): boolean {
  return conversation.loaded && conversation.ahead.length > 0;
}

function withCursors(conversation: Conversation, history: History): Conversation {
  const furthest = (known: Cursors, user: string | null, admin: string | null): Cursors => ({
    user: Math.max(known.user, idNumber(user)),
    admin: Math.max(known.admin, idNumber(admin)),
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
export function applyNewest(
  conversation: Conversation,
  history: History,
  asideBefore: readonly Message[],
): Conversation {
  const newest = history.messages.at(-1);
  const reach = newest ? numberOf(newest) : 0;
  const newer = [...conversation.messages, ...conversation.ahead].filter((message) => numberOf(message) > reach);
  return drain({
    ...withCursors(conversation, history),
    messages: history.messages,
    ahead: newer.filter((message) => !asideBefore.includes(message)),
    loaded: true,
    hasOlder: history.has_more,
  });
}

/**
 * What came after a message, oldest first. @returns 'stale' when the answer does not continue what is known: the history was
 * deleted meanwhile and has to be read afresh.
 */
export function applyAfter(
  conversation: Conversation,
  history: History,
  after: number,
  asideBefore: readonly Message[],
): Conversation | 'stale' {
  const first = history.messages[0];
  if (first ? idNumber(first.prev_id) !== after : after > 0 && history.total === 0) return 'stale';
  const fresh = history.messages.filter((message) => numberOf(message) > lastId(conversation));
  const next = drain({
    ...withCursors(conversation, history),
    ahead: fresh.reduce(setAside, conversation.ahead),
  });
  if (history.has_more) return next;
  return { ...next, ahead: next.ahead.filter((message) => !asideBefore.includes(message)) };
}

/** The page before the oldest known message. @returns 'stale' as above. */
export function applyOlder(conversation: Conversation, history: History, before: number): Conversation | 'stale' {
  const first = conversation.messages[0];
  if (!first || numberOf(first) !== before) return conversation;
  const newest = history.messages.at(-1);
  if (idNumber(first.prev_id) !== (newest ? numberOf(newest) : 0)) return 'stale';
  return {
    ...withCursors(conversation, history),
    messages: [...history.messages, ...conversation.messages],
    hasOlder: history.has_more,
  };
}

export function moveCursor(
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
  return { ...conversation, messages: [], ahead: [], hasOlder: false, epoch: conversation.epoch + 1 };
}

/**
 * Messages of the other side beyond this side's seen position. The same subtraction as the server's, so it cannot drift; exact as
 * soon as what is loaded reaches back to that position.
 */
export function countUnread(conversation: Conversation, side: Side): number {
  const other = otherSide(side);
  return conversation.messages.filter(
    (message) => sideOfMessage(message) === other && numberOf(message) > conversation.seen[side],
  ).length;
}
