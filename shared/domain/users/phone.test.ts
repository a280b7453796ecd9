import { describe, expect, it } from 'vitest';
import { formatPhone, nationalDigits, readPhone } from './phone.ts';

describe('readPhone', () => {
  it.each([
    ['081234567890', '+6281234567890'],
    ['62 812-3456-7890', '+6281234567890'],
    ['+62 (812) 3456 7890', '+6281234567890'],
    ['0812\u00A03456\u20117890', '+6281234567890'],
    ['08123456', null],
    ['081234567', '+6281234567'],
    ['0812345678901', '+62812345678901'],
    ['08123456789012', '+628123456789012'],
    ['081234567890123', null],
    ['81234567890', null],
    ['+6580123456', null],
    ['00812345678', null],
    ['0211234567', null],
    ['0812x34567', null],
    ['', null],
  ])('makes of %j %j', (typed, phone) => expect(readPhone(typed)).toBe(phone));
});

it('shows a number as people write it, and knows it without its zero', () => {
  expect(formatPhone('+6281234567890')).toBe('0812-3456-7890');
  expect(formatPhone('+6281234567')).toBe('0812-3456-7');
  expect(nationalDigits('+6281234567890')).toBe('81234567890');
});
