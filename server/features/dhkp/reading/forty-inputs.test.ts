import { describe, expect, it } from 'vitest';
import { type TestCell, writeCompoundFile, writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { inlineText, numberCell, sheetXml, writeOds, writeZip, xlsxParts } from '#server/testing/dhkp/zip-files.ts';
import { listTypeOf } from './list-type.ts';
import { readList } from './read-list.ts';
import { nopOf, readTestList, summaryOf, VILLAGE } from './testing/read-test-list.ts';

/**
 * Inputs that offices really send, each as a real file. Those about the life of an import (a sum that is off, a second import,
 * the same file again) are tested beside the imports.
 */

const dotted = (number: number): string => {
  const nop = nopOf(number);
  return `35.15.180.012.001-${nop.slice(13, 17)}.0`;
};
const HEADER = ['NOP', 'NAMA WP', 'PBB TERHUTANG'];
const failureOf = async (bytes: Buffer): Promise<string> => {
  const outcome = await readList({ bytes }, { year: 2026 });
  return outcome.ok ? 'it was read' : outcome.message;
};

/** The official print of a village: titles, a header of two rows, sums of pages, signatures. */
const villagePrint: TestCell[][] = [
  ['PEMERINTAH KABUPATEN'],
  ['DAFTAR HIMPUNAN KETETAPAN PAJAK'],
  ['TAHUN 2026'],
  ['Tempat Pembayaran', 'BANK DAERAH'],
  ['DESA', 'KARANGSENGON'],
  [
    'NO.',
    'NOP',
    'NO. INDUK',
    'NAMA WAJIB PAJAK',
    'ALAMAT OBJEK PAJAK /\nWAJIB PAJAK',
    'PAJAK TERHUTANG',
    'PERUBAHAN PAJAK',
    'TGL BAYAR',
    'LUAS',
    null,
    'DIKELOLA OLEH',
  ],
  [null, null, null, null, null, null, null, null, 'TANAH', 'BGN', null],
  [1, dotted(1), '12', 'SUWARNO', 'DSN KRAJAN', 45000, null, null, 120, 36, 'P. RT 01'],
  [2, dotted(2), '13', 'MARYAM', 'DSN KRAJAN', 30000, null, 46265, 90, 0, 'P. RT 01'],
  [null, 'JUMLAH HALAMAN 1', null, null, null, 75000],
  [
    'NO.',
    'NOP',
    'NO. INDUK',
    'NAMA WAJIB PAJAK',
    'ALAMAT OBJEK PAJAK /\nWAJIB PAJAK',
    'PAJAK TERHUTANG',
    'PERUBAHAN PAJAK',
    'TGL BAYAR',
    'LUAS',
    null,
    'DIKELOLA OLEH',
  ],
  [null, null, null, null, null, null, null, null, 'TANAH', 'BGN', null],
  [null, 'PINDAHAN', null, null, null, 75000],
  [3, dotted(3), '14', 'ACHMAD', 'DSN TIMUR', 1234567, null, null, 1200, 100, 'P. RT 02'],
  [null, 'JUMLAH', null, null, null, 1309567],
  [null, 'GRAND TOTAL (3 OP)', null, null, null, 1309567],
  [],
  [null, null, null, 'Karangsengon, 2 Januari 2026'],
  [null, null, null, 'KEPALA DESA'],
  [null, '196501011990031001', null, 'NIP'],
];
const printMerges = ['A6:A7', 'B6:B7', 'C6:C7', 'D6:D7', 'E6:E7', 'F6:F7', 'G6:G7', 'H6:H7', 'I6:J6', 'K6:K7'];

describe('the print of a village', () => {
  it('1, 4: reads titles, a header of two rows, sums of pages, repeated headers and signatures for what they are', async () => {
    const list = await readTestList(
      writeSpreadsheet('xlsx', [{ name: 'DHKP', rows: villagePrint, merges: printMerges }]),
    );
    expect(list.columns).toEqual({
      nop: 1,
      old_number: 2,
      name: 3,
      object_address: 4,
      amount: 5,
      amount_changed: 6,
      paid_on: 7,
      land_m2: 8,
      building_m2: 9,
      collector: 10,
    });
    expect([list.headerRow, list.headers[8], list.headers[9]]).toEqual([6, 'LUAS TANAH', 'LUAS BGN']);
    expect(summaryOf(list)).toEqual([
      [8, nopOf(1), 45000],
      [9, nopOf(2), 30000],
      [14, nopOf(3), 1234567],
    ]);
    expect(list.rows[1]?.values).toEqual({
      name: 'MARYAM',
      payer_address: null,
      object_address: 'DSN KRAJAN',
      land_m2: 90,
      building_m2: 0,
      njop_sen: null,
      amount_sen: 3000000,
      amount_changed_sen: null,
      due_date: null,
      paid_on: '2026-08-31',
      paid_amount_sen: null,
      paid_fine_sen: null,
      paid_place: null,
      is_paid: null,
      old_number: '13',
      book: null,
      dusun: null,
      rt: null,
      rw: null,
      collector: 'P. RT 01',
      year: null,
    });
    expect(list.totals).toEqual([
      { label: 'GRAND TOTAL (3 OP)', sheet: 'DHKP', row: 16, objects: 3, amount_sen: 130956700 },
    ]);
    expect(list.warnings.map(({ code, row }) => [code, row])).toEqual([['below_total', 20]]);
    expect([list.prefix, list.multiplier, list.needsMapping, list.unknownHeaders]).toEqual([VILLAGE, 1, false, []]);
  });

  it('2: reads one sheet for each book together, each with its own control total', async () => {
    const book = (name: string, first: number, amounts: number[]) => ({
      name,
      rows: [
        HEADER,
        ...amounts.map((amount, index) => [nopOf(first + index), `WP ${first + index}`, amount]),
        ['JUMLAH', null, amounts.reduce((sum, amount) => sum + amount, 0)],
      ],
    });
    const list = await readTestList(
      writeSpreadsheet('xlsx', [
        book('BUKU 1', 1, [20000, 30000]),
        book('BUKU 2', 10, [150000]),
        book('BUKU 3', 20, [600000]),
      ]),
    );
    expect(list.rows.map(({ sheet, row }) => `${sheet} ${row}`)).toEqual([
      'BUKU 1 2',
      'BUKU 1 3',
      'BUKU 2 2',
      'BUKU 3 2',
    ]);
    expect(list.totals.map(({ sheet, amount_sen: sen }) => [sheet, sen])).toEqual([
      ['BUKU 1', 5000000],
      ['BUKU 2', 15000000],
      ['BUKU 3', 60000000],
    ]);
    expect(list.sheets.every(({ used, header_row: row }) => used && row === 1)).toBe(true);
  });

  it('2: a grand total over all sheets replaces the sums of the sheets', async () => {
    const list = await readTestList(
      writeSpreadsheet('xlsx', [
        { name: 'BUKU 1', rows: [HEADER, [nopOf(1), 'A', 20000], ['JUMLAH', null, 20000]] },
        {
          name: 'BUKU 2',
          rows: [HEADER, [nopOf(2), 'B', 150000], ['JUMLAH', null, 150000], ['GRAND TOTAL', null, 170000]],
        },
      ]),
    );
    expect(list.totals).toEqual([
      { label: 'GRAND TOTAL', sheet: 'BUKU 2', row: 4, objects: null, amount_sen: 17000000 },
    ]);
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), 20000],
      [2, nopOf(2), 150000],
    ]);
  });

  it.each(['xlsx', 'xlsb', 'biff8'] as const)(
    '3: names a hidden sheet of %s and does not read it unless chosen',
    async (type) => {
      const file = writeSpreadsheet(type, [
        { name: 'KRAJAN', rows: [HEADER, [nopOf(1), 'A', 20000]] },
        { name: 'TIMUR', rows: [HEADER, [nopOf(2), 'B', 30000]], hiddenRows: [1] },
        { name: 'lama', rows: [HEADER, [nopOf(1), 'A', 18000]], hidden: true },
      ]);
      const list = await readTestList(file);
      expect(list.sheets.map(({ name, hidden, used }) => [name, hidden, used])).toEqual([
        ['KRAJAN', false, true],
        ['TIMUR', false, true],
        ['lama', true, false],
      ]);
      expect(summaryOf(list)).toEqual([
        [2, nopOf(1), 20000],
        [2, nopOf(2), 30000],
      ]);
      const hiddenSheet = {
        code: 'sheet_hidden',
        sheet: 'lama',
        row: null,
        message: 'Tersembunyi, jadi tidak dipakai.',
      };
      const hiddenRow = { code: 'hidden_rows', sheet: 'TIMUR', row: 2, message: '1 baris tersembunyi ikut dibaca.' };
      // SheetJS writes no hidden rows into .xls; files/xls.test.ts has one.
      expect(list.warnings).toEqual(type === 'biff8' ? [hiddenSheet] : [hiddenSheet, hiddenRow]);
      expect(summaryOf(await readTestList(file, { sheets: [2] }))).toEqual([[2, nopOf(1), 18000]]);
    },
  );

  it('5: skips a row of column numbers below the header', async () => {
    const list = await readTestList(
      writeSpreadsheet('xlsx', [
        {
          name: 'A',
          rows: [
            ['NO', ...HEADER],
            [1, 2, 3, 4],
            [1, nopOf(1), 'A', 20000],
            ['(1)', '(2)', '(3)', '(4)'],
          ],
        },
      ]),
    );
    expect(summaryOf(list)).toEqual([[3, nopOf(1), 20000]]);
  });
});

describe('a NOP', () => {
  it.each([
    ['6: with dots and hyphens', '35.15.180.012.001-0034.0'],
    ['7: as text with an apostrophe', "'351518001200100340"],
    ['with spaces, U+00A0 and quotation marks', ' "35 15\u00A0180 012-001/0034.0" '],
  ])('%s has its 18 digits', async (_, text) => {
    const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows: [HEADER, [text, 'A', 20000]] }]));
    expect(summaryOf(list)).toEqual([[2, '351518001200100340', 20000]]);
  });

  it.each(['xlsx', 'xlsb', 'biff8', 'ods'] as const)('8: as a number cell of %s is nop_lost', async (type) => {
    const list = await readTestList(
      writeSpreadsheet(type, [{ name: 'A', rows: [HEADER, [351518001200100000, 'A', 20000], [nopOf(2), 'B', 10000]] }]),
    );
    expect(summaryOf(list)).toEqual([
      [2, null, 20000, 'nop_lost'],
      [3, nopOf(2), 10000],
    ]);
    expect(list.rows[0]?.problems[0]).toMatchObject({ field: 'nop', text: '351518001200100000' });
  });

  it('9: with 18 digits in the XML of a number cell is nop_lost, not the number that a library makes of it', async () => {
    const rows = [
      HEADER.map(inlineText).join(''),
      numberCell('351518001200100340') + inlineText('A') + numberCell('20000'),
    ];
    const list = await readTestList(writeZip(xlsxParts(sheetXml(rows))));
    expect(summaryOf(list)).toEqual([[2, null, 20000, 'nop_lost']]);
    const ods = writeOds(
      `<table:table table:name="A"><table:table-row>${HEADER.map((text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row><table:table-row><table:table-cell office:value-type="float" office:value="351518001200100340"><text:p>351518001200100340</text:p></table:table-cell><table:table-cell/><table:table-cell office:value-type="float" office:value="20000"/></table:table-row></table:table>`,
    );
    expect(summaryOf(await readTestList(ods))).toEqual([[2, null, 20000, 'nop_lost']]);
  });

  it('10: of a CSV that Excel saved as 3,51518E+17 is nop_lost', async () => {
    const list = await readTestList(
      Buffer.from(`NOP;NAMA WP;PBB TERHUTANG\n3,51518E+17;A;20000\n3.51518E+17;B;30000\n`),
    );
    expect(summaryOf(list)).toEqual([
      [2, null, 20000, 'nop_lost'],
      [3, null, 30000, 'nop_lost'],
    ]);
  });

  it('11: in seven columns of numbers gets its zeros back', async () => {
    const list = await readTestList(
      writeSpreadsheet('xlsx', [
        {
          name: 'SISMIOP',
          rows: [
            [
              'KD_PROPINSI',
              'KD_DATI2',
              'KD_KECAMATAN',
              'KD_KELURAHAN',
              'KD_BLOK',
              'NO_URUT',
              'KD_JNS_OP',
              'THN_PAJAK_SPPT',
              'NM_WP_SPPT',
              'PBB_TERHUTANG_SPPT',
              'PBB_YG_HARUS_DIBAYAR_SPPT',
              'STATUS_PEMBAYARAN_SPPT',
            ],
            [35, 15, 180, 12, 1, 34, 0, 2026, 'A', 50000, 45000, 0],
            ['35', '15', '180', '012', '001', '0035', '0', '2026', 'B', 30000, 30000, 1],
            [35, 15, 1800, 12, 1, 36, 0, 2026, 'C', 30000, 30000, 1],
          ],
        },
      ]),
    );
    expect(summaryOf(list)).toEqual([
      [2, nopOf(34), 45000],
      [3, nopOf(35), 30000, 'paid_undated'],
      [4, null, 30000, 'nop_length', 'paid_undated'],
    ]);
  });

  it('12: of 8 digits, as text or as a number cell, is completed by the prefix', async () => {
    const file = writeSpreadsheet('xlsx', [
      { name: 'A', rows: [HEADER, ['001-0034.0', 'A', 20000], [100350, 'B', 30000]] },
    ]);
    expect(summaryOf(await readTestList(file, { prefix: VILLAGE }))).toEqual([
      [2, nopOf(34), 20000],
      [3, nopOf(35), 30000],
    ]);
    const without = await readTestList(file);
    expect([without.prefix, summaryOf(without)]).toEqual([
      null,
      [
        [2, null, 20000, 'nop_length'],
        [3, null, 30000, 'nop_length'],
      ],
    ]);
  });

  it('12: of 8 digits gets the prefix that most whole ones share', async () => {
    const rows = [
      HEADER,
      [nopOf(1), 'A', 20000],
      [nopOf(2), 'B', 20000],
      [nopOf(3, 1, '3515180013'), 'C', 20000],
      [100350, 'D', 30000],
    ];
    const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }]));
    expect([list.prefix, list.rows[3]?.nop]).toEqual([VILLAGE, nopOf(35)]);
  });

  it('13: of 17 or 19 digits or of words is nop_length, and one of another country is nop_invalid', async () => {
    const rows = [
      HEADER,
      [nopOf(1).slice(1), 'A', 1000],
      [`${nopOf(1)}0`, 'B', 2000],
      ['belum ada', 'C', 3000],
      [`09${nopOf(1).slice(2)}`, 'D', 4000],
      [null, 'E', 5000],
      [nopOf(6), 'F', null],
    ];
    expect(summaryOf(await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }])))).toEqual([
      [2, null, 1000, 'nop_length'],
      [3, null, 2000, 'nop_length'],
      [4, null, 3000, 'nop_length'],
      [5, null, 4000, 'nop_invalid'],
      [6, null, 5000, 'nop_missing'],
      [7, nopOf(6), null, 'amount_missing'],
    ]);
  });

  it('14: that stands twice with equal values counts once, with other values is a problem of both rows', async () => {
    const rows = [HEADER, [nopOf(1), 'A', 1000], [dotted(1), 'A', 1000], [nopOf(2), 'B', 1000], [nopOf(2), 'B', 2000]];
    const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }]));
    expect(
      list.rows.map(({ row, nop, problems, warnings }) => [
        row,
        nop,
        problems.length,
        warnings.map(({ code }) => code),
      ]),
    ).toEqual([
      [2, nopOf(1), 0, ['nop_double']],
      [4, nopOf(2), 1, []],
      [5, nopOf(2), 1, []],
    ]);
    expect(list.rows[1]?.problems[0]?.code).toBe('nop_double');
  });

  it('15: of the next village is marked, unless other villages are included', async () => {
    const rows = [
      HEADER,
      ...[1, 2, 3, 4].map((number) => [nopOf(number), 'A', 1000]),
      ...[1, 2, 3].map((number) => [nopOf(number, 1, '3515180013'), 'B', 1000]),
    ];
    const file = writeSpreadsheet('xlsx', [{ name: 'A', rows }]);
    const marks = async (includeOtherVillage: boolean) =>
      (await readTestList(file, { includeOtherVillage })).rows.map(({ isOtherVillage }) => isOtherVillage);
    expect(await marks(false)).toEqual([false, false, false, false, true, true, true]);
    expect(await marks(true)).toEqual(Array(7).fill(false));
  });
});

describe('an amount', () => {
  it('16, 17: reads texts beside number cells, and marks each that is not certain', async () => {
    const cells: [TestCell, number | string][] = [
      ['1.234.567', 1234567],
      ['Rp 45.000,-', 45000],
      [45000, 45000],
      ['45,5', 45.5],
      [45.5, 45.5],
      ['1.234.56', 'amount_invalid'],
      ['-45.000', 'amount_negative'],
      [-45000, 'amount_negative'],
      ['1000000000000', 'amount_range'],
      [1e12, 'amount_range'],
      ['enam puluh', 'amount_invalid'],
      [true, 'amount_invalid'],
    ];
    const rows = [HEADER, ...cells.map(([cell], index) => [nopOf(index + 1), 'A', cell])];
    const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }]));
    expect(list.rows.map(({ values, problems }) => problems[0]?.code ?? (values.amount_sen ?? 0) / 100)).toEqual(
      cells.map(([, expected]) => expected),
    );
    expect(list.rows.map(({ nop }) => nop)).toEqual(cells.map((_, index) => nopOf(index + 1)));
  });

  it('16: warns where a column groups by dots and by commas', async () => {
    const list = await readTestList(Buffer.from(`NOP;NAMA WP;PBB\n${nopOf(1)};A;45.000\n${nopOf(2)};B;1,234,567\n`));
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), 45000],
      [3, nopOf(2), 1234567],
    ]);
    expect(list.warnings).toMatchObject([{ code: 'mixed_groups', sheet: 'Lembar 1', row: 3 }]);
  });

  it.each(['PBB TERHUTANG (dalam ribuan rupiah)', 'PBB TERHUTANG (x 1.000)', 'PBB TERHUTANG (Rp 000)'])(
    '18: below %s waits for what is meant',
    async (header) => {
      const file = writeSpreadsheet('xlsx', [
        {
          name: 'A',
          rows: [
            ['NOP', 'NAMA WP', header],
            [nopOf(1), 'A', 45],
            ['JUMLAH', null, 45],
          ],
        },
      ]);
      const list = await readTestList(file);
      expect([list.needsMapping, list.multiplier, list.rows, list.columns]).toEqual([
        true,
        null,
        [],
        { nop: 0, name: 1, amount: 2 },
      ]);
      const inThousands = await readTestList(file, { multiplier: 1000 });
      expect([summaryOf(inThousands), inThousands.totals[0]?.amount_sen]).toEqual([[[2, nopOf(1), 45000]], 4500000]);
      expect(summaryOf(await readTestList(file, { multiplier: 1 }))).toEqual([[2, nopOf(1), 45]]);
    },
  );

  it('18: waits as well where a title above the list speaks of thousands', async () => {
    const rows = [['DHKP 2026 (dalam ribuan rupiah)'], HEADER, [nopOf(1), 'A', 45]];
    expect((await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }]))).needsMapping).toBe(true);
  });

  it('19: of 0 is nihil; an empty one and a dash are problems', async () => {
    const rows = [HEADER, [nopOf(1), 'A', 0], [nopOf(2), 'B', null], [nopOf(3), 'C', '-'], [nopOf(4), 'D', '0']];
    expect(summaryOf(await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }])))).toEqual([
      [2, nopOf(1), 0],
      [3, nopOf(2), null, 'amount_missing'],
      [4, nopOf(3), null, 'amount_missing'],
      [5, nopOf(4), 0],
    ]);
  });

  it('20: is the one after the reduction where both stand side by side', async () => {
    const rows = [
      ['NOP', 'NAMA WP', 'PBB TERHUTANG', 'PBB YANG HARUS DIBAYAR'],
      [nopOf(1), 'A', 50000, 45000],
    ];
    const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }]));
    expect(summaryOf(list)).toEqual([[2, nopOf(1), 45000]]);
  });

  it('waits for a choice where two columns may be the amount', async () => {
    const rows = [
      ['NOP', 'KETETAPAN', 'PAJAK TERHUTANG'],
      [nopOf(1), 50000, 45000],
    ];
    const file = writeSpreadsheet('xlsx', [{ name: 'A', rows }]);
    const list = await readTestList(file);
    expect([list.needsMapping, list.rows, list.headers]).toEqual([true, [], ['NOP', 'KETETAPAN', 'PAJAK TERHUTANG']]);
    expect(summaryOf(await readTestList(file, { columns: { nop: 0, amount: 2 } }))).toEqual([[2, nopOf(1), 45000]]);
  });
});

describe('separated texts', () => {
  it('21: reads CSV with sep=;, CRLF and Windows-1252', async () => {
    const text = `sep=;\r\nNOP;NAMA WP;PBB TERHUTANG\r\n${dotted(1)};JOS\u00C9;45.000\r\n`;
    const list = await readTestList(Buffer.from(text, 'latin1'));
    expect([summaryOf(list), list.rows[0]?.values.name]).toEqual([[[3, nopOf(1), 45000]], 'JOSÉ']);
  });

  it.each(['utf16le', 'utf16be'])('22: reads CSV in %s with its mark', async (encoding) => {
    const bytes = Buffer.from(`\uFEFFNOP;NAMA WP;PBB TERHUTANG\n${nopOf(1)};JOSÉ;45.000\n`, 'utf16le');
    const list = await readTestList(encoding === 'utf16le' ? bytes : bytes.swap16());
    expect([summaryOf(list), list.rows[0]?.values.name]).toEqual([[[2, nopOf(1), 45000]], 'JOSÉ']);
  });

  it('23: reads CSV in UTF-8 with commas, quoted amounts and line ends in addresses', async () => {
    const text = `NOP,NAMA WP,ALAMAT OP,PBB TERHUTANG\n"${nopOf(1)}",JOSÉ,"DSN KRAJAN\nRT 01","1,234,567.00"\n${nopOf(2)},"SITI ""AMI""",DSN,45000\n`;
    const list = await readTestList(Buffer.from(text));
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), 1234567],
      [4, nopOf(2), 45000],
    ]);
    expect(list.rows.map(({ values }) => [values.name, values.object_address])).toEqual([
      ['JOSÉ', 'DSN KRAJAN RT 01'],
      ['SITI "AMI"', 'DSN'],
    ]);
  });

  it('24: reads cells that were pasted from a spreadsheet, with an empty last column', async () => {
    const text = `NOP\tNAMA WP\tPBB TERHUTANG\tTGL BAYAR\r\n${dotted(1)}\tA\t45.000\t\r\n${dotted(2)}\t"B\t30.000\t\r\n`;
    const list = await readTestList(text);
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), 45000],
      [3, nopOf(2), 30000],
    ]);
    expect(list.rows[1]?.values.name).toBe('"B');
  });

  it('marks a row that an amount with a comma, without quotation marks, has moved', async () => {
    const text = `NOP,NAMA WP,PBB,TGL BAYAR\n${nopOf(1)},A,45,000\n${nopOf(2)},B,1,234,567\n${nopOf(3)},C,45000,\nJUMLAH,,1,324,567\n`;
    const list = await readTestList(Buffer.from(text));
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), null, 'amount_invalid', 'date_invalid'],
      [3, nopOf(2), null, 'amount_invalid', 'date_invalid'],
      [4, nopOf(3), 45000],
    ]);
    expect(list.totals[0]?.amount_sen).toBeNull();
  });

  it('takes no changed amount from a row whose cells have moved', async () => {
    const header = 'NOP,NAMA WP,PAJAK TERHUTANG,PERUBAHAN PAJAK,BLOK LAMA';
    const moved = [`${nopOf(1)},BUDI,45,500,0`, `${nopOf(2)},BUDI,45,500,0,`, `${nopOf(3)},BUDI,45000,45,500`];
    const list = await readTestList(Buffer.from([header, ...moved, `${nopOf(4)},BUDI,45000,45500,`].join('\n')), {
      useChanged: true,
    });
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), null, 'amount_invalid'],
      [3, nopOf(2), null, 'amount_invalid'],
      [4, nopOf(3), null, 'amount_invalid'],
      [5, nopOf(4), 45500, 'amount_changed'],
    ]);
    const withoutLast = [header.slice(0, -',BLOK LAMA'.length), '351518001200100340,BUDI,45,500,0'].join('\n');
    expect(summaryOf(await readTestList(Buffer.from(withoutLast), { useChanged: true }))).toEqual([
      [2, '351518001200100340', null, 'amount_invalid'],
    ]);
  });

  it.each(['|', ',', ';', '\t'])('reads a list that is separated by %j', async (delimiter) => {
    const text = [['DHKP; 2026, desa'], HEADER, [nopOf(1), 'A', '45000']]
      .map((cells) => cells.join(delimiter))
      .join('\r');
    expect(summaryOf(await readTestList(Buffer.from(text)))).toEqual([[3, nopOf(1), 45000]]);
  });
});

describe('other types of files', () => {
  it.each(['biff8', 'xlsb', 'ods', 'xlsm'] as const)('25, 27: reads the print of a village as %s', async (type) => {
    const list = await readTestList(
      writeSpreadsheet(type, [{ name: 'DHKP', rows: villagePrint, merges: printMerges }]),
    );
    expect(summaryOf(list)).toEqual([
      [8, nopOf(1), 45000],
      [9, nopOf(2), 30000],
      [14, nopOf(3), 1234567],
    ]);
    expect(list.totals).toMatchObject([{ row: 16, objects: 3, amount_sen: 130956700 }]);
    expect(list.rows[2]?.values).toMatchObject({
      land_m2: 1200,
      building_m2: 100,
      collector: 'P. RT 02',
      name: 'ACHMAD',
    });
  });

  it('26: reads a page with a table that a program named .xls', async () => {
    const page = `<html><head><meta charset="utf-8"><style>td { color: red }</style><script>steal()</script></head><body>
      <table><tr><td colspan=5>DAFTAR KETETAPAN</td></tr></table>
      <table border=1><thead><tr><th rowspan=2>NOP<th rowspan="2">NAMA&nbsp;WP<th rowspan=2>PBB TERHUTANG<th colspan=2>LUAS</tr>
      <tr><th>TANAH<th>BGN</tr></thead>
      <tr><td>${dotted(1)}</td><td>SITI &amp; JOS&Eacute;<br>ALM</td><td>Rp&nbsp;45.000,-</td><td>120</td><td>36</td></tr>
      <tr><td>${nopOf(2)}<td>BUDI<td>30000<td>90<td></table></body></html>`;
    const list = await readTestList(Buffer.from(page));
    expect(listTypeOf(Buffer.from(page))).toBe('html');
    expect(summaryOf(list)).toEqual([
      [4, nopOf(1), 45000],
      [5, nopOf(2), 30000],
    ]);
    expect(list.rows[0]?.values).toMatchObject({ name: 'SITI & JOSÉ ALM', land_m2: 120, building_m2: 36 });
  });

  it('28: says that a file is locked by a password', async () => {
    const locked = 'Berkas dikunci kata sandi. Simpan ulang tanpa kata sandi.';
    const package_ = writeCompoundFile({
      '/EncryptionInfo': Buffer.alloc(200, 1),
      '/EncryptedPackage': Buffer.alloc(9000, 7),
    });
    expect([listTypeOf(package_), await failureOf(package_)]).toEqual(['xls', locked]);
    const xls = writeSpreadsheet('biff8', [{ name: 'A', rows: [HEADER, [nopOf(1), 'A', 1000]] }]);
    const interfaceHeader = xls.indexOf(Buffer.from([0xe1, 0x00, 0x02, 0x00]));
    xls.writeUInt16LE(0x2f, interfaceHeader);
    expect([interfaceHeader > 0, await failureOf(xls)]).toEqual([true, locked]);
    const ods = writeOds('<table:table/>', '', { 'META-INF/manifest.xml': '<manifest><encryption-data/></manifest>' });
    expect(await failureOf(ods)).toBe(locked);
  });

  it.each(['xlsx', 'xlsb', 'biff8', 'ods'] as const)(
    '29: says of %s that was cut anywhere that it is broken',
    async (type) => {
      const rows = [
        HEADER,
        ...Array.from({ length: 300 }, (_, index) => [nopOf(index + 1), `WP ${index}`, 1000 + index]),
      ];
      const file = writeSpreadsheet(type, [{ name: 'A', rows }]);
      for (const part of [0.02, 0.3, 0.6, 0.9]) {
        const cut = file.subarray(0, Math.floor(file.length * part));
        expect(listTypeOf(cut)).not.toBeNull();
        expect(await failureOf(cut)).toBe('Berkas rusak atau tidak lengkap.');
      }
    },
  );

  it('29: says of XML that ends early, in a whole zip, that it is broken', async () => {
    const xml = sheetXml([
      HEADER.map(inlineText).join(''),
      inlineText(nopOf(1)) + inlineText('A') + numberCell('1000'),
    ]);
    expect(await failureOf(writeZip(xlsxParts(xml.slice(0, -30))))).toBe('Berkas rusak atau tidak lengkap.');
  });

  it('30: takes neither PDF, pictures, documents nor archives for a list', () => {
    const docx = writeZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<document/>' });
    const doc = writeCompoundFile({ '/WordDocument': Buffer.alloc(5000, 1) });
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46]);
    for (const file of [
      Buffer.from('%PDF-1.7\n1 0 obj'),
      jpeg,
      docx,
      doc,
      Buffer.from('{\\rtf1 NOP}'),
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="x"/>'),
    ])
      expect(listTypeOf(file)).toBeNull();
  });

  it('says that a file without a NOP has no table', async () => {
    expect(
      await failureOf(
        writeSpreadsheet('xlsx', [
          {
            name: 'A',
            rows: [
              ['NIK', 'NAMA'],
              ['3515', 'A'],
            ],
          },
        ]),
      ),
    ).toBe('Tidak ada tabel dengan kolom NOP.');
  });
});

describe('cells of formulas and errors', () => {
  it('32: reads the stored value of a formula, and one without is empty', async () => {
    const rows = [
      HEADER.map(inlineText).join(''),
      `${inlineText(nopOf(1))}<c/><c><f>10000*2</f><v>20000</v></c>`,
      `${inlineText(nopOf(2))}<c/><c><f>10000*2</f></c>`,
      `<c t="str"><f>A1</f><v>${nopOf(3)}</v></c><c/><c><f>1</f><v>5000</v></c>`,
    ];
    expect(summaryOf(await readTestList(writeZip(xlsxParts(sheetXml(rows)))))).toEqual([
      [2, nopOf(1), 20000],
      [3, nopOf(2), null, 'amount_missing'],
      [4, nopOf(3), 5000],
    ]);
  });

  it.each(['xlsx', 'xlsb', 'biff8'] as const)(
    '33: an error of %s is a problem in the amount and a warning in a name',
    async (type) => {
      const rows: TestCell[][] = [HEADER, [nopOf(1), 'A', { error: 0x17 }], [nopOf(2), { error: 0x2a }, 5000]];
      const list = await readTestList(writeSpreadsheet(type, [{ name: 'A', rows }]));
      expect(summaryOf(list)).toEqual([
        [2, nopOf(1), null, 'amount_invalid'],
        [3, nopOf(2), 5000, 'value_error'],
      ]);
      expect([list.rows[0]?.problems[0]?.text, list.rows[1]?.warnings[0]?.text, list.rows[1]?.values.name]).toEqual([
        '#REF!',
        '#N/A',
        null,
      ]);
    },
  );

  it('34: keeps texts that look like formulas as texts', async () => {
    const names = ['=HYPERLINK("http://contoh.test")', '+62811', '@SUM(A1)', '-A'];
    const rows = [HEADER, ...names.map((name, index) => [nopOf(index + 1), name, 1000])];
    const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }]));
    expect(list.rows.map(({ values }) => values.name)).toEqual(names);
    const csv = await readTestList(Buffer.from(`NOP;NAMA WP;PBB\n${nopOf(1)};=cmd|'/c calc'!A1;1000\n`));
    expect(csv.rows[0]?.values.name).toBe("=cmd|'/c calc'!A1");
  });

  it('35: cleans names and cuts those that are too long, with a warning', async () => {
    const dirty = '\u00A0SITI\u200B  AMINAH\u200F\tBINTI\r\nALI\u0007 ';
    const rows = [HEADER, [nopOf(1), dirty, 1000], [nopOf(2), 'X'.repeat(400), 2000]];
    const list = await readTestList(writeSpreadsheet('xlsb', [{ name: 'A', rows }]));
    expect(list.rows.map(({ values }) => values.name)).toEqual(['SITI AMINAH BINTI ALI', 'X'.repeat(255)]);
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), 1000],
      [3, nopOf(2), 2000, 'text_cut'],
    ]);
  });
});

describe('dates and payments', () => {
  const header = [...HEADER, 'TGL BAYAR', 'JML BAYAR', 'LUNAS'];

  it.each([
    [false, 46265],
    [true, 44803],
  ])(
    '36: reads days, in files that count from 1904 (%s) too, and the American order never',
    async (date1904, serial) => {
      const cells: TestCell[] = [
        serial,
        '04-MEI-26',
        '31/08/26',
        '31 Agustus 2026',
        '08/31/2026',
        '31.8.2026',
        '2026-08-31',
        '31-AGS-2026',
        '31 AGT 26',
        '31/02/2026',
      ];
      const rows = [header, ...cells.map((cell, index) => [nopOf(index + 1), 'A', 1000, cell])];
      const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }], { date1904 }));
      const august = '2026-08-31';
      expect(list.rows.map(({ values }) => values.paid_on)).toEqual([
        august,
        '2026-05-04',
        august,
        august,
        null,
        august,
        august,
        august,
        august,
        null,
      ]);
      expect(
        list.rows
          .filter(({ warnings }) => warnings.length > 0)
          .map(({ row, warnings }) => [row, warnings[0]?.code, warnings[0]?.text]),
      ).toEqual([
        [6, 'date_invalid', '08/31/2026'],
        [11, 'date_invalid', '31/02/2026'],
      ]);
    },
  );

  it('37: invents no part of a payment and warns about what is odd', async () => {
    const rows = [
      header,
      [nopOf(1), 'A', 1000, null, null, 'LUNAS'],
      [nopOf(2), 'B', 1000, 46265, 0, null],
      [nopOf(3), 'C', 1000, 46265, 1500, 'LUNAS'],
      [nopOf(4), 'D', 1000, null, null, null],
    ];
    const list = await readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows }]));
    expect(
      list.rows.map(({ values: { paid_on: on, paid_amount_sen: sen, is_paid: isPaid }, warnings }) => [
        on,
        sen,
        isPaid,
        warnings.map(({ code }) => code),
      ]),
    ).toEqual([
      [null, null, true, ['paid_undated']],
      [null, null, null, ['paid_zero']],
      ['2026-08-31', 150000, true, ['paid_more']],
      [null, null, null, []],
    ]);
  });
});
