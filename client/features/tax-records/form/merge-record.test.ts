import { expect, it } from 'vitest';
import { mergeRecord } from './merge-record.ts';
import { emptyRecord } from './record-form-values.ts';

const base = { ...emptyRecord, name: 'Siti', address: 'Jl. Melati', amount: 1000, notes: 'lama' };

it('takes fields that only the other edit changed and keeps what was typed here', () => {
  const typed = { ...base, notes: 'ketikan saya', amount: 2000 };
  const stored = { ...base, address: 'Jl. Mawar', amount: 3000 };
  const { values, differing } = mergeRecord(base, typed, stored);
  expect(values).toEqual({ ...base, address: 'Jl. Mawar', amount: 2000, notes: 'ketikan saya' });
  expect(differing).toEqual(['address', 'amount', 'notes']);
});

it('ignores spaces around texts and whether a number is held as text', () => {
  const typed = { ...base, name: 'Siti ', amount: '1000.' };
  expect(mergeRecord(base, typed, base)).toEqual({ values: base, differing: [] });
});
