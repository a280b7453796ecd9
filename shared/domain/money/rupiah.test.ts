import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatNumber,
  formatRupiah,
  increaseTenPercentSen,
  isRupiahAmount,
  parseStrictNumber,
  rupiahToSen,
  senToRupiah,
  sharePercent,
} from './rupiah.ts';

const MAX_SEN = 99_999_999_999_900;
const anySen = fc.oneof(fc.integer({ min: 0, max: MAX_SEN }), fc.integer({ min: MAX_SEN - 1000, max: MAX_SEN }));

/** The amount as the text of a form or of JSON. */
const decimalText = (sen: number) => `${BigInt(sen) / 100n}.${String(sen % 100).padStart(2, '0')}`;

describe('rupiahToSen', () => {
  it.each([
    [0, 0],
    [0.07, 7],
    [0.29, 29],
    [1.1, 110],
    [1_234_567.89, 123_456_789],
    [1_500_000, 150_000_000],
    [999_999_999_998.99, 99_999_999_999_899],
    [999_999_999_999, MAX_SEN],
  ])('converts %d rupiah to %d sen', (rupiah, sen) => {
    expect(rupiahToSen(rupiah)).toBe(sen);
    expect(isRupiahAmount(rupiah)).toBe(true);
  });

  it.each([0.001, 1.005, -1, -0.01, 999_999_999_999.01, 1e12, 1e300, NaN, Infinity, -Infinity])(
    'throws for %d rupiah',
    (rupiah) => {
      expect(() => rupiahToSen(rupiah)).toThrow(RangeError);
      expect(isRupiahAmount(rupiah)).toBe(false);
    },
  );

  it('returns 0 for a negative zero', () => {
    expect(Object.is(rupiahToSen(-0), 0)).toBe(true);
  });

  it('converts every amount to sen and back without a change', () => {
    fc.assert(
      fc.property(anySen, (sen) => {
        const rupiah = Number(decimalText(sen));
        expect(rupiahToSen(rupiah)).toBe(sen);
        expect(senToRupiah(sen)).toBe(rupiah);
      }),
    );
  });

  it('throws for a third decimal, however large the amount is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_SEN - 100 }), fc.integer({ min: 1, max: 9 }), (sen, third) => {
        expect(isRupiahAmount(Number(`${decimalText(sen)}${third}`))).toBe(false);
      }),
    );
  });

  it('adds amounts without a rounding error', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000_000_000 }), { maxLength: 200 }), (sens) => {
        const sum = sens.reduce((total, sen) => total + rupiahToSen(senToRupiah(sen)), 0);
        const exact = sens.reduce((total, sen) => total + BigInt(sen), 0n);
        expect(BigInt(sum)).toBe(exact);
        expect(senToRupiah(sum)).toBe(Number(decimalText(sum)));
      }),
    );
  });
});

describe('increaseTenPercentSen', () => {
  it.each([
    [0, 0],
    [150_000_000, 165_000_000],
    [400, 400],
    [500, 600],
    [123_456_789, 135_802_500],
    [45, 0],
    [46, 100],
    [MAX_SEN, 109_999_999_999_900],
  ])('increases %d sen to %d sen', (sen, increased) => {
    expect(increaseTenPercentSen(sen)).toBe(increased);
  });

  it.each([-1, 0.5, NaN, Infinity, Number.MAX_SAFE_INTEGER])('throws for %d sen', (sen) => {
    expect(() => increaseTenPercentSen(sen)).toThrow(RangeError);
  });

  it('agrees with exact integer arithmetic', () => {
    fc.assert(
      fc.property(anySen, (sen) => {
        const wholeRupiah = (BigInt(sen) * 110n + 5000n) / 10_000n;
        expect(BigInt(increaseTenPercentSen(sen))).toBe(wholeRupiah * 100n);
      }),
    );
  });
});

describe('formatRupiah', () => {
  it.each([
    [1_500_000, 'Rp\u00a01.500.000'],
    [0, 'Rp\u00a00'],
    [999_999_999_999, 'Rp\u00a0999.999.999.999'],
    [1500.5, 'Rp\u00a01.501'],
    [-2500, '-Rp\u00a02.500'],
    [-0.4, 'Rp\u00a00'],
  ])('writes %d rupiah', (rupiah, text) => {
    expect(formatRupiah(rupiah)).toBe(text);
  });
});

describe('formatNumber', () => {
  it.each([
    [1_500_000, '1.500.000'],
    [12.5, '12,5'],
    [-1000, '-1.000'],
    [0, '0'],
  ])('writes the number %d', (n, text) => {
    expect(formatNumber(n)).toBe(text);
  });
});

describe('parseStrictNumber', () => {
  it.each([
    ['0', 0],
    ['1500000', 1_500_000],
    ['1234567.89', 1_234_567.89],
    ['1.500', 1.5],
    ['-12.5', -12.5],
    ['-0', 0],
    ['007', 7],
  ])('reads %j as %d', (text, value) => {
    expect(parseStrictNumber(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '1.500.000',
    '1,5',
    '0x10',
    '1e3',
    '+1',
    '.5',
    '5.',
    '--1',
    '-',
    'NaN',
    'Infinity',
    '1_000',
    'Rp 1',
    '١٢',
    '9'.repeat(400),
  ])('returns null for %j', (text) => {
    expect(parseStrictNumber(text)).toBeNull();
  });

  it('reads every amount from its text', () => {
    fc.assert(
      fc.property(anySen, (sen) => {
        expect(parseStrictNumber(decimalText(sen))).toBe(senToRupiah(sen));
      }),
    );
  });

  it('returns null or a finite number for every text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = parseStrictNumber(text);
        expect(value === null || Number.isFinite(value)).toBe(true);
      }),
    );
  });
});

describe('sharePercent', () => {
  it.each([
    [0, 0, 0, 0],
    [5, 0, 1, 0],
    [1, 3, 0, 33],
    [1, 3, 1, 33.3],
    [2, 3, 0, 67],
    [1, 8, 0, 13],
    [1, 200, 0, 1],
    [1, 2000, 1, 0.1],
    [3, 3, 1, 100],
    [0.1, 0.3, 1, 33.3],
    [1_234_567.89, 2_469_135.78, 1, 50],
    [5e15, 9e15, 1, 55.6],
  ] as const)('computes %d of %d with %d decimals as %d percent', (part, total, decimals, percent) => {
    expect(sharePercent(part, total, decimals)).toBe(percent);
  });

  it.each([
    [-1, 5],
    [1, -5],
    [NaN, 5],
    [1, Infinity],
  ])('throws for %d of %d', (part, total) => {
    expect(() => sharePercent(part, total, 0)).toThrow(RangeError);
  });

  it('rounds to the nearest step, and half a step up', () => {
    fc.assert(
      fc.property(anySen, anySen, fc.constantFrom(0 as const, 1 as const), (a, b, decimals) => {
        const [part, total] = [Math.min(a, b), Math.max(a, b, 1)];
        const perUnit = decimals === 1 ? 1000n : 100n;
        const steps = BigInt(Math.round(sharePercent(part, total, decimals) * (decimals === 1 ? 10 : 1)));
        const twiceError = 2n * (steps * BigInt(total) - BigInt(part) * perUnit);
        expect(twiceError > -BigInt(total) && twiceError <= BigInt(total)).toBe(true);
        // The share is the same for both in sen and both in rupiah.
        expect(sharePercent(senToRupiah(part), senToRupiah(total), decimals)).toBe(sharePercent(part, total, decimals));
      }),
    );
  });
});
