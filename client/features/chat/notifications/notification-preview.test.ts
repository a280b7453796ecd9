import { expect, it } from 'vitest';
import { notificationPreview } from './notifier.ts';

it('keeps up to 50 characters and cuts a longer text with an ellipsis', () => {
  expect(notificationPreview('a'.repeat(50))).toBe('a'.repeat(50));
  expect(notificationPreview('a'.repeat(51))).toBe(`${'a'.repeat(50)}…`);
});

it('counts grapheme clusters and never cuts one in two', () => {
  const family = '👨‍👩‍👧';
  expect(notificationPreview(family.repeat(50))).toBe(family.repeat(50));
  expect(notificationPreview(family.repeat(51))).toBe(`${family.repeat(50)}…`);
  expect(notificationPreview('é'.repeat(51))).toBe(`${'é'.repeat(50)}…`);
});

it('puts a message of several lines on one line', () => {
  expect(notificationPreview('  Halo,\n\n apa   kabar? ')).toBe('Halo, apa kabar?');
});
