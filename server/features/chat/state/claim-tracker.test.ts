import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { type ClaimFacts, claimRemainingMs, type Moment } from './claim-tracker.ts';

/** Both clocks in minutes since the claim. */
const minutes = (wall: number, monotonic = wall): Moment => ({
  wallMs: wall * MINUTE_MS,
  monotonicMs: monotonic * MINUTE_MS,
});
const claimed = minutes(0);

it.each<[title: string, facts: Partial<ClaimFacts>, at: Moment, remaining: number]>([
  ['30 minutes after the claim or the last message', { idleSince: minutes(25) }, minutes(30), 25],
  ['60 seconds after the holder left', { absentSince: 9.5 * MINUTE_MS }, minutes(10), 0.5],
  ['60 seconds after the claim of an absent admin', { absentSince: -DAY_MS }, minutes(0.25), 0.75],
  ['15 minutes after the wait began', { idleSince: minutes(8), waitingSince: minutes(8) }, minutes(10), 13],
  ['at the end of the snooze', { waitingSince: minutes(0), snoozedUntil: 20 * MINUTE_MS }, minutes(16), 4],
  ['30 minutes after the claim, also while it is snoozed', { snoozedUntil: DAY_MS }, minutes(10), 20],
  ['no later for a snooze that has ended', { waitingSince: minutes(0), snoozedUntil: MINUTE_MS }, minutes(10), 5],
  ['no later when the clock was set back', { waitingSince: minutes(0) }, minutes(-600, 14), 1],
  ['at once when the clock was set forward', {}, minutes(600, 14), -570],
  ['by the later fact after the clock was set back', { idleSince: minutes(-55, 5) }, minutes(-50, 10), 25],
])('ends %s', (_title, facts, at, remaining) => {
  const nothing = { idleSince: claimed, waitingSince: null, snoozedUntil: null, absentSince: null };
  expect(claimRemainingMs({ claimed, ...nothing, ...facts }, at) / MINUTE_MS).toBeCloseTo(remaining, 6);
});
