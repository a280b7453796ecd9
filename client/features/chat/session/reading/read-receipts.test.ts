import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api-error.ts';
import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { buildHistory, buildMessages } from '../../testing/build-chat-data.ts';
import { applyNewestPage, emptyConversation } from '../conversation.ts';
import { createReadReceipts, type ReadReceipts } from './read-receipts.ts';
import { type ChatStore, conversationsAtom, currentUserAtom, readConversation } from '../state.ts';

const currentUser = { side: 'user', id: 'u1', name: 'Siti' } as const;
let readReceipts: ReadReceipts | undefined;
let visible: DocumentVisibilityState = 'visible';
let focused = true;

function startReadReceipts(
  markSeen = vi.fn(async () => ({ user_id: 'u1', unread_count: 0 })),
  resolvePeerId: (userId: string) => Promise<string> = async () => 'a1',
) {
  const store: ChatStore = createStore();
  const delivered: number[] = [];
  const readingChanges: (string | null)[] = [];
  store.set(currentUserAtom, currentUser);
  store.set(socketConnectedAtom, true);
  readReceipts = createReadReceipts({
    store,
    currentUser,
    api: { markSeen },
    resolvePeerId,
    emitDelivered: (_userId, upTo) => delivered.push(upTo),
    onReadingChange: (userId) => readingChanges.push(userId),
  });
  store.set(conversationsAtom, { u1: applyNewestPage(emptyConversation, buildHistory(buildMessages(1, 3)), []) });
  return { store, seen: markSeen, delivered, readingChanges, readReceipts };
}

const setVisibility = (state: { visible: DocumentVisibilityState; focused: boolean }): void => {
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
afterEach(() => readReceipts?.stop());

it('reports once which messages have reached the screen', async () => {
  const { delivered } = startReadReceipts();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(delivered).toEqual([3]);
});

it('reports nothing for a hidden tab until it is visible', async () => {
  visible = 'hidden';
  const { delivered } = startReadReceipts();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(delivered).toEqual([]);
  setVisibility({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(delivered).toEqual([3]);
});

it('marks a conversation as seen only while it is open, focused and at its end', async () => {
  const page = startReadReceipts();
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  page.readReceipts.watch('u1', false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  setVisibility({ visible: 'visible', focused: false });
  page.readReceipts.watch('u1', true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  setVisibility({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen.mock.calls).toEqual([['a1', 3]]);
  expect(readConversation(page.store, 'u1').seen.user).toBe(3);
});

it('tries again after an error while the conversation is still being read', async () => {
  const seen = vi.fn(async () => ({ user_id: 'u1', unread_count: 0 }));
  seen.mockRejectedValueOnce(new ApiError('network'));
  const page = startReadReceipts(seen);
  page.readReceipts.watch('u1', true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3500);
  expect(seen).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(seen).toHaveBeenCalledTimes(2);
});

it('reports which conversation is being read', () => {
  const page = startReadReceipts();
  page.readReceipts.watch('u1', false);
  setVisibility({ visible: 'visible', focused: false });
  setVisibility({ visible: 'visible', focused: true });
  page.readReceipts.unwatch('u1');
  expect(page.readingChanges).toEqual(['u1', null, 'u1', null]);
});

it('of several conversations side by side marks only the one that has, or last had, the focus as seen', async () => {
  const {
    store,
    seen,
    readingChanges,
    readReceipts: receipts,
  } = startReadReceipts(undefined, async (userId) => userId);
  const withMessages = (numbers: [number, number]) =>
    applyNewestPage(emptyConversation, buildHistory(buildMessages(...numbers)), []);
  store.set(conversationsAtom, { one: withMessages([1, 3]), two: withMessages([4, 6]), three: withMessages([7, 9]) });
  for (const userId of ['one', 'two', 'three']) receipts.watch(userId, true);
  await vi.advanceTimersByTimeAsync(1000);
  // Nobody has said yet which of them is being read.
  expect(seen).not.toHaveBeenCalled();
  receipts.setFocused('two');
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toEqual([['two', 6]]);
  setVisibility({ visible: 'visible', focused: false });
  receipts.setFocused('three');
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toHaveLength(1);
  setVisibility({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toEqual([
    ['two', 6],
    ['three', 9],
  ]);
  expect(readingChanges).toEqual(['one', null, 'two', null, 'three']);
  receipts.unwatch('three');
  receipts.unwatch('two');
  await vi.advanceTimersByTimeAsync(1000);
  // The only one left is the one that is being read, whatever had the focus before.
  expect(readingChanges.at(-1)).toBe('one');
});

it('marks the next conversation as seen although the focus moved while the call for the other was under way', async () => {
  let finish = (): void => {};
  const seen = vi.fn(async () => ({ user_id: 'u', unread_count: 0 }));
  seen.mockImplementationOnce(
    () => new Promise((resolve) => (finish = () => resolve({ user_id: 'u', unread_count: 0 }))),
  );
  const { store, readReceipts: receipts } = startReadReceipts(seen, async (userId) => userId);
  const history = applyNewestPage(emptyConversation, buildHistory(buildMessages(1, 3)), []);
  store.set(conversationsAtom, { one: history, two: history });
  receipts.setFocused('one');
  for (const userId of ['one', 'two']) receipts.watch(userId, true);
  await vi.advanceTimersByTimeAsync(1000);
  receipts.setFocused('two');
  await vi.advanceTimersByTimeAsync(1000);
  finish();
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toEqual([
    ['one', 3],
    ['two', 3],
  ]);
});
