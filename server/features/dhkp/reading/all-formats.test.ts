import * as fc from 'fast-check';
import { writeOds, writeXlsx } from 'hucre';
import { describe, expect, it } from 'vitest';
import { BINARY_TYPES, writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { nopOf, readTestList } from './testing/read-test-list.ts';

/** Random lists, written in every format by several writers, are read back equal. */

type TestObject = {
  nop: string;
  nopText: string;
  name: string;
  address: string;
  amountSen: number;
  amountText: string;
  landM2: number;
  paidOn: string | null;
};

const HEADER = ['NO', 'NOP', 'NAMA WP', 'ALAMAT OP', 'PBB TERHUTANG', 'LUAS TANAH', 'TGL BAYAR'];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefÉéñ'.split('');
const CHARACTERS = [...LETTERS, ...'0123456789 .,;|/-"\'&<>=+@()#'.split('')];

const text = fc
  .tuple(fc.constantFrom(...LETTERS), fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 28 }))
  .map(([first, rest]) => `${first}${rest.join('')}`.replaceAll(/ +/g, ' ').trim())
  // A sum is no object.
  .filter((name) => !/^(?:jumlah|total|sub|grand|pindahan|di)/i.test(name));

const grouped = (rupiah: number, sign: string): string => String(rupiah).replaceAll(/\B(?=(?:\d{3})+$)/g, sign);
const amount = fc
  .tuple(fc.integer({ min: 1000, max: 999_999_999 }), fc.constantFrom('plain', 'dots', 'commas', 'Rp'))
  .map(([rupiah, way]) => ({
    amountSen: rupiah * 100,
    amountText:
      way === 'plain'
        ? String(rupiah)
        : way === 'commas'
          ? `${grouped(rupiah, ',')}.00`
          : `${way === 'Rp' ? 'Rp ' : ''}${grouped(rupiah, '.')}`,
  }));
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const list: fc.Arbitrary<TestObject[]> = fc
  .array(fc.tuple(text, text, amount, fc.nat(99_999), fc.option(day), fc.boolean()), { minLength: 1, maxLength: 12 })
  .map((objects) =>
    objects.map(([name, address, money, landM2, paidOn, isDotted], index) => {
      const nop = nopOf(index + 1);
      const nopText = isDotted ? `35.15.180.012.001-${nop.slice(13, 17)}.0` : nop;
      return { nop, nopText, name, address, ...money, landM2, paidOn };
    }),
  );

const DAY_MS = 86_400_000;
const serialOf = (date: string): number => (Date.parse(date) - Date.UTC(1899, 11, 30)) / DAY_MS;
/** As numbers and serial numbers of days, as spreadsheets store them. */
const toCells = (objects: TestObject[]) => [
  HEADER,
  ...objects.map((object, index) => [
    index + 1,
    object.nopText,
    object.name,
    object.address,
    object.amountSen / 100,
    object.landM2,
    object.paidOn === null ? null : serialOf(object.paidOn),
  ]),
];
const dayFirst = (date: string): string => date.split('-').toReversed().join('/');
const toTexts = (objects: TestObject[]): string[][] => [
  HEADER,
  ...objects.map((object, index) => [
    String(index + 1),
    object.nopText,
    object.name,
    object.address,
    object.amountText,
    String(object.landM2),
    object.paidOn === null ? '' : dayFirst(object.paidOn),
  ]),
];
const separated = (objects: TestObject[], delimiter: string, lineEnd: string): string =>
  toTexts(objects)
    .map((cells) =>
      cells.map((cell) => (/[",;|\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter),
    )
    .join(lineEnd);
const escaped = (cell: string): string => cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const page = (objects: TestObject[]): string =>
  `<table>${toTexts(objects)
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`)
    .join('\n')}</table>`;

const WRITERS: Record<string, (objects: TestObject[]) => Buffer | string | Promise<Buffer>> = {
  ...Object.fromEntries(
    BINARY_TYPES.flatMap((type) =>
      [true, false].map((sharedTexts) => [
        `${type}, shared texts: ${sharedTexts}`,
        (objects: TestObject[]) => writeSpreadsheet(type, [{ name: 'A', rows: toCells(objects) }], { sharedTexts }),
      ]),
    ),
  ),
  'xlsx of hucre': async (objects) => Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows: toCells(objects) }] })),
  'ods of hucre': async (objects) => Buffer.from(await writeOds({ sheets: [{ name: 'A', rows: toCells(objects) }] })),
  html: (objects) => Buffer.from(page(objects)),
  'csv with ; in Windows-1252': (objects) => Buffer.from(separated(objects, ';', '\r\n'), 'latin1'),
  'csv with , in UTF-8': (objects) => Buffer.from(`\uFEFF${separated(objects, ',', '\n')}`),
  'csv with | and CR': (objects) => Buffer.from(separated(objects, '|', '\r')),
  'csv with tabs in UTF-16': (objects) => Buffer.from(`\uFEFF${separated(objects, '\t', '\r\n')}`, 'utf16le'),
  'pasted cells': (objects) => separated(objects, '\t', '\r\n'),
};

describe('reading', () => {
  it.each(Object.keys(WRITERS))('gives back every random list of %s', async (writer) => {
    await fc.assert(
      fc.asyncProperty(list, async (objects) => {
        const file = await WRITERS[writer]?.(objects);
        if (file === undefined) throw new Error(`no writer ${writer}`);
        const { rows, needsMapping } = await readTestList(file);
        expect(needsMapping).toBe(false);
        expect(
          rows.map(({ row, nop, values, problems, warnings }) => ({
            row,
            nop,
            name: values.name,
            address: values.object_address,
            amountSen: values.amount_sen,
            landM2: values.land_m2,
            paidOn: values.paid_on,
            notes: [...problems, ...warnings],
          })),
        ).toEqual(
          objects.map(({ nop, name, address, amountSen, landM2, paidOn }, index) => ({
            row: index + 2,
            nop,
            name,
            address,
            amountSen,
            landM2,
            paidOn,
            notes: [],
          })),
        );
      }),
      { numRuns: 25 },
    );
  });
});
