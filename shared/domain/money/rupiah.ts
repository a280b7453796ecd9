import { AMOUNT_MAX_RUPIAH } from '#shared/limits.ts';

const SEN_PER_RUPIAH = 100;

const currencyFormat = new Intl.NumberFormat('id-ID', {
  style: 'currency',
  currency: 'IDR',
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
  // Without this, a small negative amount shows as '-Rp 0'.
  signDisplay: 'negative',
});
const numberFormat = new Intl.NumberFormat('id-ID');

/** Whether `value` is an amount in rupiah that may be stored: 0 to 999,999,999,999 with at most two decimals (R-REC-1). */
export function isRupiahAmount(value: number): boolean {
  if (!(value >= 0 && value <= AMOUNT_MAX_RUPIAH)) return false;
  // Below the limit, sen / 100 is the double nearest to the decimal. Equality means that it has two decimals or fewer.
  return Math.round(value * SEN_PER_RUPIAH) / SEN_PER_RUPIAH === value;
}

/**
 * Rupiah to whole sen, exactly (R-API-7).
 * @throws RangeError when `rupiah` is not an amount by `isRupiahAmount`.
 */
export function rupiahToSen(rupiah: number): number {
  if (!isRupiahAmount(rupiah)) throw new RangeError(`Not an amount in rupiah: ${rupiah}`);
  // The addition turns -0 into 0; JSON and Object.is treat the two differently.
  return Math.round(rupiah * SEN_PER_RUPIAH) + 0;
}

/** Whole sen to rupiah, the inverse of `rupiahToSen`; also for sums (R-API-7). */
export function senToRupiah(sen: number): number {
  return sen / SEN_PER_RUPIAH;
}

/**
 * Sen plus 10 %, rounded half up to whole rupiah; the result is in sen and may be over the amount limit (R-YEAR-2).
 * @throws RangeError when `sen` is negative, not a whole number, or too large to be calculated exactly.
 */
export function increaseTenPercentSen(sen: number): number {
  const tenthsOfSen = sen * 11 + 500;
  if (!Number.isInteger(sen) || sen < 0 || !Number.isSafeInteger(tenthsOfSen)) {
    throw new RangeError(`Not an amount in sen: ${sen}`);
  }
  return (tenthsOfSen - (tenthsOfSen % 1000)) / 10;
}

/** The sum of amounts, in rupiah. It is summed in sen, because sums of decimals drift in doubles. */
export function totalAmount(records: readonly { amount: number }[]): number {
  return senToRupiah(records.reduce((sum, { amount }) => sum + Math.round(amount * SEN_PER_RUPIAH), 0));
}

/** An amount in rupiah as text, without decimals: `Rp 1.500.000`, with the no-break space of Intl (R-UI-8). */
export function formatRupiah(rupiah: number): string {
  return currencyFormat.format(rupiah);
}

/** A number as text, grouped as in Indonesian: `1.500.000`, `12,5` (R-UI-8). */
export function formatNumber(n: number): string {
  return numberFormat.format(n);
}

/**
 * The number in the text of a form field, or null. Only plain decimals count: `1.500.000`, `0x10`, `1e3`, an empty text or a
 * space is not a number. The point is always the decimal point, so `1.500` is one and a half (R-API-8).
 */
export function parseStrictNumber(text: string): number | null {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value + 0 : null;
}

/**
 * `part` of `total` in percent, rounded half up; 0 when `total` is 0. Both are counts, sen, or rupiah with at most two decimals (R-REPORT-3).
 * @throws RangeError when one of them is negative or not finite.
 */
export function sharePercent(part: number, total: number, decimals: 0 | 1): number {
  if (!(part >= 0 && part < Infinity && total >= 0 && total < Infinity)) {
    throw new RangeError(`Not a share: ${part} of ${total}`);
  }
  if (total === 0) return 0;
  const unit = Number.isInteger(part) && Number.isInteger(total) ? 1 : SEN_PER_RUPIAH;
  const scale = decimals === 1 ? 10 : 1;
  // Sums in sen times a thousand leave the range of exact doubles, in which a half is rounded correctly.
  const wholePart = BigInt(Math.round(part * unit)) * BigInt(100 * scale);
  const wholeTotal = BigInt(Math.round(total * unit));
  // A total below half a sen would otherwise be a division by zero.
  if (wholeTotal === 0n) return 0;
  return Number((2n * wholePart + wholeTotal) / (2n * wholeTotal)) / scale;
}
