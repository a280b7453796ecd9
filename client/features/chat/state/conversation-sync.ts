import type { ConversationSummary, History, Message } from '#shared/api/chat/chat.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import {
  type Arrival,
  changeConversation,
  type ChatState,
  conversationIdOf,
  conversationOf,
  isAdmin,
  type Now,
  sideOf,
} from './chat-state.ts';
import type { EventOf } from './events.ts';
import {
  advanceCursor,
  applyNewestPage,
  applyOlderPage,
  applyPageAfter,
  type Conversation,
  hasGap,
  idNumberOf,
  lastIdNumber,
  receiveMessage,
  type Refresh,
  sideOfMessage,
  unloadConversation,
} from './model/conversation.ts';
import { confirmSent } from './outbox-entries.ts';
import { renewNamedPhotos } from './renewal.ts';

/** Pages of one refresh; more are needed only if a history is deleted again and again. */
const PAGES_PER_REFRESH_MAX = 50;

type NewArrival = { kind: 'message'; message: Message } | { kind: 'row'; row: ConversationSummary };

const messageIdOf = (arrival: NewArrival): string | undefined =>
  arrival.kind === 'message' ? arrival.message._id : arrival.row.last_message?._id;

/** Something came that the user is notified of. */
export function addArrival(state: ChatState, arrival: NewArrival): ChatState {
  if (state.arrivals.some((known) => messageIdOf(known) === messageIdOf(arrival))) return state;
  const number = state.arrivalCount + 1;
  const numbered: Arrival = { ...arrival, number };
  return { ...state, arrivalCount: number, arrivals: [...state.arrivals, numbered] };
}

/** This side has read a conversation up to a message, here or elsewhere. */
function advanceRead(state: ChatState, userId: string, upTo: number): ChatState {
  const { reading } = state;
  if (upTo <= (reading.readUpTo[userId] ?? 0)) return state;
  return { ...state, reading: { ...reading, readUpTo: { ...reading.readUpTo, [userId]: upTo } } };
}

/** The messages that one change brought; after a deletion all of them. */
function freshMessages(before: Conversation, after: Conversation): readonly Message[] {
  if (after.messages === before.messages) return [];
  const known = before.deletionCount === after.deletionCount ? lastIdNumber(before) : 0;
  return after.messages.filter((message) => idNumberOf(message) > known);
}

/** The only way for messages into a conversation: what is new confirms unsent messages and is reported to the user. */
function replaceConversation(state: ChatState, userId: string, after: Conversation, now: Now): ChatState {
  const before = state.conversations[userId];
  if (!before || before === after) return state;
  const placed = changeConversation(state, userId, () => after);
  const next = advanceRead(placed, userId, after.seen[sideOf(state)]);
  const fresh = freshMessages(before, after);
  if (fresh.length === 0) return next;
  const confirmed = confirmSent(
    next,
    fresh.map(({ client_id }) => client_id),
  );
  // The first page is history, not news.
  if (!before.loaded) return confirmed;
  const side = sideOf(state);
  // A message that was read elsewhere is no news either.
  const reported = fresh
    .filter((message) => sideOfMessage(message) !== side && idNumberOf(message) > after.seen[side])
    .reduce((known, message) => addArrival(known, { kind: 'message', message }), confirmed);
  return renewNamedPhotos(reported, userId, fresh, now);
}

/** The next request: the messages after the last known one, or the newest page. */
const requestPage = (
  conversation: Conversation,
  { number, round, isAgain }: Pick<Refresh, 'number' | 'round' | 'isAgain'>,
): Refresh => ({
  number,
  round,
  isAgain,
  after: conversation.loaded ? lastIdNumber(conversation) : null,
  deletionCount: conversation.deletionCount,
  outOfOrder: conversation.outOfOrder,
});

/** Starts a new refresh even if one is under way: after a change of network that one may hang until its timeout. */
export function startRefresh(state: ChatState, userId: string): ChatState {
  const started = changeConversation(state, userId, (conversation) => {
    const refreshCount = conversation.refreshCount + 1;
    const refresh = requestPage(conversation, { number: refreshCount, round: 0, isAgain: false });
    return { ...conversation, refreshCount, refresh, loadState: 'busy' };
  });
  const jump = started.jumps[userId];
  if (jump?.catchUp !== 'failed') return started;
  return { ...started, jumps: { ...started.jumps, [userId]: { ...jump, catchUp: 'running' } } };
}

/** Brings one conversation up to date; while it is being read it is read once more. */
export function refreshConversation(state: ChatState, userId: string): ChatState {
  const { refresh } = conversationOf(state, userId);
  if (!refresh) return startRefresh(state, userId);
  return changeConversation(state, userId, (known) => ({ ...known, refresh: { ...refresh, isAgain: true } }));
}

/** For timers: a refresh that is under way already brings the same result. */
export const pollConversation = (state: ChatState, userId: string): ChatState =>
  conversationOf(state, userId).refresh ? state : startRefresh(state, userId);

/** The jump that waited for this refresh: what did not come with it does not exist any more. */
function endCatchUp(state: ChatState, userId: string, hasSucceeded: boolean): ChatState {
  const jump = state.jumps[userId];
  if (jump?.catchUp !== 'running') return state;
  const last = jump.segment?.messages.at(-1);
  const isBehind = last !== undefined && lastIdNumber(conversationOf(state, userId)) < idNumberOf(last);
  const { [userId]: _jump, ...others } = state.jumps;
  // The history was deleted, and this page has missed the event.
  if (hasSucceeded && isBehind) return { ...state, jumps: others };
  return { ...state, jumps: { ...others, [userId]: { ...jump, catchUp: hasSucceeded ? 'none' : 'failed' } } };
}

function endRefresh(state: ChatState, userId: string, change: Pick<Conversation, 'loadState' | 'error'>): ChatState {
  const isAgain = conversationOf(state, userId).refresh?.isAgain ?? false;
  const ended = changeConversation(state, userId, (known) => ({ ...known, ...change, refresh: null }));
  return isAgain ? startRefresh(ended, userId) : endCatchUp(ended, userId, change.loadState === 'none');
}

/** The conversation with the page that was asked for, and whether another one is needed. */
function applyPage(
  conversation: Conversation,
  { after, deletionCount, outOfOrder }: Refresh,
  history: History,
): { next: Conversation; hasMore: boolean } {
  if (conversation.deletionCount !== deletionCount) return { next: conversation, hasMore: true };
  const next =
    after === null
      ? applyNewestPage(conversation, history, outOfOrder)
      : applyPageAfter(conversation, history, after, outOfOrder);
  // Load again from the newest page, as at start.
  if (next === 'stale') return { next: unloadConversation(conversation), hasMore: true };
  return { next, hasMore: hasGap(next) || (after !== null && history.has_more) };
}

export function receiveHistory(
  state: ChatState,
  { userId, history }: EventOf<'call.historyLoaded'>,
  now: Now,
): ChatState {
  const conversation = conversationOf(state, userId);
  const { refresh, pageCount } = conversation;
  if (!refresh) return state;
  const { next, hasMore } = applyPage(conversation, refresh, history);
  const placed = replaceConversation(state, userId, { ...next, pageCount: pageCount + 1 }, now);
  if (!hasMore || refresh.round + 1 >= PAGES_PER_REFRESH_MAX) {
    return endRefresh(placed, userId, { loadState: 'none', error: null });
  }
  return changeConversation(placed, userId, (known) => ({
    ...known,
    refresh: requestPage(known, { ...refresh, round: refresh.round + 1 }),
  }));
}

export const failHistory = (state: ChatState, { userId, error }: EventOf<'call.historyFailed'>): ChatState =>
  endRefresh(state, userId, { loadState: 'failed', error });

export function readOlder(state: ChatState, { userId }: EventOf<'user.readsOlder'>): ChatState {
  const { messages, hasOlder } = conversationOf(state, userId);
  const [first] = messages;
  if (!first || !hasOlder) return state;
  const olderBefore = idNumberOf(first);
  return changeConversation(state, userId, (known) => ({ ...known, olderLoadState: 'busy', olderBefore }));
}

export function receiveOlder(state: ChatState, { userId, history }: EventOf<'call.olderLoaded'>): ChatState {
  const conversation = conversationOf(state, userId);
  const { olderBefore } = conversation;
  if (olderBefore === null) return state;
  const idle: Conversation = { ...conversation, olderLoadState: 'none', olderBefore: null };
  const next = applyOlderPage(idle, history, olderBefore);
  if (next !== 'stale') return changeConversation(state, userId, () => next);
  const cleared = changeConversation(state, userId, () => unloadConversation(idle));
  return refreshConversation(cleared, userId);
}

export const failOlder = (state: ChatState, { userId, error }: EventOf<'call.olderFailed'>): ChatState =>
  changeConversation(state, userId, (known) => ({ ...known, olderLoadState: 'failed', olderBefore: null, error }));

/** A message from an event or from the answer to a send. Missing messages before it are fetched. */
export function placeMessage(state: ChatState, message: Message, now: Now): ChatState {
  const userId = conversationIdOf(state, message.user_id);
  const placed = replaceConversation(state, userId, receiveMessage(conversationOf(state, userId), message), now);
  return hasGap(conversationOf(placed, userId)) ? refreshConversation(placed, userId) : placed;
}

/** Messages were deleted, all or only old ones: loads what is left as at start, because none of it is news. */
export function clearHistory(state: ChatState, userId: string): ChatState {
  const known = conversationOf(state, userId);
  const cleared = changeConversation(state, userId, () => unloadConversation(known));
  return known.loaded ? refreshConversation(cleared, userId) : cleared;
}

export function moveSeen(state: ChatState, { payload }: EventOf<'socket.conversation:seen'>): ChatState {
  const userId = conversationIdOf(state, payload.user_id);
  const upTo = Number(payload.up_to);
  const moved = changeConversation(state, userId, (known) => advanceCursor(known, 'seen', payload.by, upTo));
  return payload.by === sideOf(state) ? advanceRead(moved, userId, upTo) : moved;
}

export function moveDelivered(state: ChatState, { payload }: EventOf<'socket.conversation:delivered'>): ChatState {
  const userId = conversationIdOf(state, payload.user_id);
  return changeConversation(state, userId, (known) =>
    advanceCursor(known, 'delivered', payload.by, Number(payload.up_to)),
  );
}

/** A component shows a conversation; the first load of the page comes with all others. */
export function openConversation(state: ChatState, { userId }: EventOf<'user.opens'>): ChatState {
  const open = { ...state.open, [userId]: (state.open[userId] ?? 0) + 1 };
  const conversations = { ...state.conversations, [userId]: conversationOf(state, userId) };
  const opened: ChatState = { ...state, open, conversations };
  return state.mayLoad ? refreshConversation(opened, userId) : opened;
}

export function closeConversation(state: ChatState, { userId }: EventOf<'user.closes'>): ChatState {
  const { [userId]: count = 0, ...others } = state.open;
  return { ...state, open: count > 1 ? { ...others, [userId]: count - 1 } : others };
}

/** Reads again what is on the screen and could not be read. */
export function retryFailedConversations(state: ChatState): ChatState {
  return Object.keys(state.open)
    .filter((userId) => isWorthRetrying(state, userId))
    .reduce(pollConversation, state);
}

function isWorthRetrying(state: ChatState, userId: string): boolean {
  const { loadState, error } = conversationOf(state, userId);
  // An account that an admin cannot find does not come back by asking again.
  const isGone = isAdmin(state) && error instanceof ApiError && (error.status === 403 || error.status === 404);
  return loadState === 'failed' && !isGone;
}

/** Whether a conversation is read now, or one on the screen will be read again after an error. */
export function isBeingRead(state: ChatState, userId: string): boolean {
  const { refresh, loaded } = conversationOf(state, userId);
  return refresh !== null || (loaded && userId in state.open && isWorthRetrying(state, userId));
}

export const pollConversations = (state: ChatState): ChatState =>
  Object.keys(state.open).reduce(pollConversation, state);

export const reloadConversations = (state: ChatState): ChatState => Object.keys(state.open).reduce(startRefresh, state);
