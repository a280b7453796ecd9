import type { ConversationCounts } from '#shared/api/chat/chat.ts';
import { type ChatState, type Now, setTimerOnce } from './chat-state.ts';
import type { EventOf } from './events.ts';

/** Events within this time lead to one count. */
const COLLECT_MS = 100;
/** Between two counts on a busy day. */
const PAUSE_MS = 1000;
/** After a count that has failed. */
const RETRY_MS = 5000;

/** A call whose answer has counts begins; `countSync.requestCount` is its number. */
export const beginCount = (state: ChatState): ChatState => ({
  ...state,
  countSync: { ...state.countSync, requestCount: state.countSync.requestCount + 1 },
});

export function applyCounts(state: ChatState, number: number, counts: ConversationCounts | undefined): ChatState {
  if (!counts || number < state.countSync.lastApplied) return state;
  return { ...state, countSync: { ...state.countSync, lastApplied: number }, list: { ...state.list, counts } };
}

/** Something happened that may change what is in which filter. An event during a count causes another one. */
export function recountSoon(state: ChatState, now: Now): ChatState {
  if (Object.keys(state.listSync.shown).length === 0) return state;
  const atMs = Math.max(now.ms + COLLECT_MS, state.countSync.lastCountAtMs + PAUSE_MS);
  return setTimerOnce(state, 'recount', atMs);
}

export function recount(state: ChatState, now: Now): ChatState {
  const begun = beginCount(state);
  const { countSync } = begun;
  const running = [...countSync.running, countSync.requestCount];
  return { ...begun, countSync: { ...countSync, running, lastCountAtMs: now.ms } };
}

function endCount(state: ChatState, number: number): ChatState {
  const running = state.countSync.running.filter((other) => other !== number);
  return { ...state, countSync: { ...state.countSync, running } };
}

export const receiveCounts = (state: ChatState, { number, answer }: EventOf<'call.counted'>): ChatState =>
  applyCounts(endCount(state, number), number, answer.counts);

export const failCount = (state: ChatState, { number }: EventOf<'call.countFailed'>, now: Now): ChatState =>
  setTimerOnce(endCount(state, number), 'recount', now.ms + RETRY_MS);
