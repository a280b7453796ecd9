import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { type ClaimFacts, claimRemainingMs, type Moment } from './claim-end.ts';

/** Both clocks in minutes since the claim. */
const minutes = (wall: number, monotonic = wall): Moment => ({
  wallMs: wall * MINUTE_MS,
  monotonicMs: monotonic * MINUTE_MS,
});
const claimed = minutes(0);

it.each<[title: string, facts: Partial<ClaimFacts>, at: Moment, remaining: number]>([
  ['an empty conversation: 30 minutes after the claim', {}, minutes(10), 20],
  ['30 minutes after the last message', { lastMessage: minutes(25) }, minutes(30), 25],
  ['30 minutes after the claim when it is the later one', { lastMessage: minutes(-20) }, minutes(10), 20],
  ['60 seconds after the holder left', { absentSince: 9.5 * MINUTE_MS }, minutes(10), 0.5],
  ['60 seconds after the claim of an absent admin', { absentSince: -DAY_MS }, minutes(0.25), 0.75],
  ['15 minutes after the wait began', { lastMessage: minutes(8), waiting: minutes(8) }, minutes(10), 13],
  ['15 minutes after the claim of a user who waits longer', { waiting: minutes(-40) }, minutes(10), 5],
  ['at the end of the snooze', { waiting: minutes(-40), snoozedUntil: 20 * MINUTE_MS }, minutes(16), 4],
  ['30 minutes after the claim, also while it is snoozed', { snoozedUntil: DAY_MS }, minutes(10), 20],
  ['no later for a snooze that has ended', { waiting: minutes(0), snoozedUntil: MINUTE_MS }, minutes(10), 5],
  ['no later when the clock was set back', { waiting: minutes(0) }, minutes(-600, 14), 1],
  ['at once when the clock was set forward', {}, minutes(600, 14), -570],
  ['by the later fact after the clock was set back', { lastMessage: minutes(-55, 5) }, minutes(-50, 10), 25],
])('ends %s', (_title, facts, at, remaining) => {
  const all: ClaimFacts = {
    claimed,
    lastMessage: null,
    waiting: null,
    snoozedUntil: null,
    absentSince: null,
    ...facts,
  };
  expect(claimRemainingMs(all, at) / MINUTE_MS).toBeCloseTo(remaining, 6);
});
