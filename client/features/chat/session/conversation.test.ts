import { expect, it } from 'vitest';
import { buildHistory, buildMessage, buildMessages } from '../testing/build-chat-data.ts';
import {
  applyPageAfter,
  applyNewestPage,
  applyOlderPage,
  clearConversation,
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

it('shows a message once, whether it was pushed, read or answered', () => {
  const message = buildMessage({ number: 4 });
  const once = receiveMessage(buildLoadedConversation(3), message);
  expect(idsOf(once)).toEqual(['1', '2', '3', '4']);
  expect(receiveMessage(once, message)).toBe(once);
  expect(applyPageAfter(once, buildHistory([message], { total: 4 }), 3, [])).toMatchObject({ messages: once.messages });
});

it('holds back what comes before its time and shows it in order once the gap is filled', () => {
  const gap = receiveMessage(buildLoadedConversation(3), buildMessage({ number: 6 }));
  expect(idsOf(gap)).toEqual(['1', '2', '3']);
  expect(hasGap(gap)).toBe(true);
  const filled = applyPageAfter(gap, buildHistory(buildMessages(4, 5), { total: 6 }), 3, []);
  if (filled === 'stale') throw new Error('the answer continues what is known');
  expect(idsOf(filled)).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(hasGap(filled)).toBe(false);
});

it('keeps pushes that came while the first page was under way', () => {
  const early = receiveMessage({ ...emptyConversation }, buildMessage({ number: 4 }));
  expect(early.messages).toEqual([]);
  expect(idsOf(applyNewestPage(early, buildHistory(buildMessages(1, 3)), []))).toEqual(['1', '2', '3', '4']);
});

it('drops what was set aside when a complete answer that was asked for later does not know it', () => {
  const gap = receiveMessage(buildLoadedConversation(3), buildMessage({ number: 6 }));
  const answered = applyPageAfter(gap, buildHistory([], { total: 3 }), 3, gap.outOfOrder);
  expect(answered).toMatchObject({ outOfOrder: [] });
});

it('notices a deletion it was not told of', () => {
  const known = buildLoadedConversation(3);
  const first = buildMessage({ number: 5, prev_id: null });
  expect(idsOf(receiveMessage(known, first))).toEqual(['5']);
  expect(applyPageAfter(known, buildHistory([first], { total: 1 }), 3, [])).toBe('stale');
  expect(applyPageAfter(known, buildHistory([], { total: 0 }), 3, [])).toBe('stale');
  expect(applyPageAfter(known, buildHistory([], { total: 3 }), 3, [])).not.toBe('stale');
});

it('puts older pages in front, and only where they belong', () => {
  const known = applyNewestPage(emptyConversation, buildHistory(buildMessages(11, 13), { has_more: true }), []);
  const older = applyOlderPage(known, buildHistory(buildMessages(8, 10), { has_more: true }), 11);
  if (older === 'stale') throw new Error('the page leads up to what is known');
  expect(idsOf(older)).toEqual(['8', '9', '10', '11', '12', '13']);
  expect(older.hasOlder).toBe(true);
  expect(applyOlderPage(older, buildHistory(buildMessages(8, 10)), 11)).toBe(older);
  expect(applyOlderPage(older, buildHistory([]), 8)).toBe('stale');
});

it('moves positions forwards only, and what was read was delivered', () => {
  const seen = advanceCursor(buildLoadedConversation(3), 'seen', 'admin', 2);
  expect(seen).toMatchObject({ seen: { user: 0, admin: 2 }, delivered: { user: 0, admin: 2 } });
  expect(advanceCursor(seen, 'seen', 'admin', 1).seen.admin).toBe(2);
  expect(advanceCursor(seen, 'delivered', 'admin', 3)).toMatchObject({ seen: { admin: 2 }, delivered: { admin: 3 } });
});

it('counts as unread what the other side wrote beyond the seen position', () => {
  const mixed = applyNewestPage(
    emptyConversation,
    buildHistory([...buildMessages(1, 3), buildMessage({ number: 4, from_admin: false }), ...buildMessages(5, 6)], {
      user_seen_id: '2',
    }),
    [],
  );
  expect(countUnread(mixed, 'user')).toBe(3);
  expect(countUnread(mixed, 'admin')).toBe(1);
  expect(countUnread(clearConversation(mixed), 'user')).toBe(0);
});
