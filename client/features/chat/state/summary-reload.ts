import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { type ChatState, type Now, setTimerOnce, type SummaryCall, withoutKey } from './chat-state.ts';
import type { EventOf } from './events.ts';
import { applyRowsToList, beginListRequest, changedSince, removeUserFromList } from './model/conversation-list.ts';

/**
 * Asks for single conversations of which this page is not sure: an event named one that is not loaded, or came while an answer
 * was under way; a row is missing from its list; notes have changed; or one is open that no list has loaded.
 */

/** Requests within this time lead to one call. */
const COLLECT_MS = 50;
/** Between two calls, so that a busy day does not become a call for each message. */
const PAUSE_MS = 500;
/** After a call that has failed. */
const RETRY_MS = 5000;
/** A URL of 2,000 characters holds this number of ids. */
const IDS_MAX = 50;

const changeReload = (state: ChatState, change: Partial<ChatState['summaryReload']>): ChatState => ({
  ...state,
  summaryReload: { ...state.summaryReload, ...change },
});

export function reloadSummaries(state: ChatState, userIds: readonly string[], now: Now): ChatState {
  const { waitingIds } = state.summaryReload;
  if (userIds.length === 0 && waitingIds.length === 0) return state;
  const waiting = changeReload(state, { waitingIds: [...new Set([...waitingIds, ...userIds])] });
  return setTimerOnce(waiting, 'reloadSummaries', now.ms + (isReloading(state) ? PAUSE_MS : COLLECT_MS));
}

export const isReloading = ({ summaryReload }: ChatState): boolean => Object.keys(summaryReload.calls).length > 0;

export const isWatched = ({ summaryReload }: ChatState, userId: string): boolean => userId in summaryReload.watchCounts;

/** An answer that is under way may be older than an event that was missed. */
export function repeatReload(state: ChatState, now: Now): ChatState {
  const askedIds = Object.values(state.summaryReload.calls).flatMap(({ userIds }) => userIds);
  return reloadSummaries(state, askedIds, now);
}

/** Loads those on the screen again, and what could not be loaded before. */
export const reloadWatched = (state: ChatState, now: Now): ChatState =>
  reloadSummaries(state, Object.keys(state.summaryReload.watchCounts), now);

/** Begins a call for those that wait. */
export function askForSummaries(state: ChatState): ChatState {
  const { waitingIds, callCount, calls } = state.summaryReload;
  if (waitingIds.length === 0) return state;
  const number = callCount + 1;
  const list = beginListRequest(state.list);
  const call: SummaryCall = { number, userIds: waitingIds.slice(0, IDS_MAX), requestedAtVersion: list.version };
  return changeReload(
    { ...state, list },
    {
      waitingIds: waitingIds.slice(IDS_MAX),
      callCount: number,
      calls: { ...calls, [number]: call },
    },
  );
}

/** Rows of an answer that was requested while connected are sure again. */
export function settleRows(
  state: ChatState,
  rows: readonly ConversationSummary[],
  requestedAtVersion: number,
): ChatState {
  const { unsureIds, unsureAtVersion } = state.listSync;
  if (requestedAtVersion <= unsureAtVersion || unsureIds.length === 0) return state;
  const sure = new Set(rows.map(({ other_user }) => other_user._id));
  return { ...state, listSync: { ...state.listSync, unsureIds: unsureIds.filter((id) => !sure.has(id)) } };
}

export function receiveSummaries(
  state: ChatState,
  { number, rows }: EventOf<'call.summariesLoaded'>,
  now: Now,
): ChatState {
  const call = state.summaryReload.calls[number];
  if (!call) return state;
  const { userIds, requestedAtVersion } = call;
  const settled = settleRows(state, rows, requestedAtVersion);
  const changed = changedSince(settled.list, rows, requestedAtVersion);
  const found = new Set(rows.map(({ other_user }) => other_user._id));
  // Deleted, or an admin now.
  const gone = userIds.filter((userId) => !found.has(userId));
  const list = gone.reduce(removeUserFromList, applyRowsToList(settled.list, rows, requestedAtVersion));
  return endCall({ ...settled, list }, number, changed, now.ms + PAUSE_MS);
}

export function failSummaries(state: ChatState, { number }: EventOf<'call.summariesFailed'>, now: Now): ChatState {
  return endCall(state, number, state.summaryReload.calls[number]?.userIds ?? [], now.ms + RETRY_MS);
}

/** @param againIds have to be asked for once more */
function endCall(state: ChatState, number: number, againIds: readonly string[], nextAtMs: number): ChatState {
  const { calls, waitingIds } = state.summaryReload;
  const left = [...new Set([...waitingIds, ...againIds])];
  const ended = changeReload(state, { calls: withoutKey(calls, String(number)), waitingIds: left });
  return left.length > 0 ? setTimerOnce(ended, 'reloadSummaries', nextAtMs) : ended;
}

/** Keeps the summary of a conversation current while it is on the screen, also one that no list has loaded. */
export function watchSummary(state: ChatState, { userId }: EventOf<'user.watchesSummary'>, now: Now): ChatState {
  const { watchCounts } = state.summaryReload;
  const isUnsure = state.listSync.unsureIds.includes(userId) || !state.list.entries[userId];
  const watched = changeReload(state, { watchCounts: { ...watchCounts, [userId]: (watchCounts[userId] ?? 0) + 1 } });
  return isUnsure ? reloadSummaries(watched, [userId], now) : watched;
}

export function unwatchSummary(state: ChatState, { userId }: EventOf<'user.unwatchesSummary'>): ChatState {
  const { watchCounts } = state.summaryReload;
  const count = watchCounts[userId] ?? 0;
  return changeReload(state, {
    watchCounts: count > 1 ? { ...watchCounts, [userId]: count - 1 } : withoutKey(watchCounts, userId),
  });
}
