import { expect, it } from 'vitest';
import { buildRecord } from '#client/testing/build-record.ts';
import { recordHeading, recordSubtitle, recordTitle } from './record-labels.ts';

it.each([
  ['Jl. Melati No. 12, Desa Sukamaju, Kudus', 'Jl. Melati No. 12', 'Desa Sukamaju, Kudus'],
  ['Jl. Melati, No. 12, Desa Sukamaju', 'Jl. Melati, No. 12', 'Desa Sukamaju'],
  ['Dusun Krajan, Desa Sukamaju', 'Dusun Krajan, Desa Sukamaju', ''],
  ['Jl. Melati', 'Jl. Melati', ''],
])('names a record at %s by its place, and keeps the rest of the address below', (address, place, rest) => {
  const record = buildRecord({ address, name: 'Siti', year: 2026, property_type: 'toko' });
  expect(recordTitle(record)).toBe(`Toko/Ruko – ${place}`);
  expect(recordHeading(record)).toBe(`PBB 2026 · ${place}`);
  expect(recordSubtitle(record)).toBe(rest === '' ? 'Siti' : `Siti · ${rest}`);
});

it('leaves out a property type that is not known', () => {
  expect(recordTitle(buildRecord({ address: 'Jl. Melati 1', property_type: null }))).toBe('Jl. Melati 1');
});
