import { expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [8192, '8,2 KB'],
  [999_960, '1 MB'],
  [12_345_678, '12,3 MB'],
  [2_100_000_000, '2,1 GB'],
  [5e15, '5.000 TB'],
  [-1, '0 B'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
