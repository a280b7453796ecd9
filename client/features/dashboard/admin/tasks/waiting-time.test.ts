import { expect, it } from 'vitest';
import { formatWaitingTime } from './waiting-time.ts';

it.each([
  ['2026-06-10T12:00:30.000Z', 'kurang dari semenit'],
  ['2026-06-10T11:59:00.000Z', '1 menit'],
  ['2026-06-10T11:00:01.000Z', '59 menit'],
  ['2026-06-10T11:00:00.000Z', '1 jam'],
  ['2026-06-09T12:00:01.000Z', '23 jam'],
  ['2026-06-08T11:00:00.000Z', '2 hari'],
  ['2026-04-14T11:00:00.000Z', '57 hari'],
])('names the wait since %s as "%s"', (since, text) => {
  expect(formatWaitingTime(since, Date.parse('2026-06-10T12:00:00.000Z'))).toBe(text);
});
