import { CHAT_POLL_CONVERSATION_MS, CHAT_POLL_LIST_MS, CHAT_POLL_NEW_MS } from '#shared/limits.ts';
import { type ChatState, clearTimer, emptyChatState, isAdmin, type Now, setTimer } from './chat-state.ts';
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
import type { ChatEvent, EventOf } from './events.ts';
import { endJump, failBeside, failJump, jumpTo, readBeside, receiveBeside, receiveJump, settleJumps } from './jump.ts';
import { failCount, receiveCounts, recount } from './list-counts.ts';
import {
  failRows,
  hideList,
  listDeletion,
  listMessage,
  listNotes,
  listState,
  listUnread,
  listUserChange,
  pollLists,
  readMoreRows,
  receiveRows,
  receiveTotals,
  refreshList,
  reloadLists,
  retryFailedLists,
  showList,
} from './list-sync.ts';
import { sideOfMessage } from './model/conversation.ts';
import { clearConversationInList } from './model/conversation-list.ts';
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
  cancelUpload,
  discard,
  endLoadings,
  failSend,
  failUpload,
  flushOutbox,
  followOtherTabs,
  keepOwn,
  proceed,
  receiveSent,
  receiveUpload,
  removeFile,
  renewClaims,
  resumeSending,
  sendAgain,
  sendAll,
  sendHeld,
  sendMessage,
  sendNext,
  settleLanes,
  showProgress,
} from './sending.ts';
import { askForSummaries, failSummaries, receiveSummaries, unwatchSummary, watchSummary } from './summary-reload.ts';
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
  return flushOutbox(reloadLists(reloadConversations(opened), now), now);
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
  const placed = removeSender(listMessage(placeMessage(state, event.payload, now), event, now), event);
  const isOwnSide = sideOfMessage(event.payload) === state.currentUser?.side;
  return isOwnSide ? placed : addArrival(placed, { kind: 'message', message: event.payload });
}

function receiveDeletion(state: ChatState, event: EventOf<'socket.conversation:deleted'>, now: Now): ChatState {
  const { user_id } = event.payload;
  const userId = state.currentUser?.side === 'user' ? state.currentUser.id : user_id;
  return clearHistory(listDeletion(state, event, now), userId, now);
}

function confirmDeletion(state: ChatState, { userId }: EventOf<'call.historyDeleted'>, now: Now): ChatState {
  return clearHistory({ ...state, list: clearConversationInList(state.list, userId) }, userId, now);
}

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
      return setTimer(pollLists(due, now), name, now.ms + CHAT_POLL_LIST_MS);
    case 'retryFailed':
      return retryFailedLists(retryFailedConversations(due));
    case 'typistsExpire':
      return expireTypists(due, now);
    case 'ownTypingEnds':
      return stopTyping(due);
    case 'receipts':
      return reportReceipts(due, now);
    case 'recount':
      return recount(due, now);
    case 'reloadSummaries':
      return askForSummaries(due);
    case 'renewMessages':
      return askForMessages(due, userId);
    case 'claimSettles':
      return proceed(due, userId, now);
    case 'retrySend':
      return sendNext(due, userId, now);
  }
}

function applyEvent(state: ChatState, event: ChatEvent, now: Now): ChatState {
  switch (event.type) {
    case 'socket.connected':
      return connect(state, now);
    case 'socket.disconnected':
      return disconnect(state, now);
    case 'socket.message:new':
      return receiveMessage(state, event, now);
    case 'socket.unread':
      return listUnread(state, event, now);
    case 'socket.conversation:state':
      return listState(state, event.payload, now);
    case 'socket.conversation:seen':
      return moveSeen(state, event);
    case 'socket.conversation:delivered':
      return moveDelivered(state, event);
    case 'socket.conversation:deleted':
      return receiveDeletion(state, event, now);
    case 'socket.note:changed':
      return listNotes(state, event, now);
    case 'socket.user:changed':
      return listUserChange(state, event, now);
    case 'socket.tax-record:changed':
      return renewProofsOf(state, event, now);
    case 'socket.typing':
      return showTypist(state, event, now);
    case 'socket.viewing':
      return showViewers(state, event);

    case 'call.contactLoaded':
      return { ...state, adminContact: event.contact };
    case 'call.historyLoaded':
      return receiveHistory(state, event, now);
    case 'call.historyFailed':
      return failHistory(state, event);
    case 'call.olderLoaded':
      return receiveOlder(state, event);
    case 'call.olderFailed':
      return failOlder(state, event);
    case 'call.jumpLoaded':
      return receiveJump(state, event);
    case 'call.jumpFailed':
      return failJump(state, event);
    case 'call.besideLoaded':
      return receiveBeside(state, event);
    case 'call.besideFailed':
      return failBeside(state, event);
    case 'call.messagesRenewed':
      return receiveRenewed(state, event);
    case 'call.renewalFailed':
      return failRenewal(state, event.userId);
    case 'call.listLoaded':
      return receiveRows(state, event, now);
    case 'call.listFailed':
      return failRows(state, event);
    case 'call.counted':
      return receiveCounts(state, event);
    case 'call.countFailed':
      return failCount(state, event, now);
    case 'call.summariesLoaded':
      return receiveSummaries(state, event, now);
    case 'call.summariesFailed':
      return failSummaries(state, event, now);
    case 'call.totalsLoaded':
      return receiveTotals(state, event);
    case 'call.uploadProgressed':
      return showProgress(state, event, now);
    case 'call.uploaded':
      return receiveUpload(state, event, now);
    case 'call.uploadFailed':
      return failUpload(state, event, now);
    case 'call.sent':
      return receiveSent(state, event, now);
    case 'call.sendFailed':
      return failSend(state, event, now);
    case 'call.seen':
      return receiveSeen(state, event, now);
    case 'call.seenFailed':
      return failSeen(state, now);
    case 'call.historyDeleted':
      return confirmDeletion(state, event, now);

    case 'user.opens':
      return openConversation(state, event);
    case 'user.closes':
      return closeConversation(state, event);
    case 'user.reloads':
      return startRefresh(state, event.userId);
    case 'user.readsOlder':
      return readOlder(state, event);
    case 'user.jumps':
      return jumpTo(state, event);
    case 'user.readsBeside':
      return readBeside(state, event);
    case 'user.endsJump':
      return endJump(state, event.userId);
    case 'user.renewsMessage':
      return renewMessage(state, event.userId, event.messageId, now);
    case 'user.filesProof':
      return showProof(state, event);
    case 'user.showsList':
      return showList(state, event);
    case 'user.hidesList':
      return hideList(state, event);
    case 'user.reloadsList':
      return refreshList(state, event.filter);
    case 'user.readsMoreRows':
      return readMoreRows(state, event);
    case 'user.watchesSummary':
      return watchSummary(state, event, now);
    case 'user.unwatchesSummary':
      return unwatchSummary(state, event);
    case 'user.changedState':
      return listState(state, event.update, now);
    case 'user.watches':
      return watch(state, event);
    case 'user.unwatches':
      return unwatch(state, event);
    case 'user.focuses':
      return focusConversation(state, event);
    case 'user.views':
      return view(state, event);
    case 'user.leavesView':
      return leaveView(state, event);
    case 'user.types':
      return typeText(state, event, now);
    case 'user.sends':
      return sendMessage(state, event, now);
    case 'user.sendsAgain':
      return sendAgain(state, event, now);
    case 'user.sendsHeld':
      return sendHeld(state, event, now);
    case 'user.sendsAll':
      return sendAll(wishConnection(state), now);
    case 'user.discards':
      return discard(state, event, now);
    case 'user.cancelsUpload':
      return cancelUpload(state, event, now);
    case 'user.removesFile':
      return removeFile(state, event, now);
    case 'user.retriesNow':
      return catchUp(wishConnection(state), now);

    case 'page.changed':
      return changePage(state, event, now);
    case 'page.leaves':
      return { ...state, outbox: withoutClaims(state.outbox, state.tabId) };
    case 'page.offline':
      return { ...state, lastPollSucceeded: false };
    case 'page.restored':
    case 'page.online':
      return catchUp(state, now);

    case 'storage.changed':
      return followOtherTabs(state, now);
    case 'storage.checked':
      return keepOwn(renewClaims(state, now), event, now);

    case 'done.viewingReported':
      return { ...state, reportedViewing: event.viewing };
    case 'done.filesHandled':
      return endFileJob(state, event.number);
    case 'done.notified':
      return { ...state, arrivals: state.arrivals.filter(({ number }) => number !== event.number) };

    case 'time':
      return passTime(state, event, now);
  }
}

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

/** What follows from a change, whichever event made it. */
function settle(before: ChatState, after: ChatState, now: Now): ChatState {
  const lanes = settleLanes(after, now);
  const isJumpTouched = lanes.jumps !== before.jumps || lanes.conversations !== before.conversations;
  const jumps = isJumpTouched ? settleJumps(lanes) : lanes;
  const hasMoved = jumps.conversations !== before.conversations;
  const loaded = hasMoved ? endLoadings(jumps, now) : jumps;
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

/** The state after an event. Nothing but data in and data out: the same input always gives the same state. */
export function update(state: ChatState, event: ChatEvent, now: Now): ChatState {
  return settle(state, applyEvent(learnFromCall(state, event, now), event, now), now);
}
