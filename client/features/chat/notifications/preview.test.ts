import { expect, it } from 'vitest';
import { previewOf } from './preview.ts';

it('leaves up to 50 characters alone and cuts what is longer, with an ellipsis', () => {
  expect(previewOf('a'.repeat(50))).toBe('a'.repeat(50));
  expect(previewOf('a'.repeat(51))).toBe(`${'a'.repeat(50)}…`);
});

it('counts characters as people do and never cuts one in two', () => {
  const family = '👨‍👩‍👧';
  expect(previewOf(family.repeat(50))).toBe(family.repeat(50));
  expect(previewOf(family.repeat(51))).toBe(`${family.repeat(50)}…`);
  expect(previewOf('é'.repeat(51))).toBe(`${'é'.repeat(50)}…`);
});

it('puts a message of several lines on one', () => {
  expect(previewOf('  Halo,\n\n apa   kabar? ')).toBe('Halo, apa kabar?');
});
