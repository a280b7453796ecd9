import { expect, it } from 'vitest';
import { emailText } from './email-text.ts';

it('shows the number of an account without an e-mail address, also inside a text', () => {
  expect(emailText('w-48217735@tanpa-email.invalid')).toBe('Tanpa email · no. 4821-7735');
  expect(emailText('W-48217735@Tanpa-Email.invalid')).toBe('Tanpa email · no. 4821-7735');
  expect(emailText('Siti (w-00000001@tanpa-email.invalid)')).toBe('Siti (Tanpa email · no. 0000-0001)');
});

it('leaves every other address as it is', () => {
  for (const email of ['siti@contoh.id', 'w-4821773@tanpa-email.invalid', '']) expect(emailText(email)).toBe(email);
});
