import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildHistory, buildMessages } from '../../testing/build-chat-data.ts';
import { applyNewestPage, emptyConversation } from './conversation.ts';
import { extendSegment, joinSegment, type Segment, segmentAround } from './segment.ts';

const idsOf = (messages: readonly { _id: string }[]): number[] => messages.map(({ _id }) => Number(_id));
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

it('grows both ways without a gap and becomes one with the newest messages as soon as it reaches them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 400 }),
      fc.nat(),
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.constantFrom('older' as const, 'newer' as const), { maxLength: 60 }),
      (count, seed, limit, steps) => {
        const target = 1 + (seed % count);
        const newest = buildMessages(Math.max(1, count - 49), count);
        const live = applyNewestPage(emptyConversation, buildHistory(newest, { has_more: count > 50 }), []);
        let [from, to] = [Math.max(1, target - limit), Math.min(count, target + limit)];
        const first = segmentAround(
          buildHistory(buildMessages(from, to), { has_older: from > 1, has_newer: to < count }),
          target,
        );
        let segment = first as Segment;
        for (const direction of [...steps, ...range(1, count).map(() => 'newer' as const)]) {
          const joined = joinSegment(live, segment);
          const reaches = to >= Number(newest[0]?._id) - 1;
          expect(joined !== null).toBe(reaches);
          if (joined) {
            expect(idsOf(joined.messages)).toEqual(range(Math.min(from, Number(newest[0]?._id)), count));
            expect(joined.hasOlder).toBe(Math.min(from, Number(newest[0]?._id)) > 1);
            return;
          }
          const page =
            direction === 'older'
              ? buildMessages(Math.max(1, from - limit), from - 1)
              : buildMessages(to + 1, Math.min(count, to + limit));
          if (direction === 'older') from = Math.max(1, from - limit);
          else to = Math.min(count, to + limit);
          const has_more = direction === 'older' ? from > 1 : to < count;
          segment = extendSegment(segment, buildHistory(page, { has_more }), direction) as Segment;
          expect(idsOf(segment.messages)).toEqual(range(from, to));
        }
        expect.unreachable('it never reached the newest messages');
      },
    ),
  );
});

it('refuses pages that do not continue it, and does not exist without its message', () => {
  expect(segmentAround(buildHistory(buildMessages(5, 10)), 4)).toBeNull();
  const segment = segmentAround(buildHistory(buildMessages(20, 30), { has_older: true, has_newer: true }), 25);
  if (!segment) throw new Error('no segment');
  expect(extendSegment(segment, buildHistory(buildMessages(32, 40)), 'newer')).toBe('stale');
  expect(extendSegment(segment, buildHistory(buildMessages(10, 18)), 'older')).toBe('stale');
  expect(extendSegment(segment, buildHistory([]), 'older')).toBe('stale');
});

it('waits for newest messages that are behind it', () => {
  const live = applyNewestPage(emptyConversation, buildHistory(buildMessages(1, 20)), []);
  const segment = segmentAround(buildHistory(buildMessages(15, 30), { has_older: true, has_newer: false }), 25);
  if (!segment) throw new Error('no segment');
  expect(joinSegment(live, segment)).toBeNull();
  expect(joinSegment(emptyConversation, segment)).toBeNull();
});
