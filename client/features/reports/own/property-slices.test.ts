import { expect, it } from 'vitest';
import { chartSlices, joinedTypes } from './property-slices.ts';

const share = (property: string, amount: number) => ({ property, amount, percentage: amount });

it('joins the types below two percent, and covers the whole ring', () => {
  const shares = [share('Rumah Tinggal', 970), share('Kantor', 15), share('Gudang', 10), share('Pabrik', 5)];
  const slices = chartSlices(shares);
  expect(slices.map(({ name }) => name)).toEqual(['Rumah Tinggal', 'Lainnya']);
  expect(slices.map(({ from, to }) => [from, to])).toEqual([
    [0, 0.97],
    [0.97, expect.closeTo(1)],
  ]);
  expect(joinedTypes(shares)).toEqual(['Kantor', 'Gudang', 'Pabrik']);
});

it('keeps the slice of a single small type, and draws nothing of nothing', () => {
  const shares = [share('Rumah Tinggal', 99), share('Kantor', 1), share('Pabrik', 0)];
  expect(chartSlices(shares).map(({ name }) => name)).toEqual(['Rumah Tinggal', 'Kantor']);
  expect(joinedTypes(shares)).toEqual([]);
  expect(chartSlices([share('Kantor', 0)])).toEqual([]);
});
