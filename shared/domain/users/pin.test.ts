import { describe, expect, it } from 'vitest';
import { isSafePin } from './pin.ts';

const all = Array.from({ length: 1_000_000 }, (_, index) => String(index).padStart(6, '0'));

describe('isSafePin', () => {
  it.each([
    ['000000', 'all digits equal'],
    ['123456', 'a run up'],
    ['987654', 'a run down'],
    ['567890', 'a run over the zero'],
    ['121212', 'a pair three times'],
    ['123123', 'a triple twice'],
    ['112233', 'three doubled digits'],
    ['159753', 'a path over the keys'],
    ['170845', 'a date that everybody knows'],
    ['12345', 'too short'],
    ['1234567', 'too long'],
    ['18a729', 'a letter'],
    ['１８３７２９', 'digits of another alphabet'],
  ])('refuses %s: %s', (pin) => expect(isSafePin(pin)).toBe(false));

  it.each(['183729', '407152', '900217'])('accepts %s', (pin) => expect(isSafePin(pin)).toBe(true));

  it('refuses six digits in a row of a phone of the account, without the zero or 62', () => {
    const phone = '+6281374926058';
    for (const pin of ['813749', '137492', '926058']) expect(isSafePin(pin, [phone]), pin).toBe(false);
    for (const pin of ['081374', '628137', '374962']) expect(isSafePin(pin, [phone]), pin).toBe(true);
  });

  it('leaves more than 997,000 PINs, so that twenty guesses in a life of a card hit one in 0.1 percent at most', () => {
    const left = all.filter((pin) => isSafePin(pin)).length;
    expect(left).toBe(1_000_000 - 2080 - 20 - 100);
    expect(20 / left).toBeLessThan(0.001);
  });
});
