import { expect, it } from 'vitest';
import { createCardCodes } from '#server/accounts/cards/card-codes.ts';

const of = (secret: string) => createCardCodes({ secret, now: () => 0 });

it('hashes another text for the same PIN on another computer and for another card', () => {
  const texts = [of('a').pinText('x', '402918'), of('b').pinText('x', '402918'), of('a').pinText('y', '402918')];
  expect(new Set(texts).size).toBe(3);
  expect(of('a').pinText('x', ' 402918 ')).toBe(texts[0]);
});

it('looks a code up however it is written, and never by the code itself', () => {
  const lookup = of('a').lookupOf('K7M2-9QXA');
  expect(of('a').lookupOf(' k7m2 9qxa')).toBe(lookup);
  expect(of('b').lookupOf('K7M2-9QXA')).not.toBe(lookup);
  expect(lookup).not.toContain('K7M2');
});
