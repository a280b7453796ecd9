import { expect, it } from 'vitest';
import { askAdmin, takeQuestion } from './ask-admin.ts';
import { erasePrivateData } from './private-data.ts';

it('hands over a question once, and none of an account that has signed out', () => {
  askAdmin('Saya ingin bertanya tentang NOP 1: ');
  expect(takeQuestion()).toBe('Saya ingin bertanya tentang NOP 1: ');
  expect(takeQuestion()).toBeNull();
  askAdmin('Saya ingin bertanya tentang NOP 1: ');
  erasePrivateData({ id: 'u1', email: 'u1@contoh.id' });
  expect(takeQuestion()).toBeNull();
});
