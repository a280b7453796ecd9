import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { History } from '#shared/api/chat/chat.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { buildHistory, buildMessages } from '../testing/build-chat-data.ts';
import { type RunningChat, runChat } from '../testing/run-chat.ts';
import type { ChatApi } from './api.ts';
import { mirrorDelivered, mirrorReading, seenCalls } from './reports.ts';

let chat: RunningChat;
let visible: DocumentVisibilityState = 'visible';
let focused = true;

const answerSeen = async () => ({ user_id: 'u1', unread_count: 0 });

/** A page of an admin, whose messages to read come from users, or of a user. */
function start(side: 'user' | 'admin' = 'user', markSeen = vi.fn<ChatApi['markSeen']>(answerSeen)) {
  const readingChanges: (string | null)[] = [];
  chat = runChat({
    initial: {
      currentUser: { side, id: side === 'user' ? 'u1' : 'a1', name: 'Siti' },
      adminContact: { id: 'a1', _id: 'a1', name: 'Ibu Ratna' },
    },
    effects: { seenCalls },
    mirrors: [mirrorDelivered, mirrorReading],
    api: { markSeen },
    notifier: { setReading: (userId) => readingChanges.push(userId) },
  });
  const { dispatch, socket } = chat;
  function load(userId: string, history: History): void {
    dispatch({ type: 'user.opens', userId });
    dispatch({ type: 'call.historyLoaded', userId, history });
  }
  return {
    seen: markSeen,
    readingChanges,
    load,
    delivered: () =>
      socket.emitted.flatMap(([event, payload]) => (event === 'delivered' ? [Number(payload.up_to)] : [])),
    watch: (userId: string, atBottom: boolean) => dispatch({ type: 'user.watches', userId, atBottom }),
    unwatch: (userId: string) => dispatch({ type: 'user.unwatches', userId }),
    focus: (userId: string) => dispatch({ type: 'user.focuses', userId }),
  };
}

/** A user's page with three messages of an admin. */
function startWithMessages(markSeen?: ReturnType<typeof vi.fn<ChatApi['markSeen']>>) {
  const page = start('user', markSeen);
  page.load('u1', buildHistory(buildMessages(1, 3)));
  return page;
}
const fromUser = (from: number, to: number) => buildHistory(buildMessages(from, to, { from_admin: false }));

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
afterEach(() => chat.stop());

it('reports once which messages have reached the screen', async () => {
  const { delivered } = startWithMessages();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(delivered()).toEqual([3]);
});

it('reports nothing for a hidden tab until it is visible', async () => {
  visible = 'hidden';
  const { delivered } = startWithMessages();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(delivered()).toEqual([]);
  setVisibility({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(delivered()).toEqual([3]);
});

it('marks a conversation as seen only while it is open, focused and at its end', async () => {
  const page = startWithMessages();
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  page.watch('u1', false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  setVisibility({ visible: 'visible', focused: false });
  page.watch('u1', true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen).not.toHaveBeenCalled();
  setVisibility({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.seen.mock.calls).toEqual([['a1', 3]]);
  expect(chat.state().conversations['u1']?.seen.user).toBe(3);
});

it('tries again after an error while the conversation is still being read', async () => {
  const seen = vi.fn<ChatApi['markSeen']>(answerSeen);
  seen.mockRejectedValueOnce(new ApiError('network'));
  const page = startWithMessages(seen);
  page.watch('u1', true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3500);
  expect(seen).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(seen).toHaveBeenCalledTimes(2);
});

it('reports which conversation is being read', () => {
  const page = startWithMessages();
  page.watch('u1', false);
  setVisibility({ visible: 'visible', focused: false });
  setVisibility({ visible: 'visible', focused: true });
  page.unwatch('u1');
  expect(page.readingChanges).toEqual(['u1', null, 'u1', null]);
});

it('of several conversations side by side marks only the one that has, or last had, the focus as seen', async () => {
  const { seen, readingChanges, load, watch, unwatch, focus } = start('admin');
  load('one', fromUser(1, 3));
  load('two', fromUser(4, 6));
  load('three', fromUser(7, 9));
  for (const userId of ['one', 'two', 'three']) watch(userId, true);
  await vi.advanceTimersByTimeAsync(1000);
  // No conversation has had the focus yet.
  expect(seen).not.toHaveBeenCalled();
  focus('two');
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toEqual([['two', 6]]);
  setVisibility({ visible: 'visible', focused: false });
  focus('three');
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toHaveLength(1);
  setVisibility({ visible: 'visible', focused: true });
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toEqual([
    ['two', 6],
    ['three', 9],
  ]);
  expect(readingChanges).toEqual(['one', null, 'two', null, 'three']);
  unwatch('three');
  unwatch('two');
  await vi.advanceTimersByTimeAsync(1000);
  // The only one left is the one that is being read, whatever had the focus before.
  expect(readingChanges.at(-1)).toBe('one');
});

it('marks the next conversation as seen although the focus moved while the call for the other was under way', async () => {
  let finish = (): void => {};
  const seen = vi.fn<ChatApi['markSeen']>(answerSeen);
  seen.mockImplementationOnce(
    () => new Promise((resolve) => (finish = () => resolve({ user_id: 'u', unread_count: 0 }))),
  );
  const { load, watch, focus } = start('admin', seen);
  for (const userId of ['one', 'two']) load(userId, fromUser(1, 3));
  focus('one');
  for (const userId of ['one', 'two']) watch(userId, true);
  await vi.advanceTimersByTimeAsync(1000);
  focus('two');
  await vi.advanceTimersByTimeAsync(1000);
  finish();
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.mock.calls).toEqual([
    ['one', 3],
    ['two', 3],
  ]);
});
