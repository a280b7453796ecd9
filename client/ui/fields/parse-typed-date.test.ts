import { describe, expect, it } from 'vitest';
import { parseTypedDate } from './parse-typed-date.ts';

describe('parseTypedDate', () => {
  it.each([
    ['5/9/2025', '2025-09-05'],
    ['05-09-2025', '2025-09-05'],
    [' 31.12.2025 ', '2025-12-31'],
    ['05092025', '2025-09-05'],
    ['2025-09-05', '2025-09-05'],
    ['29/02/2024', '2024-02-29'],
  ])('parses %j as %s', (typed, date) => {
    expect(parseTypedDate(typed)).toBe(date);
  });

  it.each([
    ['30/9', '2025-09-30'],
    ['30-09', '2025-09-30'],
    ['31/9', null],
    ['5/9/2024', '2024-09-05'],
    ['5/9/24', '2024-09-05'],
    ['31-12-99', '2099-12-31'],
    ['31/9/24', null],
  ])('gives %j without a year that of the field', (typed, date) => {
    expect(parseTypedDate(typed, 2025)).toBe(date);
  });

  it.each(['', '31/02/2025', '12/31/2025', '5/9/25', '5/9', 'besok', '99999999'])(
    'does not take %j for a date',
    (typed) => {
      expect(parseTypedDate(typed)).toBeNull();
    },
  );
});
