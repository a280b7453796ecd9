import { expect, it } from 'vitest';
import { buildMessages } from '../testing/build-chat-data.ts';
import { holdWindow, latestWindow, rangeOf, showNewer, showOlder, WINDOW_MESSAGES_MAX } from './use-message-window.ts';

const messages = buildMessages(1, 2000);
const lengthOf = ({ from, to }: { from: number; to: number }) => to - from;

it('starts with the newest messages, and drops the oldest as new ones come', () => {
  expect(rangeOf(buildMessages(1, 30), latestWindow)).toEqual({ from: 0, to: 30 });
  expect(rangeOf(messages, latestWindow)).toEqual({ from: 1900, to: 2000 });
  expect(rangeOf(buildMessages(1, 2001), latestWindow)).toEqual({ from: 1901, to: 2001 });
});

it('keeps its first message while the reader is further up, and never grows beyond its limit', () => {
  const held = holdWindow(messages, latestWindow);
  expect(rangeOf(buildMessages(1, 2020), held)).toEqual({ from: 1900, to: 2020 });
  expect(rangeOf(buildMessages(1, 9000), held)).toEqual({ from: 1900, to: 1900 + WINDOW_MESSAGES_MAX });
});

it('stays on the same messages when an older page is put before them', () => {
  const loaded = messages.slice(1900);
  const held = holdWindow(loaded, latestWindow);
  expect(rangeOf(loaded, held)).toEqual({ from: 0, to: 100 });
  const withOlderPage = messages.slice(1850);
  expect(rangeOf(withOlderPage, held)).toEqual({ from: 50, to: 150 });
  expect(rangeOf(withOlderPage, showOlder(withOlderPage, held))).toEqual({ from: 0, to: 150 });
});

it('moves through two thousand messages and back without leaving one out', () => {
  let current = holdWindow(messages, latestWindow);
  const seen = new Set<number>();
  const look = (): void => {
    const range = rangeOf(messages, current);
    expect(lengthOf(range)).toBeLessThanOrEqual(WINDOW_MESSAGES_MAX);
    for (let index = range.from; index < range.to; index += 1) seen.add(index);
  };
  for (look(); rangeOf(messages, current).from > 0; look()) current = showOlder(messages, current);
  expect(seen.size).toBe(2000);
  seen.clear();
  for (look(); rangeOf(messages, current).to < 2000; look()) current = showNewer(messages, current);
  expect(seen.size).toBe(2000);
  expect(current.lastId).toBeNull();
});

it('shows what there is after the history was deleted', () => {
  const held = holdWindow(messages, latestWindow);
  expect(rangeOf([], held)).toEqual({ from: 0, to: 0 });
  expect(rangeOf(buildMessages(2001, 2002), showOlder(messages, held))).toEqual({ from: 0, to: 2 });
});
