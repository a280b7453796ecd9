import { expect, it } from 'vitest';
import { cleanCode, CODE_ALPHABET, CODE_LENGTHS, type CodeKind, formatCode, makeCode } from './access-codes.ts';

it('reads a code without letter case, spaces and hyphens of any kind', () => {
  for (const typed of [
    'K7M2-9QXA',
    'k7m29qxa',
    ' k7m2 9qxa ',
    '\u2068K7M2-9QXA\u2069\u200B',
    'K7M2\u20139QXA',
    'k 7 m 2 9 q x a\u00A0',
  ])
    expect(cleanCode(typed)).toBe('K7M29QXA');
});

it('writes a code in two halves', () => {
  expect(formatCode('K7M29QXA')).toBe('K7M2-9QXA');
  expect(formatCode('K7M29QXAC3')).toBe('K7M29-QXAC3');
});

it('makes codes of their length from an alphabet without look-alikes', () => {
  let turn = 0;
  for (const kind of Object.keys(CODE_LENGTHS) as CodeKind[]) {
    const code = makeCode(kind, (below) => (turn += 7) % below);
    expect(code).toHaveLength(CODE_LENGTHS[kind]);
    expect(cleanCode(code)).toBe(code);
  }
  expect(new Set(CODE_ALPHABET).size).toBe(CODE_ALPHABET.length);
  for (const alike of '01OIL5SZBGU') expect(CODE_ALPHABET).not.toContain(alike);
});
