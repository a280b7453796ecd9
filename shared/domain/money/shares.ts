/**
 * The parts of one whole in percent, which add up to 100 (largest remainder, R-REPORT-31); all 0 when the whole is 0.
 * @param parts counts, or rupiah with at most two decimals; none negative
 */
export function percentShares(parts: readonly number[], decimals: 0 | 1): number[] {
  // In sen and as whole numbers, so that no remainder is lost in doubles.
  const sen = parts.map((part) => BigInt(Math.round(part * 100)));
  const whole = sen.reduce((sum, part) => sum + part, 0n);
  if (whole === 0n) return parts.map(() => 0);
  const scale = decimals === 1 ? 10 : 1;
  const units = BigInt(100 * scale);
  const shares = sen.map((part, index) => ({
    index,
    share: Number((part * units) / whole),
    remainder: (part * units) % whole,
  }));
  const missing = 100 * scale - shares.reduce((sum, { share }) => sum + share, 0);
  const rounded = shares.map(({ share }) => share);
  const byRemainder = shares.toSorted((a, b) => (a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : 0));
  for (const { index, share } of byRemainder.slice(0, missing)) rounded[index] = share + 1;
  return rounded.map((share) => share / scale);
}
