import type { Typing, Viewing } from '#shared/events.ts';
import { TYPING_TIMEOUT_MS } from '#shared/limits.ts';

/** State that holds only for the moment: who types, and which admins view a conversation. A lost connection clears it. */

export type Participant = { id: string; name: string };
type TypingParticipant = Participant & { expiresAtMs: number };

export type EphemeralState = {
  typing: Readonly<Record<string, readonly TypingParticipant[]>>;
  viewers: Readonly<Record<string, readonly Participant[]>>;
};

export const emptyEphemeralState: EphemeralState = {
  typing: {},
  viewers: {},
};

export function applyTyping(state: EphemeralState, typing: Typing, nowMs: number): EphemeralState {
  const others = (state.typing[typing.user_id] ?? []).filter(({ id }) => id !== typing.sender_id);
  const typist = { id: typing.sender_id, name: typing.name, expiresAtMs: nowMs + TYPING_TIMEOUT_MS };
  return {
    ...state,
    typing: { ...state.typing, [typing.user_id]: typing.typing ? [...others, typist] : others },
  };
}

/** A sender whose message arrived is no longer typing. */
export function removeTypist(state: EphemeralState, userId: string, senderId: string): EphemeralState {
  const typists = state.typing[userId];
  if (!typists?.some(({ id }) => id === senderId)) return state;
  return { ...state, typing: { ...state.typing, [userId]: typists.filter(({ id }) => id !== senderId) } };
}

/** A `typing` event counts for six seconds without a repeat (R-EVENT-4). */
export function expireTyping(state: EphemeralState, nowMs: number): EphemeralState {
  const typing: Record<string, readonly TypingParticipant[]> = {};
  for (const [userId, typists] of Object.entries(state.typing)) {
    // Only a clock that was set back leaves more than the whole time.
    const active = typists.filter(({ expiresAtMs }) => expiresAtMs > nowMs && expiresAtMs <= nowMs + TYPING_TIMEOUT_MS);
    if (active.length > 0) typing[userId] = active;
  }
  return { ...state, typing };
}

export function applyViewing(state: EphemeralState, viewing: Viewing): EphemeralState {
  return { ...state, viewers: { ...state.viewers, [viewing.user_id]: viewing.viewers } };
}
