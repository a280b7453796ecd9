import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { writeContent } from '#shared/message-contents.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import {
  type ChatState,
  clearTimer,
  conversationOf,
  hasTimer,
  isAdmin,
  type InFlightMessage,
  type Now,
  type SendFailure,
  setTimer,
  withoutKey,
} from './chat-state.ts';
import { isBeingRead, placeMessage, refreshConversation } from './conversation-sync.ts';
import type { EventOf } from './events.ts';
import type { OutboxEntry } from './model/outbox-entry.ts';
import { decideRetry, RefusedFileError, toUploadError } from './model/retry-policy.ts';
import { findEntry, putEntry, removeSent } from './outbox-entries.ts';
import { newestShown } from './reading.ts';
import { stopTyping } from './typing.ts';

/**
 * Sends the messages of this user, in order per conversation. The server stores each one once, because it knows its
 * `client_id`; claims among the tabs only save calls. Each event begins with what all tabs have stored.
 */

/** The time for which a claim keeps other tabs off. A call ends after the API's timeout, so a tab that takes longer has died. */
export const CLAIM_LEASE_MS = API_TIMEOUT_MS + 2000;
/** After this time a tab sees the claim that another tab wrote at the same moment. */
const CLAIM_CONFLICT_WINDOW_MS = 40;
/** Without progress for so long, an upload is taken for one of a connection that is gone, once another one is there. */
const STALLED_MS = 5000;

/** The next message of a conversation. Refused ones are passed; a held one stops those after it until the admin decides. */
function findNextWaiting({ outbox }: ChatState, userId: string): OutboxEntry | undefined {
  const next = outbox.find((entry) => entry.user_id === userId && (entry.state === 'waiting' || entry.isHeld));
  return next?.isHeld ? undefined : next;
}

export const listUserIds = ({ outbox }: ChatState): string[] => [...new Set(outbox.map(({ user_id }) => user_id))];

const isForeign = (state: ChatState, { busyBy, busyUntil }: OutboxEntry, now: Now): boolean =>
  busyBy !== '' && busyBy !== state.tabId && busyUntil > now.ms;

/** The entry, if it still waits and no other tab has claimed it. */
function findOwn(state: ChatState, clientId: string): OutboxEntry | undefined {
  const entry = findEntry(state, clientId);
  return entry?.state === 'waiting' && entry.busyBy === state.tabId ? entry : undefined;
}

const setInFlight = (state: ChatState, userId: string, current: InFlightMessage): ChatState => ({
  ...state,
  inFlight: { ...state.inFlight, [userId]: current },
});

const endInFlight = (state: ChatState, userId: string): ChatState => ({
  ...state,
  inFlight: withoutKey(state.inFlight, userId),
});

const retryLater = (state: ChatState, userId: string, afterMs: number, now: Now): ChatState =>
  setTimer(state, 'retrySend', now.ms + afterMs, userId);

/** Changes whenever a page was read or the history deleted; an answer requested before may be outdated. */
function historyVersionOf(state: ChatState, userId: string): string {
  const { deletionCount, pageCount } = conversationOf(state, userId);
  return `${deletionCount} ${pageCount}`;
}

/** Stores a message and starts to send it. */
export function sendMessage(state: ChatState, event: EventOf<'user.sends'>, now: Now): ChatState {
  const { userId, clientId, text, quote, files, record } = event;
  const typed = text.trim();
  if (typed === '' && files.length === 0 && !record) return state;
  const last = state.outbox.at(-1)?.order ?? 0;
  const entry: OutboxEntry = {
    client_id: clientId,
    user_id: userId,
    content: writeContent(typed, files, record),
    files,
    record,
    followsFiles: state.outbox.some(
      (other) => other.user_id === userId && (other.files.length > 0 || other.record !== null || other.followsFiles),
    ),
    order: Math.max(now.ms, last + 1),
    quote,
    seen_id: isAdmin(state) ? newestShown(state, userId) : null,
    isHeld: false,
    state: 'waiting',
    attempts: 0,
    serverError: false,
    reason: '',
    refusedFileId: null,
    busyBy: state.tabId,
    busyUntil: now.ms + CLAIM_LEASE_MS,
  };
  return sendNext(putEntry(stopTyping(state), entry), userId, now);
}

/** Claims the next message of a conversation for this tab, unless one is on its way. */
export function sendNext(state: ChatState, userId: string, now: Now): ChatState {
  if (state.inFlight[userId]) return state;
  const next = findNextWaiting(state, userId);
  const ready = clearTimer(state, 'retrySend', userId);
  return next ? claim(ready, next, now) : ready;
}

function claim(state: ChatState, entry: OutboxEntry, now: Now): ChatState {
  const { client_id, user_id: userId, attempts } = entry;
  const wasOwnClaim = entry.busyBy === state.tabId;
  // A clock that was set back is the only reason for a lease longer than CLAIM_LEASE_MS.
  const leaseLeftMs = entry.busyUntil - now.ms;
  if (!wasOwnClaim && leaseLeftMs > 0 && leaseLeftMs <= CLAIM_LEASE_MS) {
    return retryLater(state, userId, leaseLeftMs, now);
  }
  const current: InFlightMessage = {
    clientId: client_id,
    wasSentBefore: attempts > 0,
    step: 'claiming',
    uploadingId: null,
    fraction: 0,
    lastProgressMs: now.ms,
    renewedAtMs: now.ms,
    missed: null,
    historyVersion: '',
  };
  const claimed = { ...entry, attempts: attempts + 1, busyBy: state.tabId, busyUntil: now.ms + CLAIM_LEASE_MS };
  const claiming = setInFlight(putEntry(state, claimed), userId, current);
  if (wasOwnClaim) return proceed(claiming, userId, now);
  // The message was released, or the other tab's lease has expired, so several tabs may claim it at once. Local storage has
  // no lock: the last write wins, and a second read shows which tab wrote it.
  return setTimer(claiming, 'claimSettles', now.ms + CLAIM_CONFLICT_WINDOW_MS * (1 + now.random), userId);
}

/** The next step of the message that is on its way: a file, the call, or nothing when another tab has claimed it. */
export function proceed(state: ChatState, userId: string, now: Now): ChatState {
  const current = state.inFlight[userId];
  if (!current) return state;
  const entry = findOwn(state, current.clientId);
  if (!entry) return giveUp(state, userId, now);
  const file = entry.files.find(({ uploadedId }) => uploadedId === null);
  if (file) {
    return setInFlight(state, userId, {
      ...current,
      step: 'uploading',
      uploadingId: file.id,
      fraction: 0,
      lastProgressMs: now.ms,
    });
  }
  const { missed } = current;
  // The server still had them all: it misses something else.
  const wasInVain = missed !== null && entry.files.every(({ uploadedId }, i) => uploadedId === missed.uploadedIds[i]);
  if (wasInVain) return fail(state, userId, missed.failure, now);
  return setInFlight(state, userId, {
    ...current,
    step: 'sending',
    uploadingId: null,
    historyVersion: historyVersionOf(state, userId),
  });
}

/** The message is gone, was cancelled or belongs to another tab: the next one follows, unless it still waits. */
function giveUp(state: ChatState, userId: string, now: Now): ChatState {
  const clientId = state.inFlight[userId]?.clientId ?? '';
  const free = endInFlight(state, userId);
  if (findEntry(state, clientId)?.state === 'waiting') return retryLater(free, userId, CLAIM_CONFLICT_WINDOW_MS, now);
  return sendNext(free, userId, now);
}

/** Whether a message is on its way for nothing: it is stored already, was discarded, or belongs to another tab. */
function isPointless(state: ChatState, { step, clientId }: InFlightMessage): boolean {
  if (step === 'claiming') return false;
  return step === 'uploading' ? !findOwn(state, clientId) : !findEntry(state, clientId);
}

/** After each event, because another tab may have changed the outbox before it. */
export const dropPointlessSends = (state: ChatState, now: Now): ChatState =>
  Object.entries(state.inFlight).reduce(
    (next, [userId, current]) => (isPointless(next, current) ? giveUp(next, userId, now) : next),
    state,
  );

/** An attempt has ended without success. */
function fail(state: ChatState, userId: string, failure: SendFailure, now: Now): ChatState {
  const entry = findEntry(state, state.inFlight[userId]?.clientId ?? '');
  // A server event or another tab has confirmed it meanwhile, or the user has cancelled it, or sends it from another tab now.
  if (entry?.state !== 'waiting' || entry.busyBy !== state.tabId) return giveUp(state, userId, now);
  const { decision, isQuoteRefused, refusedFileId } = failure;
  const failed = putEntry(endInFlight(state, userId), {
    ...entry,
    // The next try is without it; the text stays.
    quote: isQuoteRefused ? null : entry.quote,
    isHeld: decision.kind === 'held',
    state: decision.kind === 'refused' || decision.kind === 'held' ? 'failed' : 'waiting',
    serverError: decision.kind === 'serverError',
    reason: 'reason' in decision ? decision.reason : '',
    refusedFileId,
    // Any tab may claim it now; this one tries again first.
    busyUntil: 0,
  });
  if ('afterMs' in decision) return retryLater(failed, userId, decision.afterMs, now);
  return decision.kind === 'refused' ? sendNext(failed, userId, now) : failed;
}

function failureOf(error: unknown, entry: OutboxEntry | undefined, now: Now, wasSending: boolean): SendFailure {
  const isCompared = wasSending && entry !== undefined && entry.seen_id !== null;
  return {
    decision: decideRetry(error, { attempts: entry?.attempts ?? 0, random: now.random, isCompared }),
    // The quoted message was deleted meanwhile.
    isQuoteRefused: error instanceof ApiError && error.status === 422 && error.errors?.['reply_to'] !== undefined,
    refusedFileId: error instanceof RefusedFileError ? error.fileId : null,
  };
}

/** The call that sends a message has failed. */
export function failSend(state: ChatState, { userId, error }: EventOf<'call.sendFailed'>, now: Now): ChatState {
  const current = state.inFlight[userId];
  if (!current) return state;
  const entry = findEntry(state, current.clientId);
  const failure = failureOf(error, entry, now, true);
  const isAnsweredByColleague = error instanceof ApiError && error.status === 409;
  // A colleague's answer refused this one: it must be on the screen, also where its event was missed.
  const reloaded = isAnsweredByColleague ? refreshConversation(state, userId) : state;
  const own = findOwn(reloaded, current.clientId);
  // The server removes files that are not sent for a day, also while a phone sleeps in the middle of an attempt.
  const mayHaveExpired = error instanceof ApiError && error.status === 404 && current.missed === null;
  if (!own || own.files.length === 0 || !mayHaveExpired) return fail(reloaded, userId, failure, now);
  const missed = { uploadedIds: own.files.map(({ uploadedId }) => uploadedId), failure };
  const files = own.files.map((file) => ({ ...file, uploadedId: null }));
  return proceed(setInFlight(putEntry(reloaded, { ...own, files }), userId, { ...current, missed }), userId, now);
}

/**
 * Whether nothing was read or deleted since the request, and nothing was sent before it. The page that an empty conversation
 * reads cannot show that the message was deleted meanwhile; any other page can.
 */
export function isAnswerCurrent(state: ChatState, userId: string): boolean {
  const current = state.inFlight[userId];
  const { messages, refresh } = conversationOf(state, userId);
  return (
    current !== undefined &&
    !current.wasSentBefore &&
    historyVersionOf(state, userId) === current.historyVersion &&
    !(refresh && messages.length === 0)
  );
}

/** The server has stored the message. */
export function receiveSent(state: ChatState, { userId, message }: EventOf<'call.sent'>, now: Now): ChatState {
  const current = state.inFlight[userId];
  if (!current) return state;
  const loading = setInFlight(state, userId, { ...current, step: 'loading' });
  // The answer to a repeat may be a message whose history was deleted since. The same holds when a page was loaded or the
  // history was deleted during the call. So the history is loaded instead of adding the answer.
  const next = isAnswerCurrent(state, userId)
    ? placeMessage(loading, message, now)
    : refreshConversation(loading, userId);
  return endLoading(next, userId, now);
}

const endSend = (state: ChatState, userId: string, clientId: string, now: Now): ChatState =>
  sendNext(endInFlight(removeSent(state, clientId), userId), userId, now);

function endLoading(state: ChatState, userId: string, now: Now): ChatState {
  const current = state.inFlight[userId];
  if (current?.step !== 'loading' || isBeingRead(state, userId)) return state;
  return endSend(state, userId, current.clientId, now);
}

/** Messages that were shown as unsent until their conversation was read. After each change of the conversations or of the screen. */
export const endLoadings = (state: ChatState, now: Now): ChatState =>
  Object.keys(state.inFlight).reduce((next, userId) => endLoading(next, userId, now), state);

/** Keeps the claim of this tab alive while it uploads. */
function renewClaim(state: ChatState, userId: string, now: Now): ChatState {
  const current = state.inFlight[userId];
  const own = current?.step === 'uploading' ? findOwn(state, current.clientId) : undefined;
  if (!current || !own) return state;
  const renewed = putEntry(state, { ...own, busyUntil: now.ms + CLAIM_LEASE_MS });
  return setInFlight(renewed, userId, { ...current, renewedAtMs: now.ms });
}

export const renewClaims = (state: ChatState, now: Now): ChatState =>
  Object.keys(state.inFlight).reduce((next, userId) => renewClaim(next, userId, now), state);

/** A file that could not be stored is only in this page, so no other tab may take over. */
export function keepOwn(state: ChatState, { onlyHere }: EventOf<'storage.checked'>, now: Now): ChatState {
  return onlyHere.reduce((next, clientId) => {
    const entry = findEntry(next, clientId);
    if (entry?.state !== 'waiting' || isForeign(next, entry, now)) return next;
    return putEntry(next, { ...entry, busyBy: next.tabId, busyUntil: now.ms + CLAIM_LEASE_MS });
  }, state);
}

export function showProgress(
  state: ChatState,
  { userId, fraction }: EventOf<'call.uploadProgressed'>,
  now: Now,
): ChatState {
  const current = state.inFlight[userId];
  if (!current) return state;
  const shown = setInFlight(state, userId, { ...current, fraction, lastProgressMs: now.ms });
  // Timers of a tab in the background may be too rare for the claim.
  return now.ms - current.renewedAtMs > CLAIM_LEASE_MS / 3 ? renewClaim(shown, userId, now) : shown;
}

export function receiveUpload(state: ChatState, { userId, uploadedId }: EventOf<'call.uploaded'>, now: Now): ChatState {
  const current = state.inFlight[userId];
  const own = current && findOwn(state, current.clientId);
  if (!own) return giveUp(state, userId, now);
  const files = own.files.map((file) => (file.id === current.uploadingId ? { ...file, uploadedId } : file));
  return proceed(putEntry(state, { ...own, files, busyUntil: now.ms + CLAIM_LEASE_MS }), userId, now);
}

export function failUpload(state: ChatState, { userId, error }: EventOf<'call.uploadFailed'>, now: Now): ChatState {
  const current = state.inFlight[userId];
  if (!current) return state;
  const entry = findEntry(state, current.clientId);
  const file = entry?.files.find(({ id }) => id === current.uploadingId);
  return fail(state, userId, failureOf(file ? toUploadError(error, file) : error, entry, now, false), now);
}

/** The connection is back: sends at once instead of waiting for a retry timer; an upload that hangs begins anew. */
export function flushOutbox(state: ChatState, now: Now): ChatState {
  const started = listUserIds(state).reduce((next, userId) => sendNext(next, userId, now), state);
  return Object.entries(started.inFlight)
    .filter(([, { step, lastProgressMs }]) => step === 'uploading' && now.ms - lastProgressMs > STALLED_MS)
    .reduce((next, [userId]) => failUpload(next, { type: 'call.uploadFailed', userId, error: null }, now), started);
}

/** The server has answered: sends what no retry timer waits for. A delay that the server asked for stays. */
export function resumeSending(state: ChatState, now: Now): ChatState {
  return listUserIds(state)
    .filter((userId) => !hasTimer(state, 'retrySend', userId))
    .reduce((next, userId) => sendNext(next, userId, now), state);
}

/**
 * Another tab has changed something. One that has just failed tries again itself after its delay; if this tab tried at once,
 * the two would answer each other's failures without any delay.
 */
function followOtherTab(state: ChatState, userId: string, now: Now): ChatState {
  const next = findNextWaiting(state, userId);
  const willRetry = next && next.attempts > 0 && next.busyUntil === 0 && next.busyBy !== '';
  if (!willRetry) return sendNext(state, userId, now);
  if (hasTimer(state, 'retrySend', userId) || state.inFlight[userId]) return state;
  return retryLater(state, userId, CLAIM_LEASE_MS, now);
}

export const followOtherTabs = (state: ChatState, now: Now): ChatState =>
  listUserIds(state).reduce((next, userId) => followOtherTab(next, userId, now), state);
