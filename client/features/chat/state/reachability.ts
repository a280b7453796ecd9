import { ApiError } from '#client/lib/api/api-error.ts';
import type { ChatState, Now } from './chat-state.ts';
import { setTimer } from './chat-state.ts';
import { NoAdminContactError } from './model/retry-policy.ts';

const RETRY_FAILED_MS = 2000;
const RETRY_NO_ADMIN_MS = 10_000;
const RECONNECT_MIN_INTERVAL_MS = 10_000;

function isConnectionError(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
}

/** Whether the server answered at all; a refusal, or no admin to write to, is an answer. */
function isServerAnswer(error: unknown): boolean {
  return (
    error instanceof NoAdminContactError || (error instanceof ApiError && error.kind === 'http' && error.status < 500)
  );
}

/** The socket should connect at once; one that may be dead is closed first. */
export function wishConnection(state: ChatState): ChatState {
  const { reconnection } = state;
  return { ...state, reconnection: { ...reconnection, wishes: reconnection.wishes + 1 } };
}

/** The server has answered a call. */
export function reportAnswer(state: ChatState, now: Now): ChatState {
  if (state.isConnected) return state;
  const online: ChatState = { ...state, lastPollSucceeded: true };
  // The server can be reached, so the socket need not wait for its own timer.
  if (now.ms - state.reconnection.lastAtMs < RECONNECT_MIN_INTERVAL_MS) return online;
  return wishConnection({ ...online, reconnection: { ...online.reconnection, lastAtMs: now.ms } });
}

/** A call has failed. Polling would repeat it; while the socket is connected nothing else does. */
export function reportFailure(state: ChatState, error: unknown, now: Now): ChatState {
  const delayMs = error instanceof NoAdminContactError ? RETRY_NO_ADMIN_MS : RETRY_FAILED_MS;
  const waiting = setTimer(state, 'retryFailed', now.ms + delayMs);
  if (isServerAnswer(error)) return reportAnswer(waiting, now);
  if (!state.isConnected) return { ...waiting, lastPollSucceeded: false };
  if (!isConnectionError(error)) return waiting;
  const { reconnection } = waiting;
  return { ...waiting, reconnection: { ...reconnection, doubts: reconnection.doubts + 1 } };
}
