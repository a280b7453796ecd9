import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eraseReplies, keepReply, type KeptReply, readReplies } from '#client/lib/notifications/device-store.ts';
import { buildMessage } from '../testing/build-chat-data.ts';
import { emptyConversation } from '../state/model/conversation.ts';
import { readDraft, writeDraft } from '../drafts/drafts.ts';
import { chatStateAtom, emptyChatState } from '../state/chat-state.ts';
import { bindWorkerState } from './worker-state.ts';

vi.mock(
  '#client/lib/notifications/device-store.ts',
  () => import('#client/lib/notifications/testing/memory-device-store.ts'),
);

const admin = { side: 'admin', id: 'a1', name: 'Ratna' } as const;
const container = new EventTarget();
const badges: (number | 'cleared')[] = [];
let stop = () => {};

const reply = (id: string, fields: Partial<KeptReply> = {}): Promise<void> =>
  keepReply({ id, accountId: 'a1', userId: 'u1', content: `Balasan ${id}`, at: 0, failed: true, ...fields });
const settle = () => vi.advanceTimersByTimeAsync(10);

function start(currentUser: typeof admin | { side: 'user'; id: string; name: string } = admin) {
  const store = createStore();
  store.set(chatStateAtom, { ...emptyChatState, currentUser });
  const registration = { getNotifications: async () => [] } as unknown as ServiceWorkerRegistration;
  stop = bindWorkerState({ registration, store, currentUser });
  return {
    load: (userId: string, messages = [buildMessage({ number: 1 })]) =>
      store.set(chatStateAtom, {
        ...store.get(chatStateAtom),
        conversations: { [userId]: { ...emptyConversation, loaded: true, messages } },
      }),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1000 });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  const show = async (count: number) => void badges.push(count);
  Object.assign(navigator, { setAppBadge: show, clearAppBadge: async () => void badges.push('cleared') });
});
afterEach(async () => {
  stop();
  await eraseReplies('a1');
  badges.length = 0;
  for (const name of ['serviceWorker', 'setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name);
});

it('puts an answer that was not sent into the draft once its conversation is there, unless it had arrived', async () => {
  await reply('gagal');
  await reply('tiba');
  // The clock was set back while the service worker sent it.
  await reply('nanti', { at: 86_400_000, failed: false });
  await reply('lain', { accountId: 'a2' });
  writeDraft('a1', 'u1', 'Sudah diketik');
  const { load } = start();
  await settle();
  expect(readDraft('a1', 'u1')).toBe('Sudah diketik');
  load('u1', [buildMessage({ number: 1, client_id: 'tiba' })]);
  await settle();
  expect(readDraft('a1', 'u1')).toBe('Sudah diketik\nBalasan gagal\nBalasan nanti');
  expect([await readReplies('a1'), (await readReplies('a2')).length]).toEqual([[], 1]);
});

it('takes one over whose service worker was ended while it sent, and one that comes while the page is open', async () => {
  const { load } = start();
  load('u1');
  await reply('tertahan', { at: 1000, failed: false });
  container.dispatchEvent(new MessageEvent('message', { data: { type: 'reply-kept' } }));
  await settle();
  expect(readDraft('a1', 'u1')).toBe('');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(readDraft('a1', 'u1')).toBe('Balasan tertahan');
});

it('shows the number of unread messages on the icon once it is known', () => {
  const { load } = start({ side: 'user', id: 'u1', name: 'Siti' });
  expect(badges).toEqual([]);
  load('u1', [buildMessage({ number: 1 })]);
  load('u1', []);
  expect(badges).toEqual([1, 'cleared']);
});
