import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillTemplate,
  findPlaceholders,
  REPLY_VARIABLES,
  type ReplyVariable,
  unknownVariables,
} from './reply-template.ts';

const values: Record<ReplyVariable, string | null> = {
  nama: 'Siti Aminah',
  nama_depan: 'Siti',
  jumlah_tunggakan: 'Rp 1.250.000',
  daftar_tunggakan: null,
  jatuh_tempo_terdekat: null,
  admin: 'Ibu Ratna',
  jam_layanan: 'Senin–Jumat 08.00–15.00',
};

describe('a filled template', () => {
  it.each([
    ['Halo {nama_depan}, tunggakan Anda {jumlah_tunggakan}.', 'Halo Siti, tunggakan Anda Rp 1.250.000.', []],
    ['{Nama} dan {NAMA}', 'Siti Aminah dan Siti Aminah', []],
    [
      '{jatuh_tempo_terdekat}, {jatuh_tempo_terdekat}',
      '{jatuh_tempo_terdekat}, {jatuh_tempo_terdekat}',
      ['jatuh_tempo_terdekat'],
    ],
    ['Kirim {?nomor NOP}, {nama}', 'Kirim {?nomor NOP}, Siti Aminah', ['nomor NOP']],
    ['{? nomor NOP }', '{? nomor NOP }', ['nomor NOP']],
    ['{rekening}', '{rekening}', ['rekening']],
    ['{?}{? }{} {a b} { nama } {{nama}} {', '{?}{? }{} {a b} { nama } {Siti Aminah} {', []],
    ['', '', []],
  ])('%j becomes %j', (template, text, missing) => {
    expect(fillTemplate(template, values)).toEqual({ text, missing });
  });

  it('inserts a value as it is, whatever braces it has', () => {
    const tricky = { ...values, nama: '{admin} $& {?isian}', admin: '{nama}' };
    expect(fillTemplate('{nama}|{admin}', tricky)).toEqual({ text: '{admin} $& {?isian}|{nama}', missing: [] });
  });

  it('equals its parts with the values between them, for any parts and values', () => {
    const plain = fc.string().map((text) => text.replaceAll(/[{}]/g, ''));
    const part = fc.oneof(
      plain.map((text) => ({ template: text, text, missing: [] as string[] })),
      fc.tuple(fc.constantFrom(...REPLY_VARIABLES), fc.option(fc.string())).map(([name, value]) => ({ name, value })),
      plain
        .map((text) => text.replaceAll('\n', ' ').trim())
        .filter((text) => text !== '')
        .map((prompt) => ({ template: `{?${prompt}}`, text: `{?${prompt}}`, missing: [prompt] })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const given: Record<ReplyVariable, string | null> = { ...values };
        for (const each of parts) if ('name' in each) given[each.name] = each.value;
        const expected = parts.map((each) => {
          if (!('name' in each)) return each;
          const template = `{${each.name}}`;
          const value = given[each.name];
          return { template, text: value ?? template, missing: value === null ? [each.name] : [] };
        });
        expect(fillTemplate(expected.map(({ template }) => template).join(''), given)).toEqual({
          text: expected.map(({ text }) => text).join(''),
          missing: [...new Set(expected.flatMap(({ missing }) => missing))],
        });
      }),
      { numRuns: 500 },
    );
  });
});

it('finds the placeholders with their places', () => {
  const text = 'a {?nomor NOP} {nama}';
  const found = findPlaceholders(text);
  expect(found.map(({ from, to }) => text.slice(from, to))).toEqual(['{?nomor NOP}', '{nama}']);
  expect(found.map(({ name, isPrompt }) => [name, isPrompt])).toEqual([
    ['nomor NOP', true],
    ['nama', false],
  ]);
});

it('names variables that do not exist, each once', () => {
  expect(unknownVariables('{nama} {namaa} {?namaa} {Admin} {namaa}')).toEqual(['namaa']);
});
