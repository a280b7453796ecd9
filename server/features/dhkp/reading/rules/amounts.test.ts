import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAmount } from './amounts.ts';

const outcomeOf = (cell: string | number | boolean | null, multiplier: 1 | 1000 = 1): number | string => {
  const amount = readAmount(cell, multiplier);
  return 'sen' in amount ? amount.sen / 100 : amount.problem;
};

describe('readAmount', () => {
  it.each([
    ...['1234567', '1.234.567', '1,234,567', '1 234 567', '1\u00A0234\u00A0567'].map((text) => [text, 1234567]),
    ...['1.234.567,00', '1,234,567.00', 'Rp 1.234.567,-', 'Rp. 1.234.567.-', 'IDR 1,234,567', '1.234.567 Rp'].map(
      (text) => [text, 1234567],
    ),
    ...['45.000', '45,000', 'rp45.000', ' 45.000 ', '45000,00', '45000.00'].map((text) => [text, 45000]),
    ['45,5', 45.5],
    ['45.50', 45.5],
    ['1.234.567,5', 1234567.5],
    ['0', 0],
    ['0,00', 0],
    ['999.999.999.999', 999999999999],
  ] as [string, number][])('reads %j as %d', (text, rupiah) => {
    expect(outcomeOf(text)).toBe(rupiah);
  });

  it.each([
    ...['', ' ', '-', '–', '—', 'Rp', 'Rp -'].map((text) => [text, 'amount_missing']),
    ...['1.234.56', '12.34.567', '1234.567', '1,234.567,00', '1,234,567,00', '1.2E+05', '45.0000'].map((text) => [
      text,
      'amount_invalid',
    ]),
    ...['#REF!', '#N/A', 'enam puluh', '12 34', '1 234.567', '0.500', '45.000 x', '4 5', '+45', '1,2,3', '45..000'].map(
      (text) => [text, 'amount_invalid'],
    ),
    ...['-45.000', '(45.000)', '−45.000', '- 45', '-Rp 45.000', '(Rp 45.000,-)', '-0'].map((text) => [
      text,
      'amount_negative',
    ]),
    ...['1000000000000', '1.000.000.000.000', '999999999999,5'].map((text) => [text, 'amount_range']),
  ])('does not read %j: %s', (text, problem) => {
    expect(outcomeOf(text ?? '')).toBe(problem);
  });

  it('reads number cells as they are, to whole sen', () => {
    expect([45000, 45.5, 0, 0.1 + 0.2].map((cell) => outcomeOf(cell))).toEqual([45000, 45.5, 0, 0.3]);
    expect([-1, 1e12, NaN, Infinity].map((cell) => outcomeOf(cell))).toEqual([
      'amount_negative',
      'amount_range',
      'amount_invalid',
      'amount_invalid',
    ]);
    expect([null, true].map((cell) => outcomeOf(cell))).toEqual(['amount_missing', 'amount_invalid']);
  });

  it('multiplies by a thousand where that was said', () => {
    expect([outcomeOf('45,5', 1000), outcomeOf(45, 1000), outcomeOf(1e9, 1000)]).toEqual([
      45500,
      45000,
      'amount_range',
    ]);
  });

  it('says which sign groups the digits', () => {
    expect(['1.234', '1,234', '1234', '12,5'].map((text) => readAmount(text, 1))).toEqual([
      { sen: 123400, group: '.' },
      { sen: 123400, group: ',' },
      { sen: 123400, group: null },
      { sen: 1250, group: null },
    ]);
  });

  it('never reads another number from a text that two people could read differently', () => {
    const sign = fc.constantFrom('.', ',', ' ', '');
    const parts = fc.array(fc.tuple(fc.integer({ min: 0, max: 99_999 }), sign), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, (pieces) => {
        const text = pieces.map(([digits, after]) => `${digits}${after}`).join('');
        const outcome = outcomeOf(text);
        if (typeof outcome === 'string') return;
        // Every reading keeps the digits: without signs, and without the two digits after a last sign.
        const digits = text.replaceAll(/[., ]/g, '');
        const readings = [0, 1, 2].map((decimals) => Number(digits) / 10 ** decimals);
        expect(readings.map((value) => value.toFixed(2))).toContain(outcome.toFixed(2));
      }),
    );
  });
});
