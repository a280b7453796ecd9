import { expect, it } from 'vitest';
import { buildHistory, buildMessage, buildMessages } from '../../testing/build-chat-data.ts';
import {
  applyPageAfter,
  applyNewestPage,
  applyOlderPage,
  unloadConversation,
  type Conversation,
  countUnread,
  hasGap,
  advanceCursor,
  emptyConversation,
  receiveMessage,
} from './conversation.ts';

const idsOf = ({ messages }: Conversation): string[] => messages.map(({ _id }) => _id);
const buildLoadedConversation = (to: number): Conversation =>
  applyNewestPage(emptyConversation, buildHistory(buildMessages(1, to)), []);

it('shows a message once, whether it came by an event, a page or an answer', () => {
  const message = buildMessage({ number: 4 });
  const once = receiveMessage(buildLoadedConversation(3), message);
  expect(idsOf(once)).toEqual(['1', '2', '3', '4']);
  expect(receiveMessage(once, message)).toBe(once);
  expect(applyPageAfter(once, buildHistory([message], { total: 4 }), 3, [])).toMatchObject({ messages: once.messages });
});

it('holds back a message that arrives too early and shows it in order once the gap is filled', () => {
  const gap = receiveMessage(buildLoadedConversation(3), buildMessage({ number: 6 }));
  expect(idsOf(gap)).toEqual(['1', '2', '3']);
  expect(hasGap(gap)).toBe(true);
  const filled = applyPageAfter(gap, buildHistory(buildMessages(4, 5), { total: 6 }), 3, []);
  if (filled === 'stale') throw new Error('the answer continues what is known');
  expect(idsOf(filled)).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(hasGap(filled)).toBe(false);
});

it('keeps messages that arrived while the first page was loading', () => {
  const early = receiveMessage({ ...emptyConversation }, buildMessage({ number: 4 }));
  expect(early.messages).toEqual([]);
  expect(idsOf(applyNewestPage(early, buildHistory(buildMessages(1, 3)), []))).toEqual(['1', '2', '3', '4']);
});

it('drops a held message when a complete answer that was requested later does not contain it', () => {
  const gap = receiveMessage(buildLoadedConversation(3), buildMessage({ number: 6 }));
  const answered = applyPageAfter(gap, buildHistory([], { total: 3 }), 3, gap.outOfOrder);
  expect(answered).toMatchObject({ outOfOrder: [] });
});

it('notices a deletion without its event', () => {
  const known = buildLoadedConversation(3);
  const first = buildMessage({ number: 5, prev_id: null });
  expect(idsOf(receiveMessage(known, first))).toEqual(['5']);
  expect(applyPageAfter(known, buildHistory([first], { total: 1 }), 3, [])).toBe('stale');
  expect(applyPageAfter(known, buildHistory([], { total: 0 }), 3, [])).toBe('stale');
  expect(applyPageAfter(known, buildHistory([], { total: 3 }), 3, [])).not.toBe('stale');
});

it('puts an older page in front, and only if it continues the known messages', () => {
  const known = applyNewestPage(emptyConversation, buildHistory(buildMessages(11, 13), { has_more: true }), []);
  const older = applyOlderPage(known, buildHistory(buildMessages(8, 10), { has_more: true }), 11);
  if (older === 'stale') throw new Error('the page leads up to what is known');
  expect(idsOf(older)).toEqual(['8', '9', '10', '11', '12', '13']);
  expect(older.hasOlder).toBe(true);
  expect(applyOlderPage(older, buildHistory(buildMessages(8, 10)), 11)).toBe(older);
  expect(applyOlderPage(older, buildHistory([]), 8)).toBe('stale');
});

it('moves positions forwards only, and marks seen messages as delivered', () => {
  const seen = advanceCursor(buildLoadedConversation(3), 'seen', 'admin', 2);
  expect(seen).toMatchObject({ seen: { user: 0, admin: 2 }, delivered: { user: 0, admin: 2 } });
  expect(advanceCursor(seen, 'seen', 'admin', 1).seen.admin).toBe(2);
  expect(advanceCursor(seen, 'delivered', 'admin', 3)).toMatchObject({ seen: { admin: 2 }, delivered: { admin: 3 } });
});

it('counts the other side’s messages after the seen position as unread', () => {
  const mixed = applyNewestPage(
    emptyConversation,
    buildHistory([...buildMessages(1, 3), buildMessage({ number: 4, from_admin: false }), ...buildMessages(5, 6)], {
      user_seen_id: '2',
    }),
    [],
  );
  expect(countUnread(mixed, 'user')).toBe(3);
  expect(countUnread(mixed, 'admin')).toBe(1);
  expect(countUnread(unloadConversation(mixed), 'user')).toBe(0);
});
