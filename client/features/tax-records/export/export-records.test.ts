import { readXlsx } from 'hucre/xlsx';
import { beforeEach, expect, it, vi } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { signIn } from '#client/testing/render.tsx';
import { fetchAllAdminRecords, noAdminRecordFilter } from '../api.ts';
import { exportXlsx } from '#client/exports/xlsx.ts';
import { recordDocument } from './record-document.ts';
import { ApiError } from '#client/lib/api-error.ts';

const [a, b, c] = [1, 2, 3].map((number) => buildRecord({ id: recordId(number), amount: 0.1 })) as [
  ReturnType<typeof buildRecord>,
  ReturnType<typeof buildRecord>,
  ReturnType<typeof buildRecord>,
];
const signal = new AbortController().signal;

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
  const onProgress = vi.fn<(fetchedCount: number, total: number) => void>();
  const found = await fetchAllAdminRecords({ ...noAdminRecordFilter, status: 'proses' }, { onProgress, signal });
  expect(found.map(({ id }) => id)).toEqual([a.id, b.id, c.id]);
  expect(onProgress.mock.calls).toEqual([
    [2, 3],
    [3, 3],
  ]);
  expect(server.calls[0]?.query).toEqual({ status: 'proses', sort: '-created_at', page: '1', limit: '1000' });
});

it('rejects when one page fails', async () => {
  server.on('GET /api/admin/tax-records', networkError);
  await expect(fetchAllAdminRecords(noAdminRecordFilter, { onProgress: () => {}, signal })).rejects.toThrow(ApiError);
});

it('builds a document with the columns and the total of the list', () => {
  const { sections, details } = recordDocument([a, b, c], [{ label: 'Tahun', value: '2025' }], 0);
  expect(details).toEqual([
    { label: 'Tahun', value: '2025' },
    { label: 'Jumlah data', value: '3' },
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
    0.1,
  ]);
  // Not 0.30000000000000004.
  expect(sections[0]?.totals?.at(-1)).toBe(0.3);
});

it('writes the year as a number without a point, so that Excel sorts and sums it as one', async () => {
  const file = await exportXlsx(recordDocument([a, b], [], 0));
  const { sheets } = await readXlsx(await file.arrayBuffer(), { readStyles: true });
  const rows = sheets[0]?.rows ?? [];
  const headerRow = rows.findIndex((row) => row.includes('Tahun'));
  const column = rows[headerRow]?.indexOf('Tahun') ?? -1;
  expect(rows.slice(headerRow + 1, headerRow + 3).map((row) => row[column])).toEqual([2025, 2025]);
  expect(sheets[0]?.cells?.get(`${headerRow + 1},${column}`)?.style?.numFmt).toBe('0');
});
