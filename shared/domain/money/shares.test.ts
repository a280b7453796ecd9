import { expect, it } from 'vitest';
import { percentShares } from './shares.ts';

it.each([
  [[204, 139, 59], 0, [51, 34, 15]],
  [[1, 5, 2], 0, [13, 62, 25]],
  [[1, 1, 1], 0, [34, 33, 33]],
  [[1, 1, 1], 1, [33.4, 33.3, 33.3]],
  [[12_000_000, 3_980_000, 20_000], 1, [75, 24.9, 0.1]],
  [[0, 0], 0, [0, 0]],
  [[], 0, []],
  [[5, 0], 1, [100, 0]],
  [[999_999_999_999.99, 0.01], 1, [100, 0]],
] as const)('gives the parts %j with %d decimals as %j', (parts, decimals, shares) => {
  expect(percentShares(parts, decimals)).toEqual(shares);
});

it('adds up to 100, and no part is further than one unit from its exact share', () => {
  let seed = 20_261_123;
  const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max;
  for (let round = 0; round < 500; round += 1) {
    const parts = Array.from({ length: 1 + random(7) }, () => random(1_000_000_000) / 100);
    const whole = parts.reduce((sum, part) => sum + part, 0);
    if (whole === 0) continue;
    for (const decimals of [0, 1] as const) {
      const shares = percentShares(parts, decimals);
      expect(Math.round(shares.reduce((sum, share) => sum + share, 0) * 10)).toBe(1000);
      for (const [index, share] of shares.entries()) {
        const exact = ((parts[index] ?? 0) / whole) * 100;
        expect(Math.abs(share - exact)).toBeLessThan(decimals === 1 ? 0.100_001 : 1.000_001);
      }
    }
  }
});
