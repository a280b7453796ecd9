import { type ChatState, clearTimer, conversationIdOf, type Now, setTimer } from './chat-state.ts';
import type { EventOf } from './events.ts';
import { applyTyping, applyViewing, expireTyping, removeTypist } from './model/ephemeral-state.ts';

const REPEAT_INTERVAL_MS = 3000;
const IDLE_TIMEOUT_MS = 4000;

/** Reports that this user types: rarely enough to save traffic, often enough that the other side keeps showing it. */
export function typeText(state: ChatState, { userId, hasText }: EventOf<'user.types'>, now: Now): ChatState {
  if (!hasText) return stopTyping(state);
  const { ownTyping } = state;
  const isRecent =
    ownTyping !== null && ownTyping.userId === userId && now.ms - ownTyping.reportedAtMs < REPEAT_INTERVAL_MS;
  const typing = isRecent ? state : { ...state, ownTyping: { userId, reportedAtMs: now.ms } };
  return setTimer(typing, 'ownTypingEnds', now.ms + IDLE_TIMEOUT_MS);
}

export function stopTyping(state: ChatState): ChatState {
  return state.ownTyping ? clearTimer({ ...state, ownTyping: null }, 'ownTypingEnds') : state;
}

function withTypists(state: ChatState, ephemeral: ChatState['ephemeral'], now: Now): ChatState {
  const next: ChatState = { ...state, ephemeral };
  const expiries = Object.values(ephemeral.typing).flatMap((typists) => typists.map(({ expiresAtMs }) => expiresAtMs));
  if (expiries.length === 0) return clearTimer(next, 'typistsExpire');
  return setTimer(next, 'typistsExpire', Math.max(Math.min(...expiries), now.ms));
}

export function showTypist(state: ChatState, { payload }: EventOf<'socket.typing'>, now: Now): ChatState {
  const typing = { ...payload, user_id: conversationIdOf(state, payload.user_id) };
  return withTypists(state, applyTyping(state.ephemeral, typing, now.ms), now);
}

export const expireTypists = (state: ChatState, now: Now): ChatState =>
  withTypists(state, expireTyping(state.ephemeral, now.ms), now);

/** A sender whose message arrived is no longer typing. */
export function removeSender(state: ChatState, { payload }: EventOf<'socket.message:new'>): ChatState {
  const userId = conversationIdOf(state, payload.user_id);
  return { ...state, ephemeral: removeTypist(state.ephemeral, userId, payload.sender_id) };
}

export const showViewers = (state: ChatState, { payload }: EventOf<'socket.viewing'>): ChatState => ({
  ...state,
  ephemeral: applyViewing(state.ephemeral, payload),
});
