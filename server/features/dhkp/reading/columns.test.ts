import { describe, expect, it } from 'vitest';
import { type TestCell, type TestSheet, writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import type { ReadChoices } from './list-reading.ts';
import { readList } from './read-list.ts';
import { nopOf, readTestList, summaryOf } from './testing/read-test-list.ts';

const read = (rows: TestCell[][], choices: Partial<ReadChoices> = {}, merges: string[] = []) =>
  readTestList(writeSpreadsheet('xlsx', [{ name: 'A', rows, merges }]), choices);
const readSheets = (sheets: TestSheet[], choices: Partial<ReadChoices> = {}) =>
  readTestList(writeSpreadsheet('xlsx', sheets), choices);
const PLAIN = ['NOP', 'NAMA WP', 'PBB'];
/** A header whose amount is not recognised. */
const UNUSUAL = ['NOP', 'NAMA WP', 'NILAI'];

describe('the columns of real lists', () => {
  it.each([
    [
      'of a regency, with payments',
      [
        'NOP',
        'nama',
        'alamat objek',
        'luas tanah',
        'luas bangunan',
        'ketetapan',
        'tagihan denda',
        'pembayaran',
        'pokok',
        'denda',
        'lebih bayar',
        'tanggal bayar',
        'sisa tagihan',
        'tempat bayar',
      ],
      {
        nop: 0,
        name: 1,
        object_address: 2,
        land_m2: 3,
        building_m2: 4,
        amount: 5,
        paid_amount: 7,
        paid_fine: 9,
        paid_on: 11,
        paid_place: 13,
      },
      ['tagihan denda', 'lebih bayar', 'sisa tagihan'],
    ],
    [
      'of a program of a village',
      ['no', 'nop', 'nama_wp', 'alamat_wp', 'alamat_op', 'luas_tnh', 'luas_bgn', 'tahun', 'pajak_terhutang'],
      { nop: 1, name: 2, payer_address: 3, object_address: 4, land_m2: 5, building_m2: 6, year: 7, amount: 8 },
      [],
    ],
    [
      'with units and abbreviations',
      [
        'No.',
        'N.O.P',
        'NAMA W.P.',
        'L. BUMI (M2)',
        'L.BNG\n(M²)',
        'NJOP',
        'NJOPTKP',
        'PBB (Rp.)',
        'JATUH TEMPO',
        'BUKU',
        'RT',
        'RW',
        'DUSUN',
        'PENARIK',
      ],
      {
        nop: 1,
        name: 2,
        land_m2: 3,
        building_m2: 4,
        njop: 5,
        amount: 7,
        due_date: 8,
        book: 9,
        rt: 10,
        rw: 11,
        dusun: 12,
        collector: 13,
      },
      ['NJOPTKP'],
    ],
    [
      'with one column for both addresses',
      [
        'NO',
        'NOMOR OBYEK PAJAK',
        'NOMOR INDUK',
        'NAMA WAJIB PAJAK',
        'ALAMAT OBYEK PAJAK / WAJIB PAJAK',
        'PAJAK TERUTANG',
      ],
      { nop: 1, old_number: 2, name: 3, object_address: 4, amount: 5 },
      [],
    ],
  ])('%s are recognised', async (_, header, columns, unknown) => {
    const list = await read([header, header.map((text) => (/^n\.?o\.?p|nomor obyek/i.test(text) ? nopOf(1) : '7'))]);
    expect([list.columns, list.unknownHeaders, list.needsMapping]).toEqual([columns, unknown, false]);
    expect(list.rows.map(({ nop }) => nop)).toEqual([nopOf(1)]);
  });

  it('below groups of columns mean what stands below the group', async () => {
    const rows = [
      ['NO', 'OBJEK PAJAK', null, null, 'WAJIB PAJAK', null, 'PAJAK', null, 'PEMBAYARAN', null, null],
      [null, 'NOP', 'ALAMAT', 'LUAS TANAH', 'NAMA', 'ALAMAT', 'TERHUTANG', 'PERUBAHAN', 'TANGGAL', 'POKOK', 'DENDA'],
      [1, nopOf(1), 'X', 100, 'A', 'Y', 45000, 0, '31/08/2026', 45000, 0],
    ];
    const list = await read(rows, {}, ['B1:D1', 'E1:F1', 'G1:H1', 'I1:K1', 'A1:A2']);
    expect(list.columns).toEqual({
      nop: 1,
      object_address: 2,
      land_m2: 3,
      name: 4,
      payer_address: 5,
      amount: 6,
      amount_changed: 7,
      paid_on: 8,
      paid_amount: 9,
      paid_fine: 10,
    });
    expect(list.headers[10]).toBe('PEMBAYARAN DENDA');
    expect(summaryOf(list)).toEqual([[3, nopOf(1), 45000]]);
  });

  it('with a principal of payments alone is no amount', async () => {
    const rows = [
      ['NOP', 'PEMBAYARAN', null],
      [null, 'TANGGAL', 'POKOK'],
      [nopOf(1), null, 45000],
    ];
    const list = await read(rows, {}, ['B1:C1', 'A1:A2']);
    expect([list.needsMapping, list.columns]).toEqual([true, { nop: 0, paid_on: 1, paid_amount: 2 }]);
  });

  it('with a principal beside payments wait for a choice, because it may be a part of them', async () => {
    const text = `NOP;NAMA;PEMBAYARAN;\n;;TANGGAL;POKOK\n${nopOf(1)};A;31/08/2026;45000\n`;
    expect((await readTestList(text)).needsMapping).toBe(true);
    expect((await readTestList(`NOP;POKOK\n${nopOf(1)};45000\n`)).columns).toEqual({ nop: 0, amount: 1 });
  });

  it('that mean the same are read once, with a warning', async () => {
    const list = await read([
      ['NOP', 'NAMA WP', 'NAMA WAJIB PAJAK', 'PBB'],
      [nopOf(1), 'A', 'B', 1000],
    ]);
    expect([list.rows[0]?.values.name, list.warnings]).toMatchObject(['A', [{ code: 'column_double', row: 1 }]]);
  });

  it('come from no words of the first object', async () => {
    const rows = [
      ['NOP', 'KETERANGAN', 'PBB'],
      [nopOf(1), 'LUNAS', 1000],
      [nopOf(2), 'BUKU', 2000],
    ];
    const list = await read(rows);
    expect([list.columns, summaryOf(list).length]).toEqual([{ nop: 0, amount: 2 }, 2]);
  });
});

describe('choices', () => {
  it('count where no column is the amount, after the list asked for them', async () => {
    const rows = [['DAFTAR'], UNUSUAL, [nopOf(1), 'A', 45000]];
    const list = await read(rows);
    expect([list.needsMapping, list.headerRow, list.headers, list.columns, list.rows]).toEqual([
      true,
      2,
      UNUSUAL,
      { nop: 0, name: 1 },
      [],
    ]);
    expect(list.sheets).toMatchObject([{ header_row: 2, used: true, rows: 3 }]);
    expect(summaryOf(await read(rows, { columns: { nop: 0, amount: 2 } }))).toEqual([[3, nopOf(1), 45000]]);
  });

  it('count where only rows were copied, without a header', async () => {
    const text = `${nopOf(1)}\tA\t45.000\n${nopOf(2)}\tB\t30.000`;
    const list = await readTestList(text);
    expect([list.needsMapping, list.headerRow, list.headers, list.columns]).toEqual([
      true,
      null,
      ['Kolom A', 'Kolom B', 'Kolom C'],
      { nop: 0 },
    ]);
    expect(summaryOf(await readTestList(text, { columns: { nop: 0, name: 1, amount: 2 } }))).toEqual([
      [1, nopOf(1), 45000],
      [2, nopOf(2), 30000],
    ]);
  });

  it('count below a header that does not name the NOP as usual', async () => {
    const rows = [['DAFTAR'], ['NO', 'NOP (18 DIGIT)', 'NAMA WP', 'PBB'], [1, nopOf(1), 'A', 45000]];
    const list = await read(rows);
    expect([list.needsMapping, list.headerRow, list.headers, list.columns]).toEqual([
      true,
      2,
      ['NO', 'NOP (18 DIGIT)', 'NAMA WP', 'PBB'],
      { nop: 1, name: 2, amount: 3 },
    ]);
    expect(summaryOf(await read(rows, { columns: { nop: 1, amount: 3 } }))).toEqual([[3, nopOf(1), 45000]]);
  });

  it('of a header row are obeyed', async () => {
    const rows = [PLAIN, [nopOf(9), 'lama', 1], ['NOP', 'NAMA WP', 'PBB YG HARUS DIBAYAR'], [nopOf(1), 'A', 45000]];
    const list = await read(rows, { headerRow: 3 });
    expect([list.headerRow, summaryOf(list)]).toEqual([3, [[4, nopOf(1), 45000]]]);
  });

  it('count for all sheets with the same header, in whichever row; another header keeps its own columns', async () => {
    const list = await readSheets(
      [
        { name: 'A', rows: [UNUSUAL, [nopOf(1), 'A', 1000]] },
        { name: 'B', rows: [['JUDUL'], UNUSUAL, [nopOf(2), 'B', 2000]] },
        {
          name: 'C',
          rows: [
            ['PBB', 'NOP'],
            [3000, nopOf(3)],
          ],
        },
      ],
      { sheets: [0, 1, 2], columns: { nop: 0, amount: 2 }, headerRow: 1 },
    );
    expect(list.rows.map(({ sheet, row, values }) => [sheet, row, values.amount_sen])).toEqual([
      ['A', 2, 100000],
      ['B', 3, 200000],
      ['C', 2, 300000],
    ]);
  });

  it('of an earlier list count for one with the same headers, wherever they stand', async () => {
    const rememberedLayouts = [{ headers: ['nop', 'nama wp', 'Nilai'], headerRow: 1, columns: { nop: 0, amount: 2 } }];
    const list = await read([['JUDUL'], UNUSUAL, [nopOf(1), 'A', 45000]], { rememberedLayouts });
    expect([list.needsMapping, list.headerRow, summaryOf(list)]).toEqual([false, 2, [[3, nopOf(1), 45000]]]);
    const other = await read(
      [
        ['NOP', 'NAMA WP', 'NILAI BARU'],
        [nopOf(1), 'A', 45000],
      ],
      { rememberedLayouts },
    );
    expect(other.needsMapping).toBe(true);
  });

  it('of a changed amount replace the amount', async () => {
    const rows = [
      ['NOP', 'PAJAK TERHUTANG', 'PERUBAHAN PAJAK'],
      [nopOf(1), 50000, 40000],
      [nopOf(2), 50000, 0],
      [nopOf(3), '-', 30000],
    ];
    expect(summaryOf(await read(rows))).toEqual([
      [2, nopOf(1), 50000, 'amount_changed'],
      [3, nopOf(2), 50000],
      [4, nopOf(3), null, 'amount_missing', 'amount_changed'],
    ]);
    expect(summaryOf(await read(rows, { useChanged: true }))).toEqual([
      [2, nopOf(1), 40000, 'amount_changed'],
      [3, nopOf(2), 50000],
      [4, nopOf(3), 30000, 'amount_changed'],
    ]);
  });
});

describe('sheets', () => {
  it('without a list are named and not used', async () => {
    const list = await readSheets([
      { name: 'DHKP', rows: [PLAIN, [nopOf(1), 'A', 1000]] },
      {
        name: 'REKAP',
        rows: [
          ['BUKU', 'JUMLAH'],
          ['1', 1000],
        ],
      },
      { name: 'Kosong', rows: [] },
    ]);
    expect(list.warnings).toEqual([
      {
        code: 'sheet_unused',
        sheet: 'REKAP',
        row: null,
        message: 'Tidak dipakai: tidak ada kolom NOP dan ketetapan.',
      },
    ]);
    expect(list.sheets.map(({ used }) => used)).toEqual([true, false, false]);
  });

  it('that are all hidden wait for a choice', async () => {
    const sheets = [
      { name: 'Sampul', rows: [['DHKP']] },
      { name: 'lama', rows: [PLAIN, [nopOf(1), 'A', 1000]], hidden: true },
    ];
    const list = await readSheets(sheets);
    expect([list.needsMapping, list.rows, list.sheets.map(({ used }) => used)]).toEqual([true, [], [false, false]]);
    expect(summaryOf(await readSheets(sheets, { sheets: [1] }))).toEqual([[2, nopOf(1), 1000]]);
    expect((await readSheets(sheets, { sheets: [0] })).needsMapping).toBe(true);
  });
});

describe('totals', () => {
  it.each([
    'PINDAHAN',
    'DIPINDAHKAN',
    'JUMLAH PINDAHAN',
    'JUMLAH HALAMAN',
    'JUMLAH HALAMAN INI',
    'SUB TOTAL',
    'SUBTOTAL',
    'Sub-total :',
  ])('of a page, such as %s, are neither objects nor control totals', async (label) => {
    const list = await read([
      PLAIN,
      [nopOf(1), 'A', 1000],
      [label, null, 1000],
      [nopOf(2), 'B', 2000],
      ['JUMLAH', null, 3000],
    ]);
    expect([summaryOf(list).length, list.totals.map(({ row, amount_sen: sen }) => [row, sen])]).toEqual([
      2,
      [[5, 300000]],
    ]);
  });

  it('count their objects where a number stands in the column of the NOP', async () => {
    const list = await read([
      ['NO', ...PLAIN],
      [1, nopOf(1), 'A', 45000],
      ['JUMLAH', 1, null, 45000],
    ]);
    expect([list.rows.length, list.totals]).toEqual([
      1,
      [{ label: 'JUMLAH', sheet: 'A', row: 3, objects: 1, amount_sen: 4500000 }],
    ]);
  });

  it('keep their amount where a row below counts the objects only', async () => {
    const list = await read([
      PLAIN,
      [nopOf(1), 'A', 1000],
      ['JUMLAH', null, 1000],
      ['JUMLAH OBJEK PAJAK : 1', null, null],
    ]);
    expect(list.totals).toMatchObject([{ row: 3, amount_sen: 100000 }]);
  });

  it('say nothing certain where their amount is an error', async () => {
    const list = await read([PLAIN, [nopOf(1), 'A', 1000], ['TOTAL', null, { error: 0x17 }]]);
    expect([list.totals[0]?.amount_sen, list.warnings.map(({ code }) => code)]).toEqual([null, ['total_invalid']]);
  });

  it('that differ on each sheet are the sheets’ own, also if they call themselves grand', async () => {
    const sheetOf = (name: string, number: number, amount: number): TestSheet => ({
      name,
      rows: [PLAIN, [nopOf(number), 'A', amount], ['GRAND TOTAL', null, amount]],
    });
    const list = await readSheets([sheetOf('A', 1, 1000), sheetOf('B', 2, 2000)]);
    expect(list.totals.map(({ sheet, amount_sen: sen }) => [sheet, sen])).toEqual([
      ['A', 100000],
      ['B', 200000],
    ]);
  });
});

describe('rows', () => {
  it('with a title in the column of the NOP are ignored, those of an object are not', async () => {
    const rows = [
      ['NOP', 'NAMA WP', 'LUAS TANAH', 'PBB'],
      ['DUSUN KRAJAN'],
      [nopOf(1), 'A', 10, 1000],
      ['belum ada', 'B', 20, null],
      [null, 'Mengetahui', null, 'Kepala Desa'],
    ];
    expect(summaryOf(await read(rows))).toEqual([
      [3, nopOf(1), 1000],
      [4, null, null, 'nop_length', 'amount_missing'],
    ]);
  });

  it('of another year are left out, with a warning that counts them', async () => {
    const rows = [
      [...PLAIN, 'TAHUN'],
      [nopOf(1), 'A', 1000, 2026],
      [nopOf(1), 'A', 900, 2025],
      [nopOf(2), 'B', 900, '2025'],
      [nopOf(3), 'C', 900, 'x'],
    ];
    const list = await read(rows);
    expect(summaryOf(list)).toEqual([
      [2, nopOf(1), 1000],
      [5, nopOf(3), 900, 'year_invalid'],
    ]);
    expect(list.warnings).toMatchObject([
      { code: 'other_year', row: 3, message: '2 baris untuk tahun lain tidak dibaca (mulai baris 3).' },
    ]);
  });

  it('with 45 beside texts such as 1.234.567 have a warning', async () => {
    const list = await read([PLAIN, [nopOf(1), 'A', 45], [nopOf(2), 'B', '1.234.567'], [nopOf(3), 'C', 52.5]]);
    expect(list.warnings.map(({ code, row }) => [code, row])).toEqual([['small_amounts', 2]]);
  });

  it('whose NOPs all end with zeros have a warning', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => [
      `${nopOf(1, index + 1).slice(0, 15)}000`,
      'A',
      1000 + index,
    ]);
    expect((await read([PLAIN, ...rows])).warnings.map(({ code }) => code)).toEqual(['nop_zeros']);
  });

  it('say in Indonesian what to do', async () => {
    const list = await read([PLAIN, ['3515', 'A', 'enam puluh']]);
    expect(list.rows[0]?.problems).toEqual([
      {
        code: 'nop_length',
        field: 'nop',
        text: '3515',
        message: 'NOP harus 18 angka, atau 8 angka dengan awalan desa. Perbaiki di berkas, lalu impor lagi.',
      },
      {
        code: 'amount_invalid',
        field: 'amount',
        text: 'enam puluh',
        message:
          'Ketetapan tidak terbaca dengan pasti. Tulis angkanya saja di berkas, misalnya 45000, lalu impor lagi.',
      },
    ]);
  });

  it('do not exist in a file that is no list', async () => {
    const outcome = await readList({ text: 'halo\napa kabar' }, { year: 2026 });
    expect(outcome).toEqual({ ok: false, message: 'Tidak ada tabel dengan kolom NOP.' });
  });
});
