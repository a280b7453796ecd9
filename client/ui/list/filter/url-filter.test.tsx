import { act, screen } from '@testing-library/react';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import {
  choicePart,
  datePart,
  readFilter,
  sortPart,
  textPart,
  useUrlFilter,
  writeFilter,
  wordPart,
  yearPart,
} from './url-filter.ts';

type Filter = {
  search: string;
  role: 'admin' | 'user' | '';
  view: 'overdue' | 'unpaid' | '';
  year: string;
  from: string;
  sort: 'new' | 'old';
};

const parts = {
  search: textPart('cari'),
  role: choicePart('peran', ['admin', 'user']),
  view: wordPart('tampilan', { overdue: 'tunggakan', unpaid: 'belum-lunas' }),
  year: yearPart('tahun'),
  from: datePart('dari'),
  sort: sortPart('urut', ['new', 'old'], 'new'),
} as const;
const none: Filter = { search: '', role: '', view: '', year: '', from: '', sort: 'new' };

it('reads an address without parameters as the filter that hides nothing', () => {
  expect(readFilter<Filter>(parts, new URLSearchParams('halaman=3'))).toEqual(none);
});

it('ignores texts that are no value of their part', () => {
  const params = new URLSearchParams('peran=raja&tampilan=overdue&tahun=20x6&dari=2026-02-30&urut=mahal');
  expect(readFilter<Filter>(parts, params)).toEqual(none);
});

it('writes its parts first, leaves out empty ones and keeps other parameters', () => {
  const current = new URLSearchParams('per_halaman=50&peran=user&tahun=2024');
  const written = writeFilter<Filter>(parts, { ...none, search: 'siti', view: 'overdue' }, current);
  expect(String(written)).toBe('cari=siti&tampilan=tunggakan&per_halaman=50');
});

it('reads back what it wrote', () => {
  const filters = fc.record({
    search: fc.string({ maxLength: 200 }),
    role: fc.constantFrom('admin', 'user', ''),
    view: fc.constantFrom('overdue', 'unpaid', ''),
    year: fc.constantFrom('', '2024', '1999'),
    from: fc.constantFrom('', '2026-01-31'),
    sort: fc.constantFrom('new', 'old'),
  }) satisfies fc.Arbitrary<Filter>;
  fc.assert(
    fc.property(filters, (filter) => {
      const written = new URLSearchParams(String(writeFilter<Filter>(parts, filter)));
      expect(readFilter<Filter>(parts, written)).toEqual(filter);
    }),
  );
});

it('keeps both of two changes that come before the list is drawn again', () => {
  function List() {
    const { change } = useUrlFilter<Filter>(parts);
    return (
      <button
        type="button"
        onClick={() => {
          change({ role: 'user' });
          change({ search: 'siti' }, { replace: true });
        }}
      >
        Ubah
      </button>
    );
  }
  const { router } = renderPage(<List />, { path: '/', at: '/?halaman=3&tahun=2024' });
  act(() => screen.getByRole('button').click());
  expect(router.state.location.search).toBe('?cari=siti&peran=user&tahun=2024');
});
