import { expect, it } from 'vitest';
import { buildRecord } from '#client/testing/build-record.ts';
import { groupByObject } from './records-section.tsx';

const TODAY = '2026-06-10';

it('puts the years of one SPT number together, newest first, whatever spaces and letters it was typed with', () => {
  const groups = groupByObject(
    [
      buildRecord({ spt_number: '33.74 a', year: 2024, address: 'Jl. Lama 1' }),
      buildRecord({ spt_number: '33.74A', year: 2026, address: 'Jl. Baru 1' }),
      buildRecord({ spt_number: '99', year: 2025, address: 'Jl. Lain 2' }),
    ],
    TODAY,
  );
  expect(groups.map(({ address, records }) => [address, records.map(({ year }) => year)])).toEqual([
    ['Jl. Baru 1', [2026, 2024]],
    ['Jl. Lain 2', [2025]],
  ]);
});

it('puts objects with overdue records first and counts those', () => {
  const groups = groupByObject(
    [
      buildRecord({ spt_number: '1', address: 'A' }),
      buildRecord({ spt_number: '2', address: 'B', due_date: '2026-06-09' }),
      buildRecord({ spt_number: '2', address: 'B', due_date: '2026-06-09', status: 'lunas' }),
    ],
    TODAY,
  );
  expect(groups.map(({ address, overdueCount }) => [address, overdueCount])).toEqual([
    ['B', 1],
    ['A', 0],
  ]);
});
