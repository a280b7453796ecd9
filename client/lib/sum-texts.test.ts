import { expect, it } from 'vitest';
import { buildChecked } from '#client/testing/build-sums.ts';
import { checkedText, estimatedText } from './sum-texts.ts';

const sum = (amount: number, count = 1) => ({ count, amount });
// Amounts contain a non-breaking space.
const text = (count: number, amount: number, parts: Parameters<typeof buildChecked>[2]) =>
  checkedText(buildChecked(count, amount, parts)).replaceAll(/\s/g, ' ');

it('says each part of a sum in one line and leaves out parts of 0', () => {
  expect(text(8, 45_000_000, { matched: sum(27_950_000, 4), pending: sum(8_200_000), rejected: sum(1_879_508) })).toBe(
    'Dicocokkan Rp 27.950.000 · menunggu Rp 8.200.000 · tidak cocok Rp 1.879.508 · dicatat kantor Rp 6.970.492',
  );
  expect(text(2, 3000, { matched: sum(1000), outdated: sum(2000) })).toBe(
    'Dicocokkan Rp 1.000 · berubah sejak dicocokkan Rp 2.000',
  );
});

it('begins with a capital also without a matched part', () => {
  expect(text(1, 500, { pending: sum(500) })).toBe('Menunggu Rp 500');
  expect(text(2, 700, { rejected: sum(500) })).toBe('Tidak cocok Rp 500 · dicatat kantor Rp 200');
});

it('says in short that the office knows all', () => {
  expect(text(2, 900, { matched: sum(900, 2) })).toBe('Semua sudah dicocokkan');
  expect(text(2, 900, { matched: sum(400) })).toBe('Semua sudah dicocokkan');
  expect(text(1, 900, {})).toBe('Semua sudah dicocokkan');
});

it('says nothing where nothing was paid', () => {
  expect(text(0, 0, {})).toBe('');
  expect(text(1, 0, { pending: sum(0) })).toBe('');
});

it('does not say that all is checked while a payment of 0 waits', () => {
  expect(text(2, 900, { matched: sum(900), pending: sum(0) })).toBe('Dicocokkan Rp 900');
});

it('says which part of the arrears is an estimate', () => {
  expect(estimatedText(sum(206_250, 2)).replaceAll(/\s/g, ' ')).toBe('termasuk perkiraan Rp 206.250 (2 data)');
  expect(estimatedText(sum(0, 0))).toBe('');
});
