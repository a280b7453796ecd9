import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { ReportDocument, ReportSection } from './report-document.ts';
import { letterheadOf } from '#client/lib/office/letterhead.ts';
import { NO_IDENTITY } from '#client/lib/office/office-identity.ts';
import { XLSX_TYPE, exportXlsx } from './xlsx.ts';

const FIRST_ROW = 5;

function buildReport(...sections: ReportSection[]): ReportDocument {
  return {
    title: 'Laporan Jenis Properti',
    letterhead: letterheadOf(NO_IDENTITY),
    details: [{ label: 'Periode', value: 'Tahun Ini (1 Januari 2026 – 31 Desember 2026)' }],
    printedAt: '21 November 2026 pukul 14.05',
    fileName: 'laporan',
    sections,
  };
}

async function exportAndRead(report: ReportDocument) {
  const file = await exportXlsx(report);
  expect(file.type).toBe(XLSX_TYPE);
  return readXlsx(await file.arrayBuffer(), { readStyles: true });
}

const properties: ReportSection = {
  heading: 'Jenis Properti',
  columns: [
    { header: 'Jenis Properti', kind: 'text' },
    { header: 'Jumlah', kind: 'rupiah' },
    { header: 'Persentase', kind: 'percent' },
    { header: 'Jatuh Tempo', kind: 'date' },
  ],
  rows: [
    ['Rumah Tinggal', 9_250_000.5, 58.7, '2026-08-31'],
    ['Toko/Ruko', 6_499_999.5, 41.3, null],
  ],
  totals: ['Total', 15_750_000, 100, null],
};

describe('exportXlsx', () => {
  it('writes a year as a number without a point, and its total as a text', async () => {
    const years: ReportSection = {
      heading: 'Menurut Tahun',
      columns: [
        { header: 'Tahun', kind: 'year' },
        { header: 'Data', kind: 'integer' },
      ],
      rows: [
        [2026, 1200],
        [2025, 3],
      ],
      totals: ['Total', 1203],
    };
    const { sheets } = await exportAndRead(buildReport(years));
    expect(sheets[0]?.rows.slice(FIRST_ROW)).toEqual([
      [2026, 1200],
      [2025, 3],
      ['Total', 1203],
    ]);
    const formatOf = (row: number) => sheets[0]?.cells?.get(`${FIRST_ROW + row},0`)?.style?.numFmt;
    expect([formatOf(0), formatOf(1), formatOf(2)]).toEqual(['0', '0', '@']);
  });

  it('writes amounts, percentages, dates and totals as typed cells', async () => {
    const { sheets } = await exportAndRead(buildReport(properties));
    const sheet = sheets[0];
    expect(sheet?.name).toBe('Jenis Properti');
    expect(sheet?.rows[FIRST_ROW]).toEqual(['Rumah Tinggal', 9_250_000.5, 0.587, new Date('2026-08-31T00:00:00Z')]);
    expect(sheet?.rows[FIRST_ROW + 2]?.slice(0, 3)).toEqual(['Total', 15_750_000, 1]);
    const total = sheet?.cells?.get(`${FIRST_ROW + 2},1`);
    expect(total?.style?.numFmt).toBe('"Rp" #,##0');
    expect(total?.style?.font?.bold).toBe(true);
    expect(total?.formula).toBeUndefined();
  });

  it('writes letterhead, title and details above a bold header that is frozen and repeated in print', async () => {
    const workbook = await exportAndRead(buildReport(properties));
    const sheet = workbook.sheets[0];
    expect(sheet?.rows[0]?.[0]).toBe('PBB Kita');
    expect(sheet?.rows[1]?.[0]).toBe('Laporan Jenis Properti');
    expect(sheet?.rows[2]?.[0]).toBe(
      'Periode: Tahun Ini (1 Januari 2026 – 31 Desember 2026) · Dicetak: 21 November 2026 pukul 14.05',
    );
    expect(sheet?.rows[4]).toEqual(['Jenis Properti', 'Jumlah', 'Persentase', 'Jatuh Tempo']);
    expect(sheet?.cells?.get('4,0')?.style?.font?.bold).toBe(true);
    expect(sheet?.freezePane).toMatchObject({ rows: 5 });
    expect(sheet?.pageSetup?.paperSize).toBe('a4');
    expect(sheet?.pageSetup?.printTitlesRow).toBe('$5:$5');
  });

  it('puts name, address and numbers of the office in the first cell', async () => {
    const identity = { ...NO_IDENTITY, name: 'Desa Sukamaju', address: 'Jl. Raya 1', phone: '022' };
    const workbook = await exportAndRead({ ...buildReport(properties), letterhead: letterheadOf(identity) });
    expect(workbook.sheets[0]?.rows[0]?.[0]).toBe('Desa Sukamaju · Jl. Raya 1 · Telepon 022');
    expect(workbook.sheets[0]?.rows[1]?.[0]).toBe('Laporan Jenis Properti');
  });

  it('keeps texts that look like formulas, errors or numbers as text cells', async () => {
    const texts = ['=SUM(A1:A9)', '+6281', '-1', '@cmd', '#N/A', '0012', '1e3', "'x", '<b>&"', 'a\nb'];
    const { sheets } = await exportAndRead(
      buildReport({ heading: 'Teks', columns: [{ header: 'Teks', kind: 'text' }], rows: texts.map((text) => [text]) }),
    );
    expect(sheets[0]?.rows.slice(FIRST_ROW).map((row) => row[0])).toEqual(texts);
    for (const [key, cell] of sheets[0]?.cells ?? []) {
      expect(cell.formula, key).toBeUndefined();
      expect(cell.type, key).not.toBe('error');
    }
    expect(sheets[0]?.cells?.get(`${FIRST_ROW},0`)?.style?.numFmt).toBe('@');
  });

  it('removes characters that would make the file corrupt', async () => {
    const { sheets } = await exportAndRead(
      buildReport({
        heading: 'Teks',
        columns: [{ header: 'Teks', kind: 'text' }],
        rows: [['a\u0000b\u0007\uFFFE\uFFFFc\uD800d']],
      }),
    );
    expect(sheets[0]?.rows[FIRST_ROW]?.[0]).toBe('abc\uFFFDd');
  });

  it('formats a cell by its own kind where it differs from the kind of the column', async () => {
    const { sheets } = await exportAndRead(
      buildReport({
        heading: 'Ringkasan',
        columns: [
          { header: 'Uraian', kind: 'text' },
          { header: 'Nilai', kind: 'rupiah' },
        ],
        rows: [['Total Catatan', { kind: 'integer', value: 12 }]],
      }),
    );
    const cell = sheets[0]?.cells?.get(`${FIRST_ROW},1`);
    expect(cell?.value).toBe(12);
    expect(cell?.style?.numFmt).toBe('#,##0');
  });

  it('gives each section a sheet with a valid and unique name', async () => {
    const section = (heading: string): ReportSection => ({ ...properties, heading });
    const { sheets } = await exportAndRead(
      buildReport(
        section("Toko/Ruko [2026]: 'a'"),
        section("toko ruko 2026 'A"),
        section(''),
        section('History'),
        section('x'.repeat(40)),
      ),
    );
    expect(sheets.map((sheet) => sheet.name)).toEqual([
      "Toko Ruko 2026 'a",
      "toko ruko 2026 'A (2)",
      'Lembar',
      'Lembar (2)',
      'x'.repeat(31),
    ]);
    expect(sheets.map((sheet) => sheet.pageSetup?.printTitlesRow)).toEqual(Array.from({ length: 5 }, () => '$5:$5'));
  });

  it('writes Tidak ada data into an empty sheet, and adds a filter only to a long table', async () => {
    const columns = [{ header: 'No.', kind: 'integer' as const }];
    const { sheets } = await exportAndRead(
      buildReport(
        { heading: 'Kosong', columns, rows: [] },
        { heading: 'Panjang', columns, rows: Array.from({ length: 10 }, (_, index) => [index + 1]) },
      ),
    );
    expect(sheets[0]?.rows[FIRST_ROW]?.[0]).toBe('Tidak ada data');
    expect(sheets[0]?.autoFilter).toBeUndefined();
    expect(sheets[1]?.autoFilter?.range).toBe('A5:A15');
  });
});
