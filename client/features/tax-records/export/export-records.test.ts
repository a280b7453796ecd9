import { readXlsx } from 'hucre/xlsx';
import { beforeEach, expect, it, vi } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { signIn } from '#client/testing/render.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { adminRecordPages } from '../admin-list-api.ts';
import { type AdminRecordFilter, noAdminRecordFilter } from '../api.ts';
import { exportXlsx } from '#client/exports/xlsx.ts';
import { exportPdf } from '#client/exports/pdf.ts';
import type { ReportDocument } from '#client/exports/report-document.ts';
import { readPdfPages } from '#client/exports/testing/pdf-text.ts';
import type { ExportKind } from '#client/exports/worker-messages.ts';
import { today } from '#client/lib/format.ts';
import { PROPERTY_TYPES } from '#shared/domain/tax-records/record-values.ts';
import { filterFileName, type ReportDetail, recordExport } from './record-document.ts';
import { paidNote } from '#client/lib/sum-texts.ts';
import { checkedSumsOf } from '#shared/domain/tax-records/checked-sums.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { ApiError } from '#client/lib/api/api-error.ts';

const rejected = { state: 'rejected', at: '2025-08-20T03:00:00.000Z', by_name: 'Sari', reason: 'Foto buram' } as const;
const [a, b, c] = [1, 2, 3].map((number) =>
  buildRecord({ id: recordId(number), amount: 0.1, ...(number === 1 ? { verification: rejected } : {}) }),
) as [ReturnType<typeof buildRecord>, ReturnType<typeof buildRecord>, ReturnType<typeof buildRecord>];
const signal = new AbortController().signal;

/** The document as the worker has it, after all parts. */
function recordDocument(kind: ExportKind, records: readonly TaxRecord[], details: ReportDetail[] = []): ReportDocument {
  const { addRecords, finish } = recordExport(kind);
  const rows = addRecords(records);
  const report = finish({ details, fileNamePart: '' }, 'Ratna Dewi', 0);
  report.sections[0]?.rows.push(...rows);
  return report;
}

async function fetchAll(filter: AdminRecordFilter) {
  const parts: { rows: TaxRecord[]; total: number }[] = [];
  for await (const part of adminRecordPages(filter, signal)) parts.push(part);
  return parts;
}

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
});

it('fetches every page and keeps a record once that moves to a later page meanwhile', async () => {
  const pages = [
    [a, b],
    [b, c],
  ];
  server.on('GET /api/admin/tax-records', ({ query }) =>
    okAnswer({ data: pages[Number(query['page']) - 1], total: 3, per_page: 1000, current_page: 1, last_page: 2 }),
  );
  const parts = await fetchAll({ ...noAdminRecordFilter, status: 'proses' });
  expect(parts.map(({ rows }) => rows.map(({ id }) => id))).toEqual([[a.id, b.id], [c.id]]);
  expect(parts.map(({ total }) => total)).toEqual([3, 3]);
  expect(server.calls[0]?.query).toEqual({ status: 'proses', sort: '-created_at', page: '1', limit: '1000' });
});

it('exports also a record that takes the place of one that left the filter while the pages were loading', async () => {
  const answers = [
    { data: [a], total: 3, last_page: 3 },
    { data: [c], total: 2, last_page: 2 },
    { data: [b], total: 2, last_page: 2 },
    { data: [c], total: 2, last_page: 2 },
  ];
  server.on('GET /api/admin/tax-records', ({ query }) =>
    okAnswer({ per_page: 1, current_page: Number(query['page']), ...answers.shift() }),
  );
  const parts = await fetchAll({ ...noAdminRecordFilter, status: 'proses' });
  expect(parts.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual([a.id, c.id, b.id]);
});

it('rejects when one page fails', async () => {
  server.on('GET /api/admin/tax-records', networkError);
  await expect(fetchAll(noAdminRecordFilter)).rejects.toThrow(ApiError);
});

it('builds a document with the columns and the total of the list, and the name of the person who made it', () => {
  const { sections, details } = recordDocument('xlsx', [a, b, c], [{ label: 'Tahun', value: '2025' }]);
  expect(details).toEqual([
    { label: 'Tahun', value: '2025' },
    { label: 'Jumlah data', value: '3' },
    { label: 'Dibuat oleh', value: 'Ratna Dewi' },
  ]);
  expect(sections[0]?.rows[0]).toEqual([
    'Siti Aminah',
    'Jl. Melati 1',
    'Siti Aminah',
    a.spt_number,
    'Belum Ditentukan',
    2025,
    'Belum Lunas',
    '2999-12-31',
    null,
    'Tidak cocok: Foto buram',
    null,
    0.1,
  ]);
  // Not 0.30000000000000004.
  expect(sections[0]?.totals?.at(-1)).toBe(0.3);
});

it('says which amounts are estimates, in Excel and in the PDF', () => {
  const estimate = { ...a, amount_source: 'estimate' } as const;
  expect(recordDocument('xlsx', [estimate]).sections[0]?.rows[0]?.slice(-2)).toEqual(['Perkiraan (naik 10 %)', 0.1]);
  expect(recordDocument('pdf', [estimate]).sections[0]?.rows[0]).toContain('Belum Lunas · Perkiraan (naik 10 %)');
  expect(recordDocument('pdf', [a]).sections[0]?.rows[0]).toContain('Belum Lunas');
});

it('writes 18 digits as a NOP, in Excel and in the PDF', () => {
  const named = { ...a, spt_number: '351518001200100340' };
  for (const kind of ['xlsx', 'pdf'] as const) {
    expect(recordDocument(kind, [named]).sections[0]?.rows[0]).toContain('35.15.180.012.001-0034.0');
  }
});

const sumText = (report: ReportDocument) => report.sections[0]?.notes?.map((note) => note.replaceAll(/\s/g, ' '));

it('says below the total what is paid, what the office knows of it, and what is an estimate', async () => {
  const states = ['none', 'pending', 'matched', 'rejected', 'outdated'] as const;
  const records = states.map((state, index) =>
    buildRecord({
      id: recordId(index + 10),
      status: 'lunas',
      amount: 1000 * (index + 1),
      verification: { ...rejected, state },
    }),
  );
  const estimate = buildRecord({ id: recordId(20), amount: 206_250, amount_source: 'estimate' });
  const notes = [
    'Terbayar Rp 15.000 (5 data): Dicocokkan Rp 3.000 · menunggu Rp 2.000 · berubah sejak dicocokkan Rp 5.000 · tidak cocok Rp 4.000 · dicatat kantor Rp 1.000',
    'Belum terbayar: termasuk perkiraan Rp 206.250 (1 data)',
  ];
  const report = recordDocument('xlsx', [...records, estimate]);
  expect(sumText(report)).toEqual(notes);
  const { sheets } = await readXlsx(await (await exportXlsx(report)).arrayBuffer());
  const last = sheets[0]?.rows.slice(-2).map((row) => String(row[0]).replaceAll(/\s/g, ' '));
  expect(last).toEqual(notes);
  const pages = await readPdfPages(await exportPdf(recordDocument('pdf', [...records, estimate])));
  expect(pages.at(-1)?.replaceAll(/\s+/g, ' ')).toContain(
    'Terbayar Rp 15.000 (5 data): Dicocokkan Rp 3.000 · menunggu',
  );
});

it('says of a list without a payment and an estimate nothing more', () => {
  expect(sumText(recordDocument('xlsx', [a, b]))).toEqual([]);
});

it('adds parts of a list that is loaded in pieces up to the parts of the whole list', () => {
  const states = ['none', 'pending', 'matched', 'rejected', 'outdated'] as const;
  let seed = 20_261_123;
  const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max;
  for (let round = 0; round < 100; round += 1) {
    const records = Array.from({ length: random(12) }, (_, index) =>
      buildRecord({
        id: recordId(index + 1),
        status: (['lunas', 'proses', 'belum_lunas'] as const)[random(3)] ?? 'lunas',
        amount: random(100_000_000) / 100,
        verification: { ...rejected, state: states[random(5)] ?? 'none' },
      }),
    );
    const { addRecords, finish } = recordExport('xlsx');
    const middle = random(records.length + 1);
    addRecords(records.slice(0, middle));
    addRecords(records.slice(middle));
    const whole = checkedSumsOf(records);
    const note = paidNote(whole);
    expect(finish({ details: [], fileNamePart: '' }, 'Ratna Dewi', 0).sections[0]?.notes).toEqual(
      note === null ? [] : [note],
    );
    const parts = totalAmount(Object.values(whole));
    expect(parts).toBe(totalAmount(records.filter(({ status }) => status === 'lunas')));
  }
});

it('names the filter in the name of the file, in short', () => {
  const fileName = (filter: Partial<AdminRecordFilter>, ownerName?: string) => {
    const fileNamePart = filterFileName({ ...noAdminRecordFilter, ...filter }, ownerName);
    return recordExport('xlsx').finish({ details: [], fileNamePart }, 'Ratna Dewi', 0).fileName;
  };
  expect(fileName({})).toBe(`data-pajak_${today()}`);
  expect(fileName({ view: 'overdue', year: '2023' })).toBe(`data-pajak_tunggakan_2023_${today()}`);
  expect(fileName({ status: 'belum_lunas', user_id: 'u1', proof: 'without' }, 'H. Siti / Aminah')).toBe(
    `data-pajak_belum-lunas_tanpa-bukti_h-siti-aminah_${today()}`,
  );
  expect(fileName({ status: 'lunas', verification: 'rejected' })).toBe(`data-pajak_lunas_tidak-cocok_${today()}`);
  expect(fileName({ search: '../?*', due_to: '2025-01-31' })).toBe(`data-pajak_jatuh-tempo_${today()}`);
});

it('writes years and amounts as numbers and due dates as dates, so that Excel sorts and sums them', async () => {
  const file = await exportXlsx(recordDocument('xlsx', [a, b]));
  const { sheets } = await readXlsx(await file.arrayBuffer(), { readStyles: true });
  const rows = sheets[0]?.rows ?? [];
  const headerRow = rows.findIndex((row) => row.includes('Tahun'));
  const columnOf = (header: string) => rows[headerRow]?.indexOf(header) ?? -1;
  const values = (header: string) => rows.slice(headerRow + 1, headerRow + 3).map((row) => row[columnOf(header)]);
  expect(values('Tahun')).toEqual([2025, 2025]);
  expect(values('Jumlah')).toEqual([0.1, 0.1]);
  expect(values('Jatuh Tempo')).toEqual([new Date('2999-12-31T00:00:00Z'), new Date('2999-12-31T00:00:00Z')]);
  expect(sheets[0]?.cells?.get(`${headerRow + 1},${columnOf('Tahun')}`)?.style?.numFmt).toBe('0');
});

const matched = { state: 'matched', at: '2025-08-20T03:00:00.000Z', by_name: 'Sari', reason: null } as const;

/**
 * 746 records as a village has them: every fifth with a long name and a long address, every tenth of another account, every status
 * and property type.
 */
function typicalRecords(): TaxRecord[] {
  const propertyTypes = [null, ...PROPERTY_TYPES];
  return Array.from({ length: 746 }, (_, index) => {
    const isLong = index % 5 === 0;
    const name = isLong ? 'H. Muhammad Abdurrahman Kusumawardhana, S.Pd.' : `Siti Rahmawati Lestari ${index}`;
    return buildRecord({
      id: recordId(index + 1),
      name,
      address: isLong
        ? `Perumahan Griya Sukamaju Indah Blok C${index} Nomor 12, RT 004 RW 011, Dusun Karanganyar`
        : `Jl. Raya Sukamaju No. ${index}, RT 004/RW 011`,
      user: {
        id: 'u1',
        _id: 'u1',
        name: index % 10 === 0 ? 'Bambang Hermansyah' : name,
        email: 'a@contoh.id',
        has_email: true,
      },
      spt_number: `33.74.010.001.002-${String(index).padStart(4, '0')}.0`,
      amount: 12_345_678,
      property_type: propertyTypes[index % propertyTypes.length] ?? null,
      ...(index % 3 === 0
        ? { status: 'lunas', payment_date: '2025-08-17', verification: matched }
        : { status: index % 3 === 1 ? 'belum_lunas' : 'proses' }),
    });
  });
}

it('needs at most 20 pages of PDF for 746 records, numbers them and names filter and person in the head', async () => {
  const details = [{ label: 'Status', value: 'Lunas' }];
  const onProgress = vi.fn<(madeRows: number) => void>();
  const pages = await readPdfPages(await exportPdf(recordDocument('pdf', typicalRecords(), details), onProgress));
  expect(pages.length).toBeLessThanOrEqual(20);
  const first = pages[0]?.split('\n') ?? [];
  for (const text of ['Status', 'Lunas', 'Dibuat oleh', 'Ratna Dewi', '31/12/2999', '17/08/2025', 'Ya', '12.345.678'])
    expect(first).toContain(text);
  // Whole on one line each; a record that is not paid is no higher than a paid one.
  for (const text of ['Belum Lunas', 'Belum Ditentukan', '33.74.010.001.002-0001.0']) expect(first).toContain(text);
  expect(pages.at(-1)?.split('\n')).toContain('9.209.875.788');
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Halaman ${index + 1} dari ${pages.length}`);
    expect(page).toContain('Nomor SPT');
  }
  expect(onProgress).toHaveBeenCalledWith(700);
});
