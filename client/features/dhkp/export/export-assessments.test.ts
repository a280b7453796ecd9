import { readXlsx } from 'hucre/xlsx';
import { beforeEach, expect, it } from 'vitest';
import { exportPdf } from '#client/exports/pdf.ts';
import type { ReportDocument } from '#client/exports/report-document.ts';
import { readPdfPages } from '#client/exports/testing/pdf-text.ts';
import type { ExportKind } from '#client/exports/worker-messages.ts';
import { exportXlsx } from '#client/exports/xlsx.ts';
import { buildAssessment } from '#client/testing/build-list.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { signIn } from '#client/testing/render.tsx';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { type AssessmentFilter, assessmentPages } from '../api.ts';
import { assessmentExport } from './assessment-document.ts';

const allObjects: AssessmentFilter = {
  search: '',
  year: '',
  area_id: '',
  block: '',
  book: '',
  collector_id: '',
  linked: '',
  listed: '',
  condition: '',
  handed_out: '',
  paid: '',
  sort: 'nop',
};

/** The document as the worker has it, after all parts. */
function listDocument(kind: ExportKind, parts: readonly Assessment[][]): ReportDocument {
  const { addRows, finish } = assessmentExport(kind);
  const rows = parts.flatMap((part) => addRows(part));
  const report = finish({ year: 2026, details: [], fileNamePart: '' }, 'Ratna Dewi', 0);
  report.sections[0]?.rows.push(...rows);
  return report;
}

beforeEach(() => signIn({ is_admin: true }));

it('writes the 12 columns of the office, numbers the rows over all parts and sums the assessments', () => {
  const { sections, title } = listDocument('xlsx', [
    [buildAssessment(1, { note: 'Rumah kosong', condition: 'not_found' })],
    [buildAssessment(2, { amount: 55_000, listed: false, file_collector: 'PAK RT' })],
  ]);
  expect(title).toBe('Daftar Himpunan Ketetapan Pajak 2026');
  expect(sections[0]?.columns.map(({ header }) => header)).toEqual([
    'No',
    'NOP',
    'Nama wajib pajak',
    'Alamat objek',
    'Alamat wajib pajak',
    'Luas tanah',
    'Luas bangunan',
    'Ketetapan',
    'Jatuh tempo',
    'Tanggal bayar',
    'Kolektor',
    'Keterangan',
  ]);
  expect(sections[0]?.rows.map((row) => [row[0], row[1], row.at(-2), row.at(-1)])).toEqual([
    [1, '35.15.180.012.000-0001.0', null, 'Tidak ditemukan · Rumah kosong'],
    [2, '35.15.180.012.000-0002.0', 'PAK RT', 'Tidak ada lagi'],
  ]);
  expect(sections[0]?.totals?.[7]).toBe(100_000);
});

it('exports also an object that takes the place of one that left the filter while the pages were loading', async () => {
  const [first, second, third] = [1, 2, 3].map((number) => buildAssessment(number));
  const answers = [
    { data: [first], total: 3, last_page: 3 },
    { data: [third], total: 2, last_page: 2 },
    { data: [second], total: 2, last_page: 2 },
    { data: [third], total: 2, last_page: 2 },
  ];
  fakeServer().on('GET /api/admin/dhkp', ({ query }) =>
    okAnswer({ per_page: 1, current_page: Number(query['page']), ...answers.shift() }),
  );
  const found: string[] = [];
  for await (const { rows } of assessmentPages(allObjects, new AbortController().signal)) {
    found.push(...rows.map(({ id }) => id));
  }
  expect(found).toEqual([first?.id, third?.id, second?.id]);
});

it('writes the NOP as a text, and runs nothing that begins like a formula', async () => {
  const names = ['=HYPERLINK("http://x")', '+62812', '-1+1', '@SUM(A1)'];
  const report = listDocument('xlsx', [names.map((name, index) => buildAssessment(index + 1, { name }))]);
  const { sheets } = await readXlsx(await (await exportXlsx(report)).arrayBuffer());
  const rows = sheets[0]?.rows.filter((row) => String(row[1]).startsWith('35.15')) ?? [];
  expect(rows.map((row) => row[1])).toEqual([1, 2, 3, 4].map((number) => `35.15.180.012.000-000${number}.0`));
  expect(rows.map((row) => row[2])).toEqual(names);
  expect([...(sheets[0]?.cells?.values() ?? [])].filter((cell) => cell.formula !== undefined)).toEqual([]);
});

it('writes a PDF on which each NOP stands on one line', async () => {
  const report = listDocument('pdf', [[buildAssessment(1), buildAssessment(2)]]);
  const pages = await readPdfPages(await exportPdf(report));
  expect(pages.flat().join('\n')).toContain('35.15.180.012.000-0002.0');
});
