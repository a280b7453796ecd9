import { expect, it } from 'vitest';
import { presentList, presentTimes } from './present.ts';

it.each([
  [0, 50, 1],
  [1, 50, 1],
  [50, 50, 1],
  [51, 50, 2],
  [200_000, 50, 4000],
])('counts the pages of a list: %i rows by %i make %i', (total, perPage, pages) => {
  expect(presentList('Data', ['a'], total, perPage, 1)).toEqual({
    success: true,
    message: 'Data',
    data: { data: ['a'], total, per_page: perPage, current_page: 1, last_page: pages },
  });
});

it('presents times in UTC with milliseconds, under both spellings', () => {
  const [created, updated] = ['2026-06-10T05:00:00.000Z', '2026-06-10T05:00:00.001Z'];
  expect(presentTimes({ createdAt: Date.parse(created), updatedAt: Date.parse(updated) })).toEqual({
    created_at: created,
    createdAt: created,
    updated_at: updated,
    updatedAt: updated,
  });
});
