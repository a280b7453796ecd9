import { expect, it } from 'vitest';
import { inboxSearch, readInboxParams } from '../use-inbox-params.ts';
import { closeColumn, focusedUserId, openBeside, openInFocused, openInstead } from './use-columns.ts';

const three = { userIds: ['a', 'b', 'c'], focused: 1 };

it('opens a conversation in the place of the focused one, and only focuses one that is open already', () => {
  expect(openInFocused({ userIds: [], focused: 0 }, 'x')).toEqual({ userIds: ['x'], focused: 0 });
  expect(openInFocused(three, 'x')).toEqual({ userIds: ['a', 'x', 'c'], focused: 1 });
  expect(openInFocused(three, 'c')).toEqual({ userIds: ['a', 'b', 'c'], focused: 2 });
});

it('opens up to four beside each other, each at the right end and focused', () => {
  const four = openBeside(three, 'd');
  expect(four).toEqual({ userIds: ['a', 'b', 'c', 'd'], focused: 3 });
  expect(openBeside(four ?? three, 'e')).toBeNull();
  expect(openBeside(four ?? three, 'a')).toEqual({ userIds: ['a', 'b', 'c', 'd'], focused: 0 });
});

it.each([
  ['a', ['b', 'c'], 'b'],
  ['b', ['a', 'c'], 'c'],
  ['c', ['a', 'b'], 'b'],
])('closing %s of three leaves %j with the focus on %s', (closed, userIds, focused) => {
  const left = closeColumn(three, closed);
  expect(left.userIds).toEqual(userIds);
  expect(focusedUserId(left)).toBe(focused);
});

it('takes from an address at most four different conversations', () => {
  const { userIds } = readInboxParams(new URLSearchParams('?user=a&beside=,b,a,c,d,e'));
  expect(userIds).toEqual(['a', 'b', 'c', 'd']);
  expect(inboxSearch({ userIds, only: 'all' })).toBe('?user=a&beside=b,c,d');
});

it('opens the next conversation in the column that was answered, also when the focus has left it', () => {
  expect(openInstead(three, 'b', 'x')).toEqual({ userIds: ['a', 'x', 'c'], focused: 1 });
  expect(openInstead(three, 'a', 'x')).toEqual({ userIds: ['x', 'b', 'c'], focused: 1 });
  // 'c' has a column already: that one gets the focus, and none is replaced.
  expect(openInstead(three, 'a', 'c')).toEqual(three);
  expect(openInstead(three, 'b', 'c')).toEqual({ userIds: ['a', 'b', 'c'], focused: 2 });
});
