import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanNop, formatNop, formatSptNumber, formatTypedNop, isNop, otherNopForms } from './nop.ts';

const nop = fc
  .tuple(fc.integer({ min: 11, max: 99 }), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 16, maxLength: 16 }))
  .map(([province, digits]) => `${province}${digits.join('')}`);

describe('cleanNop', () => {
  it.each([
    '35.15.180.012.001-0034.0',
    '35 15 180 012 001 0034 0',
    "'351518001200100340",
    '"3515180012/0010034-0"',
    '35\u00A015\u00A0180012001–00340',
  ])('drops what stands between the digits of %j', (text) => {
    expect(cleanNop(text)).toBe('351518001200100340');
  });

  it('keeps everything else, so that the number is invalid', () => {
    expect(['NOP 35', "35'15", '3,5E+17', '35_15'].map(cleanNop)).toEqual(['NOP35', "35'15", '3,5E+17', '35_15']);
  });
});

describe('isNop', () => {
  it('accepts 18 digits of a province from 11 to 99, and nothing else', () => {
    const others = [
      '',
      '35151800120010034',
      '3515180012001003400',
      '101518001200100340',
      '09151800120010034x',
      '35151800120010034٠',
    ];
    expect(others.map(isNop)).toEqual(others.map(() => false));
    expect(['111518001200100340', '991518001200100340'].map(isNop)).toEqual([true, true]);
  });
});

describe('formatNop', () => {
  it('shows every NOP so that its digits come back', () => {
    expect(formatNop('351518001200100340')).toBe('35.15.180.012.001-0034.0');
    fc.assert(
      fc.property(nop, (digits) => {
        expect([cleanNop(formatNop(digits)), isNop(digits)]).toEqual([digits, true]);
      }),
    );
  });

  it('returns other digits as they are', () => {
    expect(formatNop('3515')).toBe('3515');
  });
});

describe('formatTypedNop', () => {
  it('shows the signs as far as the digits go, and nothing for what cannot become a NOP', () => {
    expect(['35', '351', '35 15.180', '3515180012001', '351518001200100340'].map(formatTypedNop)).toEqual([
      '35',
      '35.1',
      '35.15.180',
      '35.15.180.012.001',
      '35.15.180.012.001-0034.0',
    ]);
    expect(['', 'NOP 35', '3515180012001003401'].map(formatTypedNop)).toEqual([null, null, null]);
  });
});

describe('formatSptNumber', () => {
  it('shows 18 digits as a NOP, whatever stands between them, and any other number as it was typed', () => {
    const written = '35.15.180.012.001-0034.0';
    expect(['351518001200100340', '35 15 180 012 001 0034 0', written].map(formatSptNumber)).toEqual(
      Array.from({ length: 3 }, () => written),
    );
    const others = ['SPT-3515 1800', '3515180012001003400', 'No. 351518001200100340', ''];
    expect(others.map(formatSptNumber)).toEqual(others);
  });
});

describe('otherNopForms', () => {
  it('finds any written NOP by its digits, and any digits by a written part of it', () => {
    fc.assert(
      fc.property(nop, (digits) => {
        expect(otherNopForms(digits)).toContain(formatNop(digits));
        expect(otherNopForms(formatNop(digits))).toContain(digits);
      }),
    );
    expect(otherNopForms('001-0034')).toContain('0010034');
    expect(otherNopForms('18001200')).toContain('180.012.00');
  });

  it('leaves texts and short numbers as they were typed', () => {
    expect(['2026', '12-34', 'RT 01/02 no. 123', '3515180012001003400'].flatMap(otherNopForms)).toEqual([]);
  });
});
