import { expect, it } from 'vitest';
import { nopOf, readTestList } from './testing/read-test-list.ts';

it('gives the texts of the first three rows below the header, by column', async () => {
  const rows = [1, 2, 3, 4].map((number) => `${nopOf(number)};SITI  ${number};45.00${number}`);
  const { samples } = await readTestList(Buffer.from(['NOP;NAMA WP;PAJAK TERHUTANG', ...rows].join('\n')));
  expect(samples).toEqual([1, 2, 3].map((number) => [nopOf(number), `SITI ${number}`, `45.00${number}`]));
});

it('cuts a long text of a sample', async () => {
  const { samples } = await readTestList(Buffer.from(`NOP;NAMA WP;PBB\n${nopOf(1)};${'A'.repeat(400)};45000`));
  expect(samples[0]?.[1]).toBe('A'.repeat(60));
});
