import { describe, expect, it } from 'vitest';
import { buildListApp, cellsOf, listText, nopOf, objectsFrom } from '#server/testing/dhkp.ts';

const DEFAULTS = { prefix: null, book_limits: [100_000, 500_000, 2_000_000, 5_000_000], due_date_by_year: {} };

describe('the settings of lists', () => {
  it('start with defaults, keep absent fields, and leave their changes in the audit', async () => {
    const { test, admin, call, dataOf } = await buildListApp();
    expect(await dataOf(call('GET', '/settings'))).toEqual(DEFAULTS);
    const body = { prefix: '3515180012', due_date_by_year: { 2026: '2026-08-31' } };
    expect(await dataOf(call('PUT', '/settings', body))).toEqual({ ...DEFAULTS, ...body });
    const limits = { book_limits: [50_000, 100_000, 200_000, 300_000] };
    await dataOf(call('PUT', '/settings', limits));
    await dataOf(call('PUT', '/settings', limits));
    expect(await dataOf(call('GET', '/settings'))).toEqual({ ...body, ...limits });
    const audit = await test.call('GET', '/api/admin/audit?action=dhkp.changed', { token: admin.token });
    const { data } = audit.body.data as { data: { subject: object; changes: object[] }[] };
    expect(data.map(({ changes }) => changes)).toEqual([
      [
        {
          field: 'book_limits',
          from: '100.000 · 500.000 · 2.000.000 · 5.000.000',
          to: '50.000 · 100.000 · 200.000 · 300.000',
        },
      ],
      [
        { field: 'prefix', from: null, to: '3515180012' },
        { field: 'due:2026', from: null, to: '2026-08-31' },
      ],
    ]);
  });

  it.each([
    [{ prefix: '35151800' }, 'Awalan NOP harus 10 angka'],
    [{ book_limits: [1, 2, 3] }, 'Batas buku harus empat jumlah yang makin besar'],
    [{ book_limits: [1, 3, 2, 4] }, 'Batas buku harus empat jumlah yang makin besar'],
    [{ book_limits: ['1', 2, 3, 4] }, 'Batas buku harus empat jumlah yang makin besar'],
    [{ due_date_by_year: { 2026: '2026-02-30' } }, 'Tanggal jatuh tempo tidak valid'],
  ])('refuse %j with 422', async (body, message) => {
    const { call } = await buildListApp();
    const answer = await call('PUT', '/settings', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  it('give a due date to what has none, decide the books, and complete short NOPs', async () => {
    const { call, preview, applied, list } = await buildListApp();
    await call('PUT', '/settings', {
      prefix: '3515180012',
      due_date_by_year: { 2026: '2026-08-31' },
      book_limits: [45_001, 45_002, 45_003, 45_004],
    });
    const cells = [1, 2].map((number) => cellsOf(number, { due: number === 1 ? '30/09/2026' : '' }));
    await applied(await preview(listText([...cells, cellsOf(3, { nop: '001-0003.0', due: '' })])));
    expect((await list()).data.map(({ nop, due_date, book }) => [nop, due_date, book])).toEqual([
      [nopOf(1), '2026-09-30', 1],
      [nopOf(2), '2026-08-31', 2],
      [nopOf(3), '2026-08-31', 3],
    ]);
    expect((await list('&book=3')).total).toBe(1);
  });
});

describe('the areas of blocks', () => {
  it('replace each other, and name the blocks of the newest list', async () => {
    const { test, admin, call, preview, applied } = await buildListApp();
    await applied(await preview(listText([...objectsFrom(2), cellsOf(1001)])));
    const answer = await test.call('POST', '/api/admin/areas', {
      token: admin.token,
      body: { name: 'Krajan', kind: 'dusun' },
    });
    const { id } = answer.body.data as { id: string };
    const found = [
      { block: '001', objects: 2 },
      { block: '002', objects: 1 },
    ];
    const saved = await call('PUT', '/blocks', [
      { block: '001', area_id: id },
      { block: '002', area_id: null },
    ]);
    expect(saved.body).toMatchObject({ data: [{ block: '001', area_id: id }], found });
    expect((await call('PUT', '/blocks', [{ block: '002', area_id: id }])).body.data).toEqual([
      { block: '002', area_id: id },
    ]);
    expect((await call('GET', '/blocks')).body).toMatchObject({ data: [{ block: '002', area_id: id }], found });
  });

  it.each([
    [[{ block: '1', area_id: null }], 'Blok harus tiga angka, masing-masing satu kali'],
    [
      [
        { block: '001', area_id: null },
        { block: '001', area_id: null },
      ],
      'Blok harus tiga angka, masing-masing satu kali',
    ],
    [[{ block: '001', area_id: 'unknown' }], 'Wilayah tidak ditemukan'],
  ])('refuse %j with 422', async (body, message) => {
    const { call } = await buildListApp();
    const answer = await call('PUT', '/blocks', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });
});
