import { expect, it } from 'vitest';
import { askAdmin, takeQuestion } from './ask-admin.ts';
import { erasePrivateData } from './private-data.ts';

const question = { text: 'Saya ingin bertanya tentang NOP 1: ', record: null };

it('hands over a question once, and none of an account that has signed out', () => {
  askAdmin(question);
  expect(takeQuestion()).toBe(question);
  expect(takeQuestion()).toBeNull();
  askAdmin(question);
  erasePrivateData({ id: 'u1', email: 'u1@contoh.id' });
  expect(takeQuestion()).toBeNull();
});
