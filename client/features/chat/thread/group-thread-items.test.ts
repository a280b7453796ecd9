import { expect, it } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import { buildMessage } from '../testing/build-chat-data.ts';
import { extrasBetween, groupThreadItems, type ThreadExtra, type ThreadItem } from './group-thread-items.ts';

const at = (time: string): string => `2026-06-10T${time}:00.000Z`;
const messageAt = (number: number, time: string): Message => buildMessage({ number, createdAt: at(time) });
const extraAt = (key: string, time: string): ThreadExtra => ({ key, atMs: Date.parse(at(time)), node: key });
const keysOf = (items: readonly ThreadItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'day' ? [] : [item.kind === 'message' ? item.message.id : item.key]));

const messages = [messageAt(1, '03:00'), messageAt(2, '03:01'), messageAt(3, '04:00')];
const extras = [extraAt('a', '02:00'), extraAt('b', '03:00'), extraAt('c', '05:00')];
const group = (shown: readonly ThreadExtra[]) =>
  groupThreadItems({ messages, before: undefined, unsent: [], extras: shown, currentUserId: 'a1' });

it('puts what stands between the messages where its time is, after a message of the same time', () => {
  expect(keysOf(group(extras))).toEqual(['a', '1', 'b', '2', '3', 'c']);
});

it('begins a new group and a new day at what stands between the messages', () => {
  const dayOf = (time: string) => group([extraAt('x', time)]).map(({ kind }) => kind);
  expect(dayOf('03:00')).toEqual(['day', 'message', 'extra', 'message', 'message']);
  expect(group([extraAt('x', '03:00')]).map((item) => 'first' in item && item.first)).toEqual([
    false,
    true,
    false,
    true,
    true,
  ]);
  // 17.00 UTC is midnight in Jakarta.
  expect(dayOf('17:00')).toEqual(['day', 'message', 'message', 'message', 'day', 'extra']);
});

it('leaves to the pages before and after a page what belongs there', () => {
  const keys = (place: { before?: Message; isFirst: boolean; isLast: boolean }) =>
    extrasBetween(extras, messages, place).map(({ key }) => key);
  expect(keys({ before: messageAt(0, '02:00'), isFirst: false, isLast: false })).toEqual(['a', 'b']);
  expect(keys({ isFirst: true, isLast: true })).toEqual(['a', 'b', 'c']);
  expect(keys({ isFirst: false, isLast: true })).toEqual(['b', 'c']);
  expect(keys({ isFirst: true, isLast: false })).toEqual(['a', 'b']);
  expect(extrasBetween(extras, [], { isFirst: true, isLast: true })).toEqual(extras);
  expect(extrasBetween(extras, [], { isFirst: false, isLast: true })).toEqual([]);
});
