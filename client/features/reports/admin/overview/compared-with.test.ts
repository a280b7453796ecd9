import { expect, it } from 'vitest';
import { comparedWith } from './compared-with.ts';

it.each([
  [150, 100, 'naik 50%'],
  [75, 100, 'turun 25%'],
  [1001, 3000, 'turun 66,6%'],
  [100, 100, 'hampir sama'],
  [100, 0, 'sebelumnya tidak ada'],
  [0, 0, 'sama'],
  [0, 10, 'turun 100%'],
])('says of %d after %d "%s"', (now, before, text) => {
  expect(comparedWith(now, before)).toBe(text);
});
