import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '#client/lib/api/api-error.ts';
import { buildHistory, buildMessage } from '../testing/build-chat-data.ts';
import { chatProperty } from '../testing/chat-property.ts';
import type { ChatState } from './chat-state.ts';
import type { ChatEvent } from './events.ts';
import { startState, update } from './update.ts';

/** Set by vitest.config.ts. `CHAT_RUNS=20000 npx vitest run client/features/chat/state/update.test.ts` takes four million events. */
declare const CHAT_RUNS: number;
const EVENTS_PER_RUN_MIN = 100;
const RUN_MAX_MS = 400;

it('ends the send of a stored message when its conversation, which could not be read, leaves the screen', () => {
  const now = { ms: 1_000_000, random: 0 };
  const apply = (known: ChatState, event: ChatEvent): ChatState => update(known, event, now);
  const currentUser = { side: 'admin', id: 'a1', name: 'Ratna' } as const;
  const page = { isVisible: true, hasFocus: true, hiddenAtMs: null };
  const draft = { userId: 'u1', text: 'Halo', quote: null, files: [], record: null };
  const events: ChatEvent[] = [
    { type: 'socket.connected' },
    { type: 'user.opens', userId: 'u1' },
    { type: 'call.historyLoaded', userId: 'u1', history: buildHistory([]) },
    { type: 'user.sends', clientId: 'c1', ...draft },
    // Two messages before it are missing.
    { type: 'call.sent', userId: 'u1', message: buildMessage({ number: 3, client_id: 'c1', prev_id: '2' }) },
    { type: 'call.historyFailed', userId: 'u1', error: new ApiError('network') },
  ];
  const unread = events.reduce(apply, startState({ currentUser, tabId: 't', outbox: [], page }, now));
  expect(unread.inFlight['u1']?.step).toBe('loading');
  const left = apply(unread, { type: 'user.closes', userId: 'u1' });
  expect([left.inFlight, left.outbox]).toEqual([{}, []]);
});

it(
  'ends equal to a fresh load and sends everything once, whatever the network, the tabs and the user do',
  () => {
    let eventCount = 0;
    fc.assert(
      chatProperty((count) => (eventCount += count)),
      { numRuns: CHAT_RUNS },
    );
    expect(eventCount).toBeGreaterThan(EVENTS_PER_RUN_MIN * CHAT_RUNS);
  },
  RUN_MAX_MS * CHAT_RUNS,
);
