import { expect, it } from 'vitest';
import { axisMs, waitLabel, waitMinutes } from './wait-label.ts';

it.each([
  [null, '–'],
  [0, '0 dtk'],
  [12_400, '12 dtk'],
  [60_000, '1 mnt'],
  [59 * 60_000 + 40_000, '1 jam'],
  [80 * 60_000, '1 jam 20 mnt'],
  [26 * 3_600_000, '26 jam'],
  [48 * 3_600_000, '2 hari'],
  [162 * 3_600_000 + 15 * 60_000, '6 hari 18 jam'],
])('calls a wait of %s ms "%s"', (ms, text) => {
  expect(waitLabel(ms)).toBe(text);
});

it('gives minutes with one decimal', () => {
  expect([waitMinutes(null), waitMinutes(90_000), waitMinutes(1000)]).toEqual([null, 1.5, 0]);
});

it.each([
  [0, 60_000],
  [61_000, 120_000],
  [9 * 3_600_000 - 1, 9 * 3_600_000],
])('draws %d ms on an axis of %d ms', (longest, axis) => {
  expect(axisMs(longest)).toBe(axis);
});
