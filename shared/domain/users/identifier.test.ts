import { expect, it } from 'vitest';
import { readIdentifier } from './identifier.ts';

it.each([
  [' Siti@Contoh.ID ', { kind: 'email', value: 'siti@contoh.id' }],
  ['0812-3456-7890', { kind: 'phone', value: '+6281234567890' }],
  ['k7m2 9qxa', { kind: 'card', value: 'K7M29QXA' }],
  ['a@b.co.i', { kind: 'email', value: 'a@b.co.i' }],
  ['siti', { kind: 'email', value: 'siti' }],
])('reads %j as %j', (typed, identifier) => expect(readIdentifier(typed)).toEqual(identifier));
