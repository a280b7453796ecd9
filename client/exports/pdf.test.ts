import { describe, expect, it } from 'vitest';
import { letterheadOf } from '#client/lib/office/letterhead.ts';
import { NO_IDENTITY } from '#client/lib/office/office-identity.ts';
import { PDF_TYPE, exportPdf } from './pdf.ts';
import type { ReportDocument, ReportSection } from './report-document.ts';
import { readPdfPages } from './testing/pdf-text.ts';

const properties: ReportSection = {
  heading: 'Jenis Properti',
  columns: [
    { header: 'Jenis Properti', kind: 'text' },
    { header: 'Jumlah', kind: 'rupiah' },
    { header: 'Persentase', kind: 'percent' },
    { header: 'Jatuh Tempo', kind: 'date' },
  ],
  rows: [['Rumah Tinggal', 9_250_000, 58.7, '2026-08-31']],
  totals: ['Total', 15_750_000, 100, null],
};

function buildReport(...sections: ReportSection[]): ReportDocument {
  return {
    title: 'Laporan Jenis Properti',
    letterhead: letterheadOf(NO_IDENTITY),
    details: [
      { label: 'Periode', value: 'Tahun Ini (1 Januari 2026 – 31 Desember 2026)' },
      { label: 'Atas Nama', value: 'Siti Nuraliyah' },
    ],
    printedAt: '21 November 2026 pukul 14.05',
    fileName: 'laporan',
    sections,
  };
}

const textSection = (texts: string[]): ReportSection => ({
  heading: 'Teks',
  columns: [{ header: 'Teks', kind: 'text' }],
  rows: texts.map((text) => [text]),
});

/** Two pixels. */
const JPEG =
  '/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wCEAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAf/AABEIAAEAAgMBEQACEQEDEQH/xABKAAEAAAAAAAAAAAAAAAAAAAALEAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwA/8H//2Q==';
const jpeg = Uint8Array.from(atob(JPEG), (character) => character.codePointAt(0) ?? 0);

describe('exportPdf', () => {
  it('never breaks a number, also where eight columns of twelve digits are wider than the page', async () => {
    const header = (name: string, kind: 'text' | 'integer' | 'rupiah', width: number) => ({
      header: name,
      kind,
      width,
    });
    const rupiah = ['Total', 'Terbayar', 'Belum terbayar', 'Tunggakan', 'Perkiraan'];
    for (const amount of [575_796_609, 999_999_999_999]) {
      const section: ReportSection = {
        heading: 'Tagihan',
        columns: [
          header('Bulan', 'text', 18),
          header('Data', 'integer', 3),
          header('Lunas', 'integer', 3),
          ...rupiah.map((name) => header(name, 'rupiah', 24)),
        ],
        rows: [['Sep 2026', 1421, 209, ...rupiah.map(() => amount)]],
        totals: ['Total', 1421, 209, ...rupiah.map(() => amount)],
      };
      const [text = ''] = await readPdfPages(await exportPdf(buildReport(section)));
      const words = text.replaceAll(/\s+/g, ' ');
      expect(words.split(new Intl.NumberFormat('id-ID').format(amount))).toHaveLength(2 * rupiah.length + 1);
      expect(words.split('1.421')).toHaveLength(3);
      for (const name of ['Data', 'Lunas', ...rupiah]) expect(words).toContain(name);
    }
  });

  it('draws the logo, the name, the address and the numbers of the office', async () => {
    const identity = {
      name: `Kantor Desa ${'Sukamaju '.repeat(10)}`,
      address: 'Jl. Raya 1\nKec. Cikole',
      phone: '(022) 123',
      whatsapp: '0812',
      logo_url: '/uploads/logo/a.png',
    };
    const sizes = [
      { width: 2000, height: 20 },
      { width: 20, height: 2000 },
    ];
    for (const size of sizes) {
      const letterhead = { ...letterheadOf(identity), logo: { jpeg, ...size } };
      const file = await exportPdf({ ...buildReport(properties), letterhead });
      const [page = ''] = await readPdfPages(file);
      for (const text of ['Kantor Desa Sukamaju', 'Jl. Raya 1, Kec. Cikole', 'Telepon (022) 123 · WhatsApp 0812'])
        expect(page).toContain(text);
      expect(page).not.toContain('PBB Kita');
      expect(await file.text()).toContain('/Subtype /Image');
    }
    const plain = await exportPdf({ ...buildReport(properties), letterhead: letterheadOf(identity) });
    expect(await plain.text()).not.toContain('/Subtype /Image');
  });

  it('draws letterhead, title, details, table and totals in Indonesian', async () => {
    const file = await exportPdf(buildReport(properties));
    expect(file.type).toBe(PDF_TYPE);
    const [page = ''] = await readPdfPages(file);
    for (const text of [
      'PBB Kita',
      'Layanan Data Pajak Bumi dan Bangunan',
      'LAPORAN JENIS PROPERTI',
      'Tahun Ini (1 Januari 2026 – 31 Desember 2026)',
      'Siti Nuraliyah',
      '21 November 2026 pukul 14.05',
      'Rumah Tinggal',
      'Rp\u00A09.250.000',
      '58,7%',
      '31 Agustus 2026',
      'Rp\u00A015.750.000',
      'Halaman 1 dari 1',
    ]) {
      expect(page.split('\n')).toContain(text);
    }
  });

  it('numbers the pages, repeats the header of a long table and draws its totals only at the end', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => [`Rumah ${index + 1}`, 1000 * index, 0.8, null]);
    const pages = await readPdfPages(await exportPdf(buildReport({ ...properties, rows })));
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, page] of pages.entries()) {
      const lines = page.split('\n');
      expect(lines).toContain(`Halaman ${index + 1} dari ${pages.length}`);
      expect(lines).toContain('Persentase');
      expect(lines.includes('Rp\u00A015.750.000')).toBe(index === pages.length - 1);
      expect(lines.some((line) => line.startsWith('Laporan Jenis Properti · Tahun Ini'))).toBe(index > 0);
    }
    expect(pages.at(-1)).toContain('Rumah 120');
  });

  it('embeds both font weights and uses no system font', async () => {
    const source = await (await exportPdf(buildReport(properties))).text();
    expect(source).not.toContain('/Helvetica');
    expect(source.match(/\/FontFile2 /g)).toHaveLength(2);
  });

  it('prints Latin text of any language, and a visible box for each character that the font lacks', async () => {
    const [page = ''] = await readPdfPages(
      await exportPdf(
        buildReport(
          textSection([
            'Nguyễn Thị Ánh',
            'José Łukasz Ğöçşü',
            '“kutip” – ‘dan’ — … • ₫ €',
            'e\u0301 ﬁn ａｂ',
            'Wang 王小明 akhir',
            'Keluarga 👨‍👩‍👧 akhir',
            'a\u0007b\uD800c',
          ]),
        ),
      ),
    );
    const lines = page.split('\n');
    for (const text of [
      'Nguyễn Thị Ánh',
      'José Łukasz Ğöçşü',
      '“kutip” – ‘dan’ — … • ₫ €',
      'é fin ab',
      'Wang □□□ akhir',
      'Keluarga □□□ akhir',
      'ab□c',
    ]) {
      expect(lines).toContain(text);
    }
  });

  it('draws Tidak ada data in an empty table', async () => {
    const [page] = await readPdfPages(await exportPdf(buildReport({ ...properties, rows: [] })));
    expect(page).toContain('Tidak ada data');
  });
});
