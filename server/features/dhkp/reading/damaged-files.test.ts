import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { listTypeOf } from './list-type.ts';
import { readList } from './read-list.ts';
import { nopOf } from './testing/read-test-list.ts';

const HEADER = ['NOP', 'NAMA WP', 'LUAS', null, 'PBB TERHUTANG'];
const rows = [
  HEADER,
  [null, null, 'TANAH', 'BGN', null],
  ...Array.from({ length: 40 }, (_, index) => [nopOf(index + 1), `WP ${index}`, 100 + index, 0, 1000 + index]),
  ['JUMLAH', null, null, null, 40780],
];
const sheets = [{ name: 'A', rows, merges: ['C1:D1'] }];
const html = `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell ?? ''}</td>`).join('')}</tr>`).join('')}</table>`;
const FILES: Record<string, Buffer> = {
  xlsx: writeSpreadsheet('xlsx', sheets),
  xlsb: writeSpreadsheet('xlsb', sheets),
  xls: writeSpreadsheet('biff8', sheets),
  ods: writeSpreadsheet('ods', sheets),
  html: Buffer.from(html),
  csv: Buffer.from(rows.map((cells) => cells.map((cell) => `"${cell ?? ''}"`).join(';')).join('\n')),
};
const WORDS = new Set([
  'Berkas dikunci kata sandi. Simpan ulang tanpa kata sandi.',
  'Berkas rusak atau tidak lengkap.',
  'Tidak ada tabel dengan kolom NOP.',
  'Berkas terlalu besar setelah dibuka (paling banyak 100.000 baris dan 200 kolom).',
]);

const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
  minLength: 1,
  maxLength: 8,
});

describe('reading', () => {
  it.each(Object.keys(FILES))(
    'of %s with damaged bytes ends with a list or with words, never with an error',
    async (type) => {
      const whole = FILES[type] ?? Buffer.alloc(0);
      await fc.assert(
        fc.asyncProperty(damage, fc.option(fc.double({ min: 0, max: 1, noNaN: true })), async (changes, end) => {
          const bytes = Buffer.from(whole);
          for (const [at, byte] of changes) bytes[Math.floor(at * (bytes.length - 1))] = byte;
          const cut = end === null ? bytes : bytes.subarray(0, Math.floor(end * bytes.length));
          listTypeOf(cut);
          const outcome = await readList({ bytes: cut }, { year: 2026 });
          expect(outcome.ok || WORDS.has(outcome.message)).toBe(true);
        }),
        { numRuns: 150 },
      );
    },
  );
});
