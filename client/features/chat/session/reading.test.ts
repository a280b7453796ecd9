import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api-error.ts';
import { buildHistory, buildRun } from '../testing/build.ts';
import { applyNewest, newConversation } from './conversation.ts';
import { createReading, type Reading } from './reading.ts';
import { type ChatStore, connectionAtom, conversationsAtom, identityAtom, readConversation } from './state.ts';

const identity = { side: 'user', selfId: 'u1', name: 'Siti' } as const;
let reading: Reading | undefined;
let visible: DocumentVisibilityState = 'visible';
let focused = true;

function start(seen = vi.fn(async () => ({ user_id: 'u1', unread_count: 0 }))) {
  const store: ChatStore = createStore();
  const delivered: number[] = [];
  const attention: (string | null)[] = [];
  store.set(identityAtom, identity);
  store.set(connectionAtom, { socket: true, polled: null });
  reading = createReading({
    store,
    identity,
    calls: { seen },
    peerOf: async () => 'a1',
    emitDelivered: (_userId, upTo) => delivered.push(upTo),
    onAttention: (userId) => attention.push(userId),
  });
  store.set(conversationsAtom, { u1: applyNewest(newConversation, buildHistory(buildRun(1, 3)), []) });
  return { store, seen, delivered, attention, reading };
}

const look = (state: { visible: DocumentVisibilityState; focused: boolean }): void => {
  ({ visible, focused } = state);
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event(focused ? 'focus' : 'blur'));
};

beforeEach(() => {
  vi.useFakeTimers();
  visible = 'visible';
  focused = true;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible);
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused);
});
afterEach(() => reading?.stop());

it('says once what has reached the screen', async () => {
  const { delivered } = start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(delivered).toEqual([3]);
});

it('says nothing of what a hidden tab has received, until somebody looks', async () => {
  visible = 'hidden';
  const { delivered } = start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(delivered).toEqual([]);
  look({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(delivered).toEqual([3]);
});

it('marks as seen what is open, in front and at its end, and nothing else', async () => {
  const page = start();
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  page.reading.watch('u1', false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  look({ visible: 'visible', focused: false });
  page.reading.watch('u1', true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  look({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen.mock.calls).toEqual([['a1', 3]]);
  expect(readConversation(page.store, 'u1').seen.user).toBe(3);
});

it('tries again when the call failed, as long as it is still being read', async () => {
  const seen = vi.fn(async () => ({ user_id: 'u1', unread_count: 0 }));
  seen.mockRejectedValueOnce(new ApiError('network'));
  const page = start(seen);
  page.reading.watch('u1', true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3500);
  expect(seen).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(seen).toHaveBeenCalledTimes(2);
});

it('tells which conversation is in front of somebody’s eyes', () => {
  const page = start();
  page.reading.watch('u1', false);
  look({ visible: 'visible', focused: false });
  look({ visible: 'visible', focused: true });
  page.reading.unwatch('u1');
  expect(page.attention).toEqual(['u1', null, 'u1', null]);
});
