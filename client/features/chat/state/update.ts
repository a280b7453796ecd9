import { CHAT_POLL_CONVERSATION_MS, CHAT_POLL_LIST_MS, CHAT_POLL_NEW_MS } from '#shared/limits.ts';
import {
  type ChatState,
  clearTimer,
  conversationIdOf,
  emptyChatState,
  isAdmin,
  type Now,
  setTimer,
} from './chat-state.ts';
import {
  addArrival,
  clearHistory,
  closeConversation,
  failHistory,
  failOlder,
  moveDelivered,
  moveSeen,
  openConversation,
  placeMessage,
  pollConversations,
  readOlder,
  receiveHistory,
  receiveOlder,
  reloadConversations,
  retryFailedConversations,
  startRefresh,
} from './conversation-sync.ts';
import type { ChatEvent, EventOf, ListEventType } from './events.ts';
import { endJump, failBeside, failJump, jumpTo, readBeside, receiveBeside, receiveJump, reviewJumps } from './jump.ts';
import { sideOfMessage } from './model/conversation.ts';
import { emptyEphemeralState } from './model/ephemeral-state.ts';
import { withoutClaims } from './model/outbox-entry.ts';
import { MissingFileError } from './model/retry-policy.ts';
import { endFileJob } from './outbox-entries.ts';
import { reportAnswer, reportFailure, wishConnection } from './reachability.ts';
import {
  failSeen,
  focusConversation,
  forgetDelivered,
  receiveSeen,
  reportReceipts,
  scheduleReceipts,
  unwatch,
  watch,
} from './reading.ts';
import { askForMessages, failRenewal, receiveRenewed, renewMessage, renewProofsOf, showProof } from './renewal.ts';
import {
  endLoadings,
  failSend,
  failUpload,
  flushOutbox,
  followOtherTabs,
  keepOwn,
  proceed,
  receiveSent,
  receiveUpload,
  renewClaims,
  resumeSending,
  sendMessage,
  sendNext,
  dropPointlessSends,
  showProgress,
} from './sending.ts';
import { cancelUpload, discard, removeFile, sendAgain, sendAll, sendHeld } from './unsent-messages.ts';
import { expireTypists, removeSender, showTypist, showViewers, stopTyping, typeText } from './typing.ts';
import { forgetReportedViewing, leaveView, view } from './viewing.ts';

/** A socket is connected within this time on a usual network; on a weak one the page waits no longer for it. */
export const FIRST_LOAD_WAIT_MS = 500;
/** After a longer absence the socket may be dead without noticing it; loading through REST shows the state at once. */
const CATCH_UP_AFTER_HIDDEN_MS = 5000;

type Start = Pick<ChatState, 'currentUser' | 'tabId' | 'outbox' | 'page'>;

/** The chat at the start of a page: nothing is loaded, and the first load waits for the socket. */
export function startState(start: Start, now: Now): ChatState {
  const { currentUser } = start;
  const userId = currentUser?.side === 'user' ? currentUser.id : null;
  const list = { ...emptyChatState.list, adminId: currentUser?.id ?? '' };
  const initial = forgetReportedViewing({ ...emptyChatState, ...start, list });
  // The badge and the notifications of a user need the conversation even while the panel is closed.
  const opened = userId === null ? initial : openConversation(initial, { type: 'user.opens', userId });
  return startPolling(setTimer(opened, 'firstLoad', now.ms + FIRST_LOAD_WAIT_MS), now);
}

/**
 * Replaces the socket while it is not connected (R-CHAT-15). A user's conversation is polled every 5 s, and every 3 s for new
 * messages. An admin's open conversation is polled every 5 s, the list every 10 s. Hidden tabs poll too, because notifications
 * depend on it.
 */
function startPolling(state: ChatState, now: Now): ChatState {
  const polling = setTimer(state, 'pollConversations', now.ms + CHAT_POLL_CONVERSATION_MS);
  return isAdmin(state)
    ? setTimer(polling, 'pollList', now.ms + CHAT_POLL_LIST_MS)
    : setTimer(polling, 'pollNewMessages', now.ms + CHAT_POLL_NEW_MS);
}

function stopPolling(state: ChatState): ChatState {
  return clearTimer(clearTimer(clearTimer(state, 'pollConversations'), 'pollNewMessages'), 'pollList');
}

/** Loads everything on the screen and sends what waits. */
function catchUp(state: ChatState, now: Now): ChatState {
  const opened = clearTimer({ ...state, mayLoad: true }, 'firstLoad');
  const counted = { ...opened, catchUpCount: opened.catchUpCount + 1 };
  return flushOutbox(reloadConversations(counted), now);
}

function connect(state: ChatState, now: Now): ChatState {
  // An event may have been missed meanwhile, except after a deletion, which is final.
  const known = Object.entries(state.changedUsers).filter(([, { change }]) => change === 'deleted');
  const connected = { ...state, isConnected: true, changedUsers: Object.fromEntries(known) };
  return forgetReportedViewing(forgetDelivered(catchUp(stopPolling(connected), now)));
}

/** Offline until a poll or the next connection proves otherwise. */
const disconnect = (state: ChatState, now: Now): ChatState =>
  startPolling({ ...state, isConnected: false, lastPollSucceeded: false, ephemeral: emptyEphemeralState }, now);

function receiveMessage(state: ChatState, event: EventOf<'socket.message:new'>, now: Now): ChatState {
  const placed = removeSender(placeMessage(state, event.payload, now), event);
  const isOwnSide = sideOfMessage(event.payload) === state.currentUser?.side;
  return isOwnSide ? placed : addArrival(placed, { kind: 'message', message: event.payload });
}

/** A user has no list; the total counts until the own conversation is loaded. */
const receiveUnread = (state: ChatState, { payload }: EventOf<'socket.unread'>): ChatState =>
  isAdmin(state) ? state : { ...state, list: { ...state.list, totalUnread: payload.total_unread } };

function changePage(state: ChatState, { isVisible, hasFocus }: EventOf<'page.changed'>, now: Now): ChatState {
  const { hiddenAtMs } = state.page;
  const wasAway = isVisible && hiddenAtMs !== null && now.ms - hiddenAtMs > CATCH_UP_AFTER_HIDDEN_MS;
  const page = { isVisible, hasFocus, hiddenAtMs: isVisible ? null : (hiddenAtMs ?? now.ms) };
  const changed: ChatState = { ...state, page };
  return wasAway ? catchUp(changed, now) : changed;
}

function passTime(state: ChatState, { name, userId }: EventOf<'time'>, now: Now): ChatState {
  const due = clearTimer(state, name, userId);
  switch (name) {
    case 'firstLoad':
      return catchUp(due, now);
    case 'pollConversations':
      return setTimer(pollConversations(due), name, now.ms + CHAT_POLL_CONVERSATION_MS);
    case 'pollNewMessages':
      return setTimer(pollConversations(due), name, now.ms + CHAT_POLL_NEW_MS);
    case 'pollList':
      return setTimer(due, name, now.ms + CHAT_POLL_LIST_MS);
    case 'retryFailed':
      return retryFailedConversations(due);
    case 'typistsExpire':
      return expireTypists(due, now);
    case 'ownTypingEnds':
      return stopTyping(due);
    case 'receipts':
      return reportReceipts(due, now);
    case 'recount':
    case 'reloadSummaries':
      // Only an admin's page has a list: admin-update.ts.
      return due;
    case 'renewMessages':
      return askForMessages(due, userId);
    case 'claimSettles':
      return proceed(due, userId, now);
    case 'retrySend':
      return sendNext(due, userId, now);
  }
}

/** The functions for some of the events. */
export type Handlers<Type extends ChatEvent['type']> = {
  [T in Type]: (state: ChatState, event: EventOf<T>, now: Now) => ChatState;
};

/** The change of the state by each event, except for the list of an admin. */
const handlers: Handlers<Exclude<ChatEvent['type'], ListEventType>> = {
  'socket.connected': (state, _event, now) => connect(state, now),
  'socket.disconnected': (state, _event, now) => disconnect(state, now),
  'socket.message:new': receiveMessage,
  'socket.unread': receiveUnread,
  'socket.conversation:seen': moveSeen,
  'socket.conversation:delivered': moveDelivered,
  'socket.conversation:deleted': (state, { payload }) => clearHistory(state, conversationIdOf(state, payload.user_id)),
  'socket.tax-record:changed': renewProofsOf,
  'socket.typing': showTypist,
  'socket.viewing': showViewers,

  'call.contactLoaded': (state, event) => ({ ...state, adminContact: event.contact }),
  'call.historyLoaded': receiveHistory,
  'call.historyFailed': failHistory,
  'call.olderLoaded': receiveOlder,
  'call.olderFailed': failOlder,
  'call.jumpLoaded': receiveJump,
  'call.jumpFailed': failJump,
  'call.besideLoaded': receiveBeside,
  'call.besideFailed': failBeside,
  'call.messagesRenewed': receiveRenewed,
  'call.renewalFailed': (state, event) => failRenewal(state, event.userId),
  'call.uploadProgressed': showProgress,
  'call.uploaded': receiveUpload,
  'call.uploadFailed': failUpload,
  'call.sent': receiveSent,
  'call.sendFailed': failSend,
  'call.seen': receiveSeen,
  'call.seenFailed': (state, _event, now) => failSeen(state, now),
  'call.historyDeleted': (state, { userId }) => clearHistory(state, userId),

  'user.opens': openConversation,
  'user.closes': closeConversation,
  'user.reloads': (state, event) => startRefresh(state, event.userId),
  'user.readsOlder': readOlder,
  'user.jumps': jumpTo,
  'user.readsBeside': readBeside,
  'user.endsJump': (state, event) => endJump(state, event.userId),
  'user.renewsMessage': (state, event, now) => renewMessage(state, event.userId, event.messageId, now),
  'user.filesProof': showProof,
  'user.watches': watch,
  'user.unwatches': unwatch,
  'user.focuses': focusConversation,
  'user.views': view,
  'user.leavesView': leaveView,
  'user.types': typeText,
  'user.sends': sendMessage,
  'user.sendsAgain': sendAgain,
  'user.sendsHeld': sendHeld,
  'user.sendsAll': (state, _event, now) => sendAll(wishConnection(state), now),
  'user.discards': discard,
  'user.cancelsUpload': cancelUpload,
  'user.removesFile': removeFile,
  'user.retriesNow': (state, _event, now) => catchUp(wishConnection(state), now),

  'page.changed': changePage,
  'page.leaves': (state) => ({ ...state, outbox: withoutClaims(state.outbox, state.tabId) }),
  'page.offline': (state) => ({ ...state, lastPollSucceeded: false }),
  'page.restored': (state, _event, now) => catchUp(state, now),
  'page.online': (state, _event, now) => catchUp(state, now),

  'storage.changed': (state, _event, now) => followOtherTabs(state, now),
  'storage.checked': (state, event, now) => keepOwn(renewClaims(state, now), event, now),

  'done.viewingReported': (state, event) => ({ ...state, reportedViewing: event.viewing }),
  'done.filesHandled': (state, event) => endFileJob(state, event.number),
  'done.notified': (state, event) => ({
    ...state,
    arrivals: state.arrivals.filter(({ number }) => number !== event.number),
  }),

  time: passTime,
};

/** Ends of calls that say nothing of whether the server can be reached, or that belong to a call with an end of its own. */
const SAYS_NOTHING = new Set<ChatEvent['type']>([
  ...(['call.contactLoaded', 'call.uploadProgressed', 'call.seen', 'call.seenFailed'] as const),
  ...(['call.historyDeleted', 'call.totalsLoaded'] as const),
]);

/** Learns from a call whether the server can be reached, and sends what waits for it. */
function learnFromCall(state: ChatState, event: ChatEvent, now: Now): ChatState {
  if (!event.type.startsWith('call.') || SAYS_NOTHING.has(event.type)) return state;
  if (!('error' in event)) return resumeSending(reportAnswer(state, now), now);
  // Nothing was asked of the server.
  return event.error instanceof MissingFileError ? state : reportFailure(state, event.error, now);
}

/** Applies the rules that hold after each change, whichever event made it. */
function applyRules(before: ChatState, after: ChatState, now: Now): ChatState {
  const sent = dropPointlessSends(after, now);
  const isJumpTouched = sent.jumps !== before.jumps || sent.conversations !== before.conversations;
  const jumped = isJumpTouched ? reviewJumps(sent) : sent;
  const hasMoved = jumped.conversations !== before.conversations;
  const loaded = hasMoved || jumped.open !== before.open ? endLoadings(jumped, now) : jumped;
  const isReceiptTouched =
    hasMoved ||
    loaded.list !== before.list ||
    loaded.isConnected !== before.isConnected ||
    loaded.lastPollSucceeded !== before.lastPollSucceeded ||
    loaded.page !== before.page ||
    loaded.reading.watched !== before.reading.watched ||
    loaded.reading.focusedUserId !== before.reading.focusedUserId;
  return isReceiptTouched ? scheduleReceipts(loaded, now) : loaded;
}

/** Hands an event to its function; without one nothing follows from it here. */
export function handle(
  functions: Partial<Handlers<ChatEvent['type']>>,
  state: ChatState,
  event: ChatEvent,
  now: Now,
): ChatState {
  // The function and the event have the same type; the compiler cannot follow that through the table.
  return functions[event.type]?.(state, event as never, now) ?? state;
}

/** The state after an event. Nothing but data in and data out: the same input always gives the same state. */
export function update(state: ChatState, event: ChatEvent, now: Now): ChatState {
  const learned = learnFromCall(state, event, now);
  return applyRules(state, handle(handlers, learned, event, now), now);
}
