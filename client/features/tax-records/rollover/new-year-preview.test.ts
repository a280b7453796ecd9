import { expect, it } from 'vitest';
import { newYearPreviews } from './new-year-preview.ts';
import { buildRecord } from '#client/testing/build-record.ts';

const TODAY = '2026-11-21';

it('puts this year first while a record is missing in it', () => {
  const records = [
    buildRecord({ year: 2025, spt_number: 'A', amount: 1000 }),
    buildRecord({ year: 2025, spt_number: 'B', amount: 500 }),
    buildRecord({ year: 2026, spt_number: 'B', amount: 550 }),
  ];
  expect(newYearPreviews(records, TODAY)).toMatchObject([
    { year: 2026, copies: [{ sptNumber: 'A', amountBefore: 1000, amount: 1100 }], amount: 1100, hasSource: true },
    { year: 2027, copies: [{ sptNumber: 'B', amountBefore: 550, amount: 605 }], amount: 605, hasSource: true },
  ]);
});

it('puts next year first when this year is complete', () => {
  const records = [buildRecord({ year: 2026, spt_number: 'A', amount: 1000 })];
  expect(newYearPreviews(records, TODAY)).toMatchObject([
    { year: 2027, copies: [{ sptNumber: 'A' }], amount: 1100, hasSource: true },
    { year: 2026, copies: [], amount: 0, hasSource: false },
  ]);
});

it('offers no year outside the allowed range', () => {
  expect(newYearPreviews([], '2030-05-01').map(({ year }) => year)).toEqual([2030]);
  expect(newYearPreviews([], '2031-05-01')).toEqual([]);
});
