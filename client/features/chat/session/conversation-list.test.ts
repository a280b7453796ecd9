import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { buildMessage, buildSummary } from '../testing/build.ts';
import {
  applyRows,
  applyUnread,
  clearInList,
  type ConversationList,
  dropMissing,
  emptyList,
  isStub,
  namePerson,
  receiveInList,
  sortKeyOf,
  visibleSummaries,
} from './conversation-list.ts';

const all = { search: '', only: 'all' } as const;
const idsOf = (list: ConversationList, filter: Parameters<typeof visibleSummaries>[1] = all): string[] =>
  visibleSummaries(list, filter, null).map(({ other_user }) => other_user._id);
const residents = ['u1', 'u2', 'u3', 'u4'];
const fromResident = (userId: string, number: number) =>
  buildMessage({ number, user_id: userId, sender_id: userId, sender_name: `Warga ${userId}`, from_admin: false });

it('stands in the order of the latest activity, and a push moves its conversation up', () => {
  const rows = [
    buildSummary('u2', fromResident('u2', 9)),
    buildSummary('u1', fromResident('u1', 4)),
    buildSummary('u3', null),
  ];
  const list = applyRows(emptyList, rows, 0);
  expect(idsOf(list)).toEqual(['u2', 'u1', 'u3']);
  expect(idsOf(receiveInList(list, fromResident('u3', 10)))).toEqual(['u3', 'u2', 'u1']);
});

it('takes in somebody new from a push and learns the rest of them later', () => {
  const list = receiveInList(emptyList, fromResident('u7', 3));
  const stub = list.entries['u7']?.summary;
  expect(stub).toMatchObject({ other_user: { name: 'Warga u7', email: '' }, last_message: { _id: '3' } });
  expect(stub && isStub(stub)).toBe(true);
  const named = namePerson(list, { _id: 'u7', name: 'Tono', email: 'tono@contoh.id' });
  expect(named.entries['u7']?.summary).toMatchObject({ other_user: { name: 'Tono', email: 'tono@contoh.id' } });
});

it('filters as the server does, and knows who waits for an answer', () => {
  const waiting = receiveInList(
    applyRows(
      emptyList,
      residents.map((id) => buildSummary(id, null)),
      0,
    ),
    fromResident('u2', 5),
  );
  const counted = applyUnread(waiting, { user_id: 'u2', unread_count: 1, total_unread: 1 });
  expect(idsOf(counted, { search: '', only: 'unread' })).toEqual(['u2']);
  const read = applyUnread(counted, { user_id: 'u2', unread_count: 0, total_unread: 0 });
  expect(idsOf(read, { search: '', only: 'unread' })).toEqual([]);
  expect(idsOf(read, { search: '', only: 'unanswered' })).toEqual(['u2']);
  const answered = receiveInList(read, buildMessage({ number: 6, user_id: 'u2' }));
  expect(idsOf(answered, { search: '', only: 'unanswered' })).toEqual([]);
  expect(idsOf(answered, { search: 'WARGA U3', only: 'all' })).toEqual(['u3']);
  expect(idsOf(answered, { search: 'u4@contoh', only: 'all' })).toEqual(['u4']);
});

it('shows nothing below what has been read, and forgets accounts that are gone', () => {
  const rows = [9, 7, 5, 3].map((number, index) => buildSummary(residents[index] ?? '', fromResident('u', number)));
  const list = applyRows(emptyList, rows, 0);
  const floor = sortKeyOf(rows[1] as ConversationSummary);
  expect(visibleSummaries(list, all, floor)).toHaveLength(2);
  expect(idsOf(dropMissing(list, rows.slice(1, 2), 0, floor))).toEqual(['u2', 'u3', 'u4']);
  expect(idsOf(dropMissing(list, rows.slice(1, 2), 0, null))).toEqual(['u2']);
});

type Model = Map<string, ConversationSummary>;
type Event = (list: ConversationList) => ConversationList;

/** What happens at the office, and the pushes it causes. */
function happen(
  model: Model,
  userId: string,
  what: 'resident' | 'office' | 'read' | 'delete',
  number: number,
): Event[] {
  const summary = model.get(userId) ?? buildSummary(userId, null);
  const put = (change: Partial<ConversationSummary>): void => void model.set(userId, { ...summary, ...change });
  const unread = (count: number): Event => {
    const total = [...model.values()].reduce((sum, { unread_count }) => sum + unread_count, 0);
    return (list) => applyUnread(list, { user_id: userId, unread_count: count, total_unread: total });
  };
  if (what === 'delete') {
    put({ last_message: null, unread_count: 0, unanswered_since: null });
    return [(list) => clearInList(list, userId), unread(0)];
  }
  if (what === 'read') {
    put({ unread_count: 0 });
    return [unread(0)];
  }
  const message = what === 'resident' ? fromResident(userId, number) : buildMessage({ number, user_id: userId });
  const unread_count = summary.unread_count + (what === 'resident' ? 1 : 0);
  put({
    last_message: buildSummary(userId, message).last_message,
    unread_count,
    unanswered_since: what === 'resident' ? (summary.unanswered_since ?? message.createdAt) : null,
  });
  const push: Event = (list) => receiveInList(list, message);
  return what === 'resident' ? [push, unread(unread_count)] : [push];
}

it('ends equal to the server, however late pages and pushes come', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constantFrom('resident', 'office', 'read', 'delete'),
      userId: fc.constantFrom(...residents),
    }),
    fc.record({ kind: fc.constantFrom('ask', 'answer', 'push', 'push') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model: Model = new Map(residents.map((id) => [id, buildSummary(id, null)]));
      const snapshot = (): ConversationSummary[] => [...model.values()];
      let list = applyRows(emptyList, snapshot(), 0);
      const pushes: Event[] = [];
      const answers: { rows: ConversationSummary[]; askedAt: number }[] = [];
      const push = (): void => void (list = pushes.shift()?.(list) ?? list);

      steps.forEach((each, index) => {
        if ('userId' in each) pushes.push(...happen(model, each.userId, each.kind, index + 1));
        else if (each.kind === 'push') push();
        else if (each.kind === 'ask') answers.push({ rows: snapshot(), askedAt: list.version });
        else {
          const answer = answers.shift();
          if (answer) list = applyRows(list, answer.rows, answer.askedAt);
        }
      });
      while (pushes.length > 0) push();

      const fresh = applyRows(emptyList, snapshot(), 0);
      expect(list.order).toEqual(fresh.order);
      expect(visibleSummaries(list, all, null)).toEqual(visibleSummaries(fresh, all, null));
    }),
    { numRuns: 500 },
  );
});
