import { expect, it } from 'vitest';
import { allPages } from './all-pages.ts';

const PER_PAGE = 2;

/** Reads a list in pages of two. @param changes the list from the call of that number on */
async function readAll(list: string, changes: Record<number, string>) {
  let now = list;
  const asked: number[] = [];
  const given: string[] = [];
  const pages = allPages(async (page) => {
    asked.push(page);
    now = changes[asked.length] ?? now;
    const shown = now.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    const data = Array.from(shown, (id) => ({ id }));
    const last_page = Math.max(1, Math.ceil(now.length / PER_PAGE));
    return { data, total: now.length, per_page: PER_PAGE, current_page: page, last_page };
  });
  for await (const { rows } of pages) given.push(...rows.map(({ id }) => id));
  return { given: given.join(''), asked };
}

it('reads each page of a list once that stays as it is', async () => {
  expect(await readAll('', {})).toEqual({ given: '', asked: [1] });
  expect(await readAll('abcde', {})).toEqual({ given: 'abcde', asked: [1, 2, 3] });
});

it.each([
  ['leaves the list', { 2: 'bcde' }, 'abdec'],
  ['leaves the list, so that the last page is gone', { 3: 'bcde' }, 'abcde'],
  ['moves to an earlier page', { 2: 'eabcd' }, 'abcde'],
  ['moves to an earlier page while another one moves back', { 2: 'dbcea' }, 'abced'],
  ['is new', { 2: 'xabcde' }, 'abcdex'],
])('gives every other row once when a row %s between two pages', async (_what, changes, given) => {
  expect((await readAll('abcde', changes)).given).toBe(given);
});

it('reads a list three times at most, however often it changes', async () => {
  const { given, asked } = await readAll('abcdef', { 2: 'bcdef', 5: 'def', 7: 'gdef' });
  expect(given).toBe('abdefc');
  expect(asked).toEqual([1, 2, 3, 1, 2, 1, 2]);
});
