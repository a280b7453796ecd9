import { expect, it } from 'vitest';
import { waitedMinutes, waitingLevel, formatWaitingShort, formatWaitingLong } from './row-marks.tsx';

it.each([
  [0, '<1 mnt', 'fresh', 'Menunggu balasan kurang dari satu menit'],
  [1, '1 mnt', 'fresh', 'Menunggu balasan 1 menit'],
  [2, '2 mnt', 'warning', 'Menunggu balasan 2 menit, mulai lama'],
  [9, '9 mnt', 'warning', 'Menunggu balasan 9 menit, mulai lama'],
  [10, '10 mnt', 'critical', 'Menunggu balasan 10 menit, sudah lama'],
  [60, '1 j', 'critical', 'Menunggu balasan 1 jam, sudah lama'],
  [65, '1 j 5 mnt', 'critical', 'Menunggu balasan 1 jam 5 menit, sudah lama'],
  [1439, '23 j 59 mnt', 'critical', 'Menunggu balasan 23 jam 59 menit, sudah lama'],
  [1440, '1 hari', 'critical', 'Menunggu balasan 1 hari, sudah lama'],
])('shows %i minutes of waiting with text and level', (minutes, text, level, words) => {
  expect([formatWaitingShort(minutes), waitingLevel(minutes), formatWaitingLong(minutes)]).toEqual([
    text,
    level,
    words,
  ]);
});

it('counts whole minutes and never less than zero', () => {
  const since = '2025-06-01T03:00:00.000Z';
  const at = Date.parse(since);
  expect(waitedMinutes(since, at + 119_999)).toBe(1);
  expect(waitedMinutes(since, at + 120_000)).toBe(2);
  expect(waitedMinutes(since, at - 5000)).toBe(0);
});
