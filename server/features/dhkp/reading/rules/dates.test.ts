import { describe, expect, it } from 'vitest';
import { readDate } from './dates.ts';

describe('readDate', () => {
  it.each([
    ['2026-08-31', '2026-08-31'],
    ['2026-08-31 10:15:00', '2026-08-31'],
    ['31/08/2026', '2026-08-31'],
    ['31-8-26', '2026-08-31'],
    ['31.08.2026', '2026-08-31'],
    ['04-MEI-26', '2026-05-04'],
    ['4 Mei 2026', '2026-05-04'],
    ['31 Agustus 2026', '2026-08-31'],
    ['31-AGT-26', '2026-08-31'],
    ['31-AGS-26', '2026-08-31'],
    ['31-Aug-2026', '2026-08-31'],
    ['1 Oktober 2026', '2026-10-01'],
    ['1 Nopember 2026', '2026-11-01'],
    ['29/02/2024', '2024-02-29'],
    ['01-01-00', '2000-01-01'],
  ])('reads %s as %s', (text, date) => {
    expect(readDate(text, false)).toBe(date);
  });

  it.each([
    '08/31/2026',
    '31/02/2026',
    '29/02/2025',
    '0/1/2026',
    '2026/08/31',
    '31 Augustinus 2026',
    '31/08',
    'kemarin',
    '20260831',
    '31-08/2026',
    '31/08/026',
  ])('does not read %s', (text) => {
    expect(readDate(text, false)).toBeNull();
  });

  it('reads serial numbers from 1900 and from 1904, without their time', () => {
    expect([readDate(46265, false), readDate(46265.75, false), readDate(44803, true)]).toEqual([
      '2026-08-31',
      '2026-08-31',
      '2026-08-31',
    ]);
  });

  it('takes no year or amount for a serial number', () => {
    expect([2026, 0, -5, 45_000_000, NaN].map((cell) => readDate(cell, false))).toEqual([null, null, null, null, null]);
  });
});
