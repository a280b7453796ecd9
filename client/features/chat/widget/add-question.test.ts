import { expect, it } from 'vitest';
import { addQuestion } from './chat-widget.tsx';

it('begins a question without losing what was typed, and only once', () => {
  const question = 'Saya ingin bertanya tentang PBB 2025: ';
  expect(addQuestion('', question)).toBe(question);
  expect(addQuestion(' \n', question)).toBe(question);
  expect(addQuestion('Selamat pagi', question)).toBe(`Selamat pagi\n${question}`);
  expect(addQuestion(`${question}berapa?`, question)).toBe(`${question}berapa?`);
});
