import { expect, it } from 'vitest';
import type { ReportOverview } from '#shared/api/reports.ts';
import { comparedRanges, comparedWith } from './compared-with.ts';

it.each([
  [150, 100, 'naik 50%'],
  [75, 100, 'turun 25%'],
  [1001, 3000, 'turun 66,6%'],
  [100, 100, 'hampir sama'],
  [100, 0, 'sebelumnya tidak ada'],
  [0, 0, 'sama'],
  [0, 10, 'turun 100%'],
])('says of %d after %d "%s"', (now, before, text) => {
  expect(comparedWith(now, before)).toBe(text);
});

it.each([
  ['2026-01-01', '2026-12-31', '2025-01-01', '2025-11-23', '1 Jan–23 Nov 2026 dibanding 1 Jan–23 Nov 2025'],
  ['2026-11-01', '2026-11-23', '2026-10-09', '2026-10-31', '1–23 Nov 2026 dibanding 9–31 Okt 2026'],
  ['2026-06-01', '2026-06-30', '2026-05-01', '2026-05-31', '1–30 Jun 2026 dibanding 1–31 Mei 2026'],
  ['2027-01-01', '2027-12-31', '2026-01-01', '2026-12-31', '1 Jan–31 Des 2027 dibanding 1 Jan–31 Des 2026'],
])('names both ranges of %s to %s', (from, to, fromBefore, toBefore, text) => {
  const overview = { period: { from, to }, received: { previous: { from: fromBefore, to: toBefore } } };
  expect(comparedRanges(overview as ReportOverview, '2026-11-23')).toBe(text);
});
