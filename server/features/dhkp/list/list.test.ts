import { describe, expect, it } from 'vitest';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { buildListApp, cellsOf, LIST_YEAR, listText, nopOf, objectsFrom } from '#server/testing/dhkp.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { openTab } from '#server/testing/sockets.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import { readAssessments } from './list-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

async function buildFilledApp() {
  const app = await buildListApp();
  const cells = [
    cellsOf(1, { name: 'Siti Aminah', amount: '45.000' }),
    cellsOf(2, { name: 'BUDI SANTOSO', object_address: 'Jl. Kenanga 7', amount: '250.000' }),
    cellsOf(3, { name: 'Ali', amount: '0' }),
    cellsOf(1001, { name: 'siti zubaidah', amount: '7.500.000,50' }),
  ];
  await app.applied(await app.preview(listText(cells)));
  const numbers = async (query: string) => (await app.list(query)).data.map(({ nop }) => nop);
  return { ...app, numbers };
}
const nops = (...numbers: number[]): string[] => numbers.map(nopOf);

/** Stores copies of the first assessment with other NOPs, a thousand in a block. */
function addCopies({ database: { sqlite } }: TestApp, count: number): void {
  const columns = sqlite.prepare<[], string>("select name from pragma_table_info('assessments')").pluck().all();
  const values: Record<string, string> = {
    id: "'copy-' || number",
    nop: "'3515180012' || printf('%03d', 1 + number / 1000) || printf('%04d', number % 1000) || '1'",
    block: "printf('%03d', 1 + number / 1000)",
  };
  const numbers = `with recursive numbers(number) as (select 0 union all select number + 1 from numbers where number < ${count - 1})`;
  sqlite.exec(
    `insert into objects (nop, created_at, updated_at) ${numbers} select ${values['nop']}, 1, 1 from numbers`,
  );
  sqlite.exec(`insert into assessments (${columns.join(', ')}) ${numbers}
    select ${columns.map((name) => values[name] ?? name).join(', ')}
    from numbers, (select * from assessments limit 1)`);
}

describe('GET /admin/dhkp', () => {
  it('shows nothing and no year before the first list', async () => {
    const { call } = await buildListApp();
    expect((await call('GET', '')).body.data).toEqual({
      data: [],
      total: 0,
      per_page: 50,
      current_page: 1,
      last_page: 1,
      total_amount: 0,
      year: null,
      years: [],
    });
  });

  it.each([
    ['', [1, 2, 3, 1001]],
    ['&search=siti', [1, 1001]],
    ['&search=KENANGA', [2]],
    ['&search=35.15.180.012.001-0002.0', [2]],
    ['&search=351518001200100020', [2]],
    ['&search=002-0001', [1001]],
    ['&search=0012', [1, 2, 3, 1001]],
    ['&search=100%25', []],
    [`&search=${'a'.repeat(201)}`, []],
    ['&block=002', [1001]],
    ['&book=1', [1]],
    ['&book=2', [2]],
    ['&book=5', [1001]],
    ['&book=9', []],
    ['&listed=1', [1, 2, 3, 1001]],
    ['&listed=0', []],
    ['&linked=0', [1, 2, 3, 1001]],
    ['&linked=1', []],
    ['&condition=ok', [1, 2, 3, 1001]],
    ['&condition=unknown', []],
    ['&handed_out=0', [1, 2, 3, 1001]],
    ['&paid=no', [1, 2, 3, 1001]],
    ['&paid=deposited', []],
    ['&area_id=unknown', []],
    ['&collector_id=unknown', []],
    ['&year=2025', []],
    ['&sort=-nop', [1001, 3, 2, 1]],
    ['&sort=name', [3, 2, 1, 1001]],
    ['&sort=-name', [1001, 1, 2, 3]],
    ['&sort=amount', [3, 1, 2, 1001]],
    ['&sort=-amount', [1001, 2, 1, 3]],
    ['&sort=unknown', [1, 2, 3, 1001]],
  ])('finds by %s', async (query, expected) => {
    const { numbers } = await buildFilledApp();
    expect(await numbers(query)).toEqual(nops(...expected));
  });

  it('sums exactly what matches, also beyond the page', async () => {
    const { dataOf, call } = await buildFilledApp();
    expect(await dataOf(call('GET', '?limit=1&page=2&search=siti'))).toMatchObject({
      data: [{ nop: nopOf(1001), amount: 7_500_000.5, book: 5 }],
      total: 2,
      total_amount: 7_545_000.5,
      last_page: 2,
      year: 2026,
      years: [2026],
    });
    expect(await dataOf(call('GET', '?page=99'))).toMatchObject({ data: [], total: 4 });
  });

  it('shows the newest year with a list, and others by request', async () => {
    const { preview, applied, list, numbers } = await buildFilledApp();
    await applied(await preview(listText(objectsFrom(2)), LIST_YEAR - 1));
    expect(await list()).toMatchObject({ total: 4, years: [2026, 2025] });
    expect(await numbers('&year=2025')).toEqual(nops(1, 2));
  });

  it('finds by area with all areas below, whatever decides the area, and sorts by it', async () => {
    const { test, admin, preview, applied, list, call } = await buildListApp();
    const add = async (name: string, kind: string, parent_id: string | null = null) => {
      const answer = await test.call('POST', '/api/admin/areas', {
        token: admin.token,
        body: { name, kind, parent_id },
      });
      return (answer.body.data as { id: string }).id;
    };
    const krajan = await add('Krajan', 'dusun');
    const rt = await add('5', 'rt', krajan);
    const bendo = await add('Bendo', 'dusun');
    const named = [
      cellsOf(1, { dusun: 'Krajan', rt: '05' }),
      cellsOf(2, { dusun: '', rt: '' }),
      cellsOf(1003, { dusun: '', rt: '' }),
    ];
    await applied(await preview(listText([...named, cellsOf(2004, { dusun: 'Tegal', rt: '' })])));
    await call('PUT', '/blocks', [{ block: '001', area_id: bendo }]);
    const [, , third] = (await list()).data;
    await call('PUT', `/${third?.id}`, { area_id: krajan });
    const found = async (query: string) => (await list(query)).data.map(({ nop, area }) => [nop, area?.path ?? null]);
    const krajanFound = [
      [nopOf(1), 'Krajan / RT 5'],
      [nopOf(1003), 'Krajan'],
    ];
    expect(await found(`&area_id=${krajan}`)).toEqual(krajanFound);
    expect(await found(`&area_id=${rt}`)).toEqual([krajanFound[0]]);
    expect(await found(`&area_id=${bendo}`)).toEqual([[nopOf(2), 'Bendo']]);
    const inOrder = [[nopOf(2), 'Bendo'], krajanFound[1], krajanFound[0]];
    expect(await found('&sort=area')).toEqual([...inOrder, [nopOf(2004), null]]);
    expect(await found('&sort=-area')).toEqual([...inOrder.toReversed(), [nopOf(2004), null]]);
    expect((await list(`&area_id=${krajan}`)).total_amount).toBe(90_000 + 1 + 1003);
  });

  itOnSqlite('reads rows only for its page: everything else comes from one index', async () => {
    const { test } = await buildFilledApp();
    const query = { limit: 50, offset: 0, sort: undefined };
    for (const filter of [{}, { search: 'siti' }, { book: 2 as const }, { paid: 'no' as const, listed: true }]) {
      const plans = await queryPlans(test, (orm) => readAssessments(orm, { ...query, ...filter, year: 2026 }));
      const scans = plans.filter((plan) => plan.includes('assessments'));
      for (const plan of scans) {
        const isPage = plan.includes('INTEGER PRIMARY KEY (rowid=?)');
        expect(isPage || plan.includes('COVERING INDEX assessments_list'), plan).toBe(true);
      }
      expect(scans.join('; ')).not.toMatch(/SCAN assessments(?! USING COVERING)/);
      expect(scans.join('; ')).not.toContain('TEMP B-TREE');
    }
  });
});

describe('GET /admin/dhkp/{id}', () => {
  it('shows an object with its history, newest first', async () => {
    const { preview, applied, list, call } = await buildListApp();
    for (const year of [2024, 2026, 2025]) await applied(await preview(listText(objectsFrom(2)), year));
    const [first] = (await list()).data;
    const answer = (await call('GET', `/${first?.id}`)).body.data as Assessment & { history: Assessment[] };
    expect(answer).toMatchObject({ nop: nopOf(1), year: 2026 });
    expect(answer.history.map(({ year, nop }) => [year, nop])).toEqual(
      [2026, 2025, 2024].map((year) => [year, nopOf(1)]),
    );
    const missing = await call('GET', '/unknown');
    expect([missing.status, missing.body.message]).toEqual([404, 'Objek tidak ditemukan']);
  });
});

describe('PUT /admin/dhkp/{id}', () => {
  it('changes what the office decides and nothing that a file says', async () => {
    const { test, admin, list, call, dataOf } = await buildFilledApp();
    const tab = await openTab(test, admin);
    const joko = buildTestUser(test, { name: 'Pak Joko' });
    const [before] = (await list()).data;
    const body = {
      condition: 'wrong_name',
      note: ' tanah waris ',
      handed_out_on: '2026-03-04',
      handed_out_to: 'Bu Sri',
      collector_id: joko.id,
      updated_at: before?.updated_at,
      name: 'Orang lain',
      amount: 1,
      listed: false,
    };
    const after = await dataOf<Assessment>(call('PUT', `/${before?.id}`, body));
    expect(after).toEqual({
      ...before,
      condition: 'wrong_name',
      note: 'tanah waris',
      handed_out_on: '2026-03-04',
      handed_out_to: 'Bu Sri',
      collector: { id: joko.id, name: 'Pak Joko' },
      updated_at: after.updated_at,
      updatedAt: after.updated_at,
    });
    expect(await tab.next('dhkp:changed')).toEqual({ year: 2026 });
    const stale = await call('PUT', `/${before?.id}`, { ...body, note: 'lain' });
    expect([stale.status, stale.body.message]).toEqual([
      409,
      'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.',
    ]);
    const audit = await test.call('GET', '/api/admin/audit?action=dhkp.changed', { token: admin.token });
    const { data } = audit.body.data as { data: { subject: object; changes: object[] }[] };
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      subject: { id: before?.id, label: 'objek 35.15.180.012.001-0001.0 · 2026 · Siti Aminah' },
      changes: [
        { field: 'condition', from: 'ok', to: 'wrong_name' },
        { field: 'note', to: 'tanah waris' },
        { field: 'handed_out_on', to: '2026-03-04' },
        { field: 'handed_out_to', to: 'Bu Sri' },
        { field: 'collector', to: 'Pak Joko' },
      ],
    });
  });

  it('changes no version when nothing is different', async () => {
    const { list, call } = await buildFilledApp();
    const [before] = (await list()).data;
    expect((await call('PUT', `/${before?.id}`, { condition: 'ok', note: '' })).body.data).toEqual(before);
  });

  it.each([
    [{ condition: 'burned' }, 'Keadaan objek tidak valid'],
    [{ area_id: 'unknown' }, 'Wilayah tidak ditemukan'],
    [{ area_id: 7 }, 'Wilayah tidak ditemukan'],
    [{ collector_id: 'unknown' }, 'Kolektor harus akun yang aktif'],
    [{ note: 'a'.repeat(5001) }, 'Catatan maksimal 5000 karakter'],
    [{ updated_at: 'x' }, 'Waktu perubahan data tidak valid. Muat ulang lalu coba lagi.'],
  ])('refuses %j with 422', async (body, message) => {
    const { list, call } = await buildFilledApp();
    const [before] = (await list()).data;
    const answer = await call('PUT', `/${before?.id}`, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect((await list()).data[0]).toEqual(before);
  });

  it('takes no account that is not active as a collector, and shows none that is gone', async () => {
    const { test, list, call } = await buildFilledApp();
    const [inactive, active] = [buildTestUser(test, { isActive: false }), buildTestUser(test)];
    const [before] = (await list()).data;
    expect((await call('PUT', `/${before?.id}`, { collector_id: inactive.id })).status).toBe(422);
    expect((await call('PUT', `/${before?.id}`, { collector_id: active.id })).status).toBe(200);
    test.database.sqlite.prepare('delete from users where id = ?').run(active.id);
    expect((await list()).data[0]).toMatchObject({ collector: null });
    expect((await call('PUT', '/unknown', {})).status).toBe(404);
  });
});

describe('POST /admin/dhkp/bulk', () => {
  it('changes the named objects, with one entry in the audit', async () => {
    const { test, admin, list, call, dataOf } = await buildFilledApp();
    const ids = (await list()).data.map(({ id }) => id);
    const body = { ids: [...ids, ...ids, 'unknown'], set: { handed_out_on: '2026-03-04' } };
    expect(await dataOf(call('POST', '/bulk', body))).toEqual({ changed: 4, missing: 1 });
    expect(await dataOf(call('POST', '/bulk', body))).toEqual({ changed: 0, missing: 1 });
    expect((await list('&handed_out=1')).total).toBe(4);
    const audit = await test.call('GET', '/api/admin/audit?action=dhkp.changed', { token: admin.token });
    const { data } = audit.body.data as { data: { subject: object; changes: object[] }[] };
    expect(data[0]).toMatchObject({
      subject: { id: 'dhkp', label: '4 objek' },
      changes: [
        { field: 'handed_out_on', from: null, to: '2026-03-04' },
        { field: 'objects', from: null, to: 4 },
      ],
    });
  });

  it('changes all that a filter finds', async () => {
    const { list, call, dataOf } = await buildFilledApp();
    const set = { condition: 'double' };
    expect(await dataOf(call('POST', '/bulk', { filter: { search: 'siti', year: 2026 }, set }))).toEqual({
      changed: 2,
      missing: 0,
    });
    expect((await list('&condition=double')).data.map(({ nop }) => nop)).toEqual(nops(1, 1001));
    expect(await dataOf(call('POST', '/bulk', { filter: { book: 9 }, set }))).toEqual({ changed: 0, missing: 0 });
  });

  itOnSqlite('takes 5,000 objects at most', async () => {
    const { test, preview, applied, call } = await buildListApp();
    const text = 'Paling banyak 5.000 objek sekaligus';
    const ids = Array.from({ length: 5001 }, (_, index) => `id-${index}`);
    const named = await call('POST', '/bulk', { ids, set: { note: 'a' } });
    expect([named.status, named.body.message]).toEqual([422, text]);
    await applied(await preview(listText(objectsFrom(1))));
    addCopies(test, 5000);
    const found = await call('POST', '/bulk', { filter: {}, set: { note: 'a' } });
    expect([found.status, found.body.message]).toEqual([422, text]);
    const most = await call('POST', '/bulk', { filter: { search: 'Warga 1', block: '001' }, set: { note: 'a' } });
    expect(most.body.data).toEqual({ changed: 1001, missing: 0 });
  });

  it.each([
    [{ set: { note: 'a' } }, 'Pilih objek yang akan diubah'],
    [{ ids: 'all', set: { note: 'a' } }, 'Pilih objek yang akan diubah'],
    [{ ids: [], set: {} }, 'Pilih yang akan diubah'],
    [{ ids: ['x'], set: { area_id: 'unknown' } }, 'Wilayah tidak ditemukan'],
  ])('refuses %j with 422', async (body, message) => {
    const { call } = await buildFilledApp();
    const answer = await call('POST', '/bulk', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });
});

it('shows the list to admins alone', async () => {
  const { test } = await buildFilledApp();
  for (const path of ['', '/batches', '/blocks', '/settings']) {
    expect((await test.call('GET', `/api/admin/dhkp${path}`)).status).toBe(401);
    expect((await test.call('GET', `/api/admin/dhkp${path}`, { token: buildTestUser(test).token })).status).toBe(403);
    expect((await test.call('GET', `/api/admin/dhkp${path}`, { token: buildAdmin(test).token })).status).toBe(200);
  }
});
