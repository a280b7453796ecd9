import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { buildMessage, buildSummary } from '../../testing/build-chat-data.ts';
import {
  applyRowsToList,
  applyUnreadToList,
  findMissing,
  isStubSummary,
  applyUserDetails,
  applyMessageToList,
  visibleSummaries,
} from './conversation-list.ts';
import { type ConversationListState, emptyConversationList } from './list-state.ts';
import { sortKeyOf } from './list-order.ts';

const allFilter = { search: '', only: 'all' } as const;
const idsOf = (list: ConversationListState, filter: Parameters<typeof visibleSummaries>[1] = allFilter): string[] =>
  visibleSummaries(list, filter, null).map(({ other_user }) => other_user._id);
const userIds = ['u1', 'u2', 'u3', 'u4'];
const messageFromUser = (userId: string, number: number) =>
  buildMessage({ number, user_id: userId, sender_id: userId, sender_name: `Warga ${userId}`, from_admin: false });

it('keeps the order of the latest activity, and a new message moves its conversation up', () => {
  const rows = [
    buildSummary('u2', messageFromUser('u2', 9)),
    buildSummary('u1', messageFromUser('u1', 4)),
    buildSummary('u3', null),
  ];
  const list = applyRowsToList(emptyConversationList, rows, 0);
  expect(idsOf(list)).toEqual(['u2', 'u1', 'u3']);
  expect(idsOf(applyMessageToList(list, messageFromUser('u3', 10)))).toEqual(['u3', 'u2', 'u1']);
});

it('adds an unknown user from a message and fills in the details later', () => {
  const list = applyMessageToList(emptyConversationList, messageFromUser('u7', 3));
  const stub = list.entries['u7']?.summary;
  expect(stub).toMatchObject({ other_user: { name: 'Warga u7', email: '' }, last_message: { _id: '3' } });
  expect(stub && isStubSummary(stub)).toBe(true);
  const named = applyUserDetails(list, { _id: 'u7', name: 'Tono', email: 'tono@contoh.id', is_active: true });
  expect(named.entries['u7']?.summary).toMatchObject({ other_user: { name: 'Tono', email: 'tono@contoh.id' } });
});

it('filters as the server does, including users who wait for an answer', () => {
  const waiting = applyMessageToList(
    applyRowsToList(
      emptyConversationList,
      userIds.map((id) => buildSummary(id, null)),
      0,
    ),
    messageFromUser('u2', 5),
  );
  const counted = applyUnreadToList(waiting, { user_id: 'u2', unread_count: 1, total_unread: 1 });
  expect(idsOf(counted, { search: '', only: 'unread' })).toEqual(['u2']);
  const read = applyUnreadToList(counted, { user_id: 'u2', unread_count: 0, total_unread: 0 });
  expect(idsOf(read, { search: '', only: 'unread' })).toEqual([]);
  expect(idsOf(read, { search: '', only: 'waiting' })).toEqual(['u2']);
  const answered = applyMessageToList(read, buildMessage({ number: 6, user_id: 'u2' }));
  expect(idsOf(answered, { search: '', only: 'waiting' })).toEqual([]);
  expect(idsOf(answered, { search: 'WARGA U3', only: 'all' })).toEqual(['u3']);
  expect(idsOf(answered, { search: 'u4@contoh', only: 'all' })).toEqual(['u4']);
});

it('shows nothing below the loaded pages, and finds what a complete answer no longer has', () => {
  const rows = [9, 7, 5, 3].map((number, index) => buildSummary(userIds[index] ?? '', messageFromUser('u', number)));
  const list = applyRowsToList(emptyConversationList, rows, 0);
  const lastLoadedKey = sortKeyOf(rows[1] as ConversationSummary, 'activity');
  expect(visibleSummaries(list, allFilter, lastLoadedKey)).toHaveLength(2);
  expect(findMissing(list, allFilter, rows.slice(1, 2), 0, { from: null, to: lastLoadedKey })).toEqual(['u1']);
  expect(findMissing(list, allFilter, rows.slice(1, 2), 0, { from: null, to: null })).toEqual(['u1', 'u3', 'u4']);
  // The row before a page came with the page before.
  expect(findMissing(list, allFilter, rows.slice(3), 0, { from: lastLoadedKey, to: null })).toEqual(['u3']);
});

type ServerModel = Map<string, ConversationSummary>;
type ListUpdate = (list: ConversationListState) => ConversationListState;

/** A change on the server, and the events that it causes. */
function applyServerEvent(
  model: ServerModel,
  userId: string,
  kind: 'user' | 'admin' | 'read',
  number: number,
): ListUpdate[] {
  const summary = model.get(userId) ?? buildSummary(userId, null);
  const put = (change: Partial<ConversationSummary>): void => void model.set(userId, { ...summary, ...change });
  const unread = (count: number): ListUpdate => {
    const total = [...model.values()].reduce((sum, { unread_count }) => sum + unread_count, 0);
    return (list) => applyUnreadToList(list, { user_id: userId, unread_count: count, total_unread: total });
  };
  if (kind === 'read') {
    put({ unread_count: 0 });
    return [unread(0)];
  }
  const message = kind === 'user' ? messageFromUser(userId, number) : buildMessage({ number, user_id: userId });
  const unread_count = summary.unread_count + (kind === 'user' ? 1 : 0);
  put({
    last_message: buildSummary(userId, message).last_message,
    unread_count,
    unanswered_since: kind === 'user' ? (summary.unanswered_since ?? message.createdAt) : null,
    state: kind === 'user' ? 'waiting' : 'done',
  });
  const push: ListUpdate = (list) => applyMessageToList(list, message);
  return kind === 'user' ? [push, unread(unread_count)] : [push];
}

it('ends equal to the server, however late pages and events arrive', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constantFrom('user', 'admin', 'read'),
      userId: fc.constantFrom(...userIds),
    }),
    fc.record({ kind: fc.constantFrom('ask', 'answer', 'push', 'push') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model: ServerModel = new Map(userIds.map((id) => [id, buildSummary(id, null)]));
      const snapshot = (): ConversationSummary[] => [...model.values()];
      let list = applyRowsToList(emptyConversationList, snapshot(), 0);
      const pushes: ListUpdate[] = [];
      const answers: { rows: ConversationSummary[]; requestedAtVersion: number }[] = [];
      const push = (): void => void (list = pushes.shift()?.(list) ?? list);

      steps.forEach((each, index) => {
        if ('userId' in each) pushes.push(...applyServerEvent(model, each.userId, each.kind, index + 1));
        else if (each.kind === 'push') push();
        else if (each.kind === 'ask') answers.push({ rows: snapshot(), requestedAtVersion: list.version });
        else {
          const answer = answers.shift();
          if (answer) list = applyRowsToList(list, answer.rows, answer.requestedAtVersion);
        }
      });
      while (pushes.length > 0) push();

      const fresh = applyRowsToList(emptyConversationList, snapshot(), 0);
      expect(list.order).toEqual(fresh.order);
      expect(visibleSummaries(list, allFilter, null)).toEqual(visibleSummaries(fresh, allFilter, null));
    }),
    { numRuns: 500 },
  );
});
