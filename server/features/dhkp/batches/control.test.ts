import { describe, expect, it } from 'vitest';
import { checkControl, createComputedSums } from './control.ts';

const LIMITS_SEN = [100_000, 500_000, 2_000_000, 5_000_000].map((rupiah) => rupiah * 100);
const computed = (() => {
  const sums = createComputedSums(LIMITS_SEN);
  for (const sen of [45_000_00, 100_000_00, 100_000_01]) sums.add('A', sen);
  for (const sen of [0, 7_000_000_00]) sums.add('B', sen);
  return sums.sums();
})();
const total = (sheet: string, amountSen: number | null, objects: number | null = null) => ({
  label: 'JUMLAH',
  sheet,
  row: 9,
  objects,
  amountSen,
});
const A_SEN = 245_000_01;
const B_SEN = 7_000_000_00;

it('sums rows by book and by sheet, up to and including the limit of a book', () => {
  expect(computed).toEqual({
    objects: 5,
    sen: String(A_SEN + B_SEN),
    books: [
      { book: 1, objects: 2, sen: '14500000' },
      { book: 2, objects: 1, sen: '10000001' },
      { book: 5, objects: 1, sen: '700000000' },
      { book: null, objects: 1, sen: '0' },
    ],
    sheets: [
      { sheet: 'A', objects: 3, sen: String(A_SEN) },
      { sheet: 'B', objects: 2, sen: String(B_SEN) },
    ],
  });
});

it('sums exactly beyond what a number can hold', () => {
  const sums = createComputedSums(LIMITS_SEN);
  for (let row = 0; row < 1000; row += 1) sums.add('A', 99_999_999_999_999);
  expect(sums.sums().sen).toBe('99999999999999000');
});

describe('the control of totals', () => {
  it.each([
    ['no total', [], null, 0n],
    ['the totals of all sheets', [total('A', A_SEN), total('B', B_SEN)], true, 0n],
    ['the total of one of two sheets', [total('A', A_SEN)], true, 0n],
    ['one total of all sheets', [total('B', A_SEN + B_SEN)], true, 0n],
    ['a total that is too high', [total('A', A_SEN), total('B', B_SEN + 100_000)], false, 100_000n],
    ['a total that is too low', [total('A', A_SEN - 1), total('B', B_SEN)], false, 1n],
    ['a single total that is nearer to its sheet', [total('A', A_SEN + 5)], false, 5n],
    ['a single total that is nearer to all sheets', [total('A', A_SEN + B_SEN + 7)], false, 7n],
    ['a number of objects', [total('A', A_SEN, 3)], true, 0n],
    ['another number of objects', [total('A', A_SEN, 3), total('B', B_SEN, 3)], false, 0n],
    ['a number of objects on one sheet alone', [total('A', A_SEN, 9), total('B', B_SEN)], true, 0n],
    ['a total without an amount', [total('A', null)], null, 0n],
  ])('compares %s', (_what, totals, isEqual, differenceSen) => {
    expect(checkControl(totals, null, computed)).toEqual({ isEqual, differenceSen });
  });

  it('compares typed totals as well, and names the first amount that differs', () => {
    const typed = { objects: 5, amountSen: A_SEN + B_SEN, books: [{ book: 2, objects: null, amountSen: 1 }] };
    expect(checkControl([], { ...typed, books: [] }, computed)).toEqual({ isEqual: true, differenceSen: 0n });
    expect(checkControl([total('A', A_SEN)], typed, computed)).toEqual({ isEqual: false, differenceSen: 10_000_000n });
    const empty = { objects: null, amountSen: null, books: [{ book: 3, objects: 0, amountSen: null }] };
    expect(checkControl([], empty, computed)).toEqual({ isEqual: true, differenceSen: 0n });
  });
});
