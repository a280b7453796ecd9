import { asc, eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxRecords } from '#server/db/schema.ts';
import { buildAdmin, buildRecord, buildTestUser, type RecordRow } from '#server/testing/factories.ts';
import { type Answer, buildTestApp } from '#server/testing/test-app.ts';

const URL = '/api/tax-records/auto-create';

async function buildAppWithUser(...overrides: Parameters<typeof buildTestApp>) {
  const test = await buildTestApp(...overrides);
  const budi = buildTestUser(test, { name: 'Budi' });
  const create = (body: unknown, { token } = budi): Promise<Answer> => test.call('POST', URL, { token, body });
  const rowsOf = (year: number): RecordRow[] =>
    test.database.direct.select().from(taxRecords).where(eq(taxRecords.year, year)).orderBy(asc(taxRecords.id)).all();
  return { test, budi, create, rowsOf };
}

describe('auto-create with records', () => {
  it('makes the named copies with their amounts and due dates, and no other one', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const shop = buildRecord(test, budi.id, { sptNumber: 'A', amountSen: 100_000_00, dueDate: '2025-09-30' });
    const home = buildRecord(test, budi.id, { sptNumber: 'B', status: 'lunas', dueDate: '2024-02-29' });
    buildRecord(test, budi.id, { sptNumber: 'C' });
    const records = [
      { source_id: home.id, amount: 187_500, due_date: '2026-09-30' },
      { source_id: shop.id, amount: 110_000, due_date: '2026-09-30' },
    ];
    const counts = { year: 2026, count: 2, outstandingCount: 1, newYearCount: 1, leftOutCount: 0 };
    const message = 'Berhasil membuat 2 data PBB untuk tahun 2026 (1 tunggakan, 1 data baru)';
    const answer = await create({ year: 2026, records });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message, ...counts, data: counts });
    expect(rowsOf(2026)).toMatchObject([
      { sptNumber: 'B', amountSen: 187_500_00, amountSource: 'typed', dueDate: '2026-09-30', predecessorId: home.id },
      { sptNumber: 'A', amountSen: 110_000_00, amountSource: 'estimate', status: 'belum_lunas', userId: budi.id },
    ]);
    expect(rowsOf(2025).map(({ rolledOverAt }) => rolledOverAt !== null)).toEqual([true, true, false]);
  });

  it('stores a suggested amount as typed when the person confirmed it', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const source = buildRecord(test, budi.id, { amountSen: 100_000_00 });
    await create({ year: 2026, records: [{ source_id: source.id, amount: 110_000, due_date: null, confirmed: true }] });
    expect(rowsOf(2026)).toMatchObject([{ amountSen: 110_000_00, amountSource: 'typed', dueDate: null }]);
  });

  it('keeps what an amount is while the same one is sent again, and makes it typed when another one is', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const source = buildRecord(test, budi.id, { amountSen: 100_000_00 });
    await create({ year: 2026, records: [{ source_id: source.id, amount: 110_000 }] });
    const id = rowsOf(2026)[0]?.id ?? '';
    const edit = async (amount: number) => {
      const answer = await test.call('PUT', `/api/tax-records/${id}`, { token: budi.token, body: { amount } });
      return answer.body.data['amount_source'] as string;
    };
    expect(await edit(110_000)).toBe('estimate');
    expect(await edit(187_500)).toBe('typed');
    expect(await edit(110_000)).toBe('typed');
  });

  it('chooses the year itself without one', async () => {
    const { test, budi, create } = await buildAppWithUser();
    const source = buildRecord(test, budi.id);
    const answer = await create({ records: [{ source_id: source.id, amount: 5 }] });
    expect(answer).toMatchObject({ status: 200, body: { year: 2026, count: 1 } });
  });

  it('takes a due date that is left out one year later, and one that is no date as none', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const [one, other] = ['A', 'B'].map((sptNumber) =>
      buildRecord(test, budi.id, { sptNumber, dueDate: '2025-09-30' }),
    );
    await create({
      year: 2026,
      records: [
        { source_id: one?.id, amount: 1 },
        { source_id: other?.id, amount: 1, due_date: '2026-13-01' },
      ],
    });
    expect(rowsOf(2026).map(({ dueDate }) => dueDate)).toEqual(['2026-09-30', null]);
  });

  it('makes a copy whose suggested amount would be over the limit', async () => {
    const { test, budi, create } = await buildAppWithUser();
    const source = buildRecord(test, budi.id, { amountSen: 99_999_999_999_900 });
    expect((await create({ year: 2026 })).body).toMatchObject({ count: 0 });
    const records = [{ source_id: source.id, amount: 999_999_999_999 }];
    expect((await create({ year: 2026, records })).body).toMatchObject({ count: 1 });
  });
});

describe('auto-create with records refuses all of them', () => {
  it('without a session with 401', async () => {
    const { test } = await buildAppWithUser();
    expect((await test.call('POST', URL, { body: { records: [] } })).status).toBe(401);
  });

  it.each<[string, unknown, string]>([
    ['none at all', [], 'Pilih data yang akan dibuat'],
    ['a text', 'x', 'Pilih data yang akan dibuat'],
    ['no source', [{ amount: 1 }], 'Pilih data yang akan dibuat'],
    ['no amount', [{ source_id: 'x' }], 'Jumlah wajib diisi'],
    ['an amount as text', [{ source_id: 'x', amount: '5' }], 'Jumlah wajib diisi'],
    [
      'a negative amount',
      [{ source_id: 'x', amount: -1 }],
      'Jumlah harus antara 0 dan 999.999.999.999 dengan paling banyak dua desimal',
    ],
    ['a flag as text', [{ source_id: 'x', amount: 1, confirmed: 'ya' }], 'Pilihan harus ya atau tidak'],
    [
      'a source twice',
      [
        { source_id: 'x', amount: 1 },
        { source_id: 'x', amount: 2 },
      ],
      'Setiap data hanya boleh dipilih satu kali',
    ],
    [
      'more than 500',
      Array.from({ length: 501 }, (_, index) => ({ source_id: `${index}`, amount: 1 })),
      'Paling banyak 500 data sekaligus',
    ],
  ])('for %s with 422', async (_what, records, message) => {
    const { create, rowsOf } = await buildAppWithUser();
    expect(await create({ year: 2026, records })).toMatchObject({ status: 422, body: { message } });
    expect(rowsOf(2026)).toEqual([]);
  });

  it.each<[string, Partial<RecordRow>, number, string]>([
    ['a source of another year', { year: 2024 }, 422, 'Data yang disalin harus dari tahun 2025'],
    ['a source of the year itself', { year: 2026 }, 422, 'Data yang disalin harus dari tahun 2025'],
  ])('for %s', async (_what, fields, status, message) => {
    const { test, budi, create } = await buildAppWithUser();
    const good = buildRecord(test, budi.id, { sptNumber: 'A' });
    const wrong = buildRecord(test, budi.id, { sptNumber: 'B', ...fields });
    const records = [good, wrong].map(({ id }) => ({ source_id: id, amount: 1 }));
    expect(await create({ year: 2026, records })).toMatchObject({ status, body: { message } });
    expect(test.database.direct.select().from(taxRecords).all()).toHaveLength(2);
  });

  it('for a source that nobody or another user has with 404, also for an admin', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const [siti, ratna] = [buildTestUser(test), buildAdmin(test)];
    const [own, other] = [buildRecord(test, budi.id), buildRecord(test, siti.id)];
    const missing = { status: 404, body: { message: 'Data PBB tidak ditemukan' } };
    const records = [own.id, other.id].map((id) => ({ source_id: id, amount: 1 }));
    expect(await create({ year: 2026, records })).toMatchObject(missing);
    expect(await create({ year: 2026, records: [{ source_id: 'x', amount: 1 }] })).toMatchObject(missing);
    expect(await create({ year: 2026, records: [records[0]] }, ratna)).toMatchObject(missing);
    expect(rowsOf(2026)).toEqual([]);
  });

  it('for an SPT number with a record in the year with 409', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const [good, taken] = ['A', 'B'].map((sptNumber) => buildRecord(test, budi.id, { sptNumber }));
    buildRecord(test, budi.id, { sptNumber: 'B', year: 2026 });
    const records = [good, taken].map((source) => ({ source_id: source?.id, amount: 1 }));
    expect(await create({ year: 2026, records })).toMatchObject({
      status: 409,
      body: { message: 'Data PBB tahun 2026 untuk nomor SPT B sudah ada' },
    });
    expect(rowsOf(2026)).toHaveLength(1);
  });

  it('for a source that has a successor, whose SPT number may have changed, with 409', async () => {
    const { test, budi, create } = await buildAppWithUser();
    const source = buildRecord(test, budi.id, { sptNumber: 'A' });
    buildRecord(test, budi.id, { sptNumber: 'lain', year: 2026, predecessorId: source.id });
    const answer = await create({ year: 2026, records: [{ source_id: source.id, amount: 1 }] });
    expect(answer.status).toBe(409);
  });

  it('for two sources with one SPT number with 409', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const sources = [buildRecord(test, budi.id, { sptNumber: 'A' }), buildRecord(test, budi.id, { sptNumber: 'A' })];
    const records = sources.map(({ id }) => ({ source_id: id, amount: 1 }));
    expect((await create({ year: 2026, records })).status).toBe(409);
    expect(rowsOf(2026)).toEqual([]);
  });

  it('beyond the quota with 422', async () => {
    const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true };
    const quota = { records: 3, proofBytes: null };
    const { test, budi, create, rowsOf } = await buildAppWithUser({ settings: { ...settings, quota } });
    const sources = ['A', 'B'].map((sptNumber) => buildRecord(test, budi.id, { sptNumber }));
    const records = sources.map(({ id }) => ({ source_id: id, amount: 1 }));
    const answer = await create({ year: 2026, records });
    expect(answer).toMatchObject({ status: 422 });
    expect(answer.body.message).toContain('Jumlah data PBB Anda sudah mencapai batas (3 data)');
    expect(rowsOf(2026)).toEqual([]);
    expect((await create({ year: 2026, records: records.slice(1) })).body).toMatchObject({ count: 1 });
  });

  it('when the same copies are asked for at the same time, but for one call', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const sources = ['A', 'B'].map((sptNumber) => buildRecord(test, budi.id, { sptNumber }));
    const records = sources.map(({ id }) => ({ source_id: id, amount: 1 }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ year: 2026, records })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)]);
    expect(rowsOf(2026)).toHaveLength(2);
  });
});

it('stores 500 copies in one transaction', async () => {
  const { test, budi, create, rowsOf } = await buildAppWithUser();
  const sources = Array.from({ length: 500 }, (_, index) => buildRecord(test, budi.id, { sptNumber: `${index}` }));
  const records = sources.map(({ id }) => ({
    source_id: id,
    amount: 110_000,
    due_date: '2026-09-30',
    confirmed: false,
  }));
  expect((await create({ year: 2026, records })).body).toMatchObject({ count: 500 });
  expect(rowsOf(2026)).toHaveLength(500);
  const audited = test.database.sqlite.prepare('select count(*) from audit_entries').pluck().get();
  expect(audited).toBe(500);
});

it('makes of all suggestions what the call without records makes, for any records', async () => {
  const [plain, chosen] = [await buildAppWithUser(), await buildAppWithUser()];
  const anyRecord = fc.record({
    sptNumber: fc.constantFrom('A', 'B', 'C', 'D'),
    year: fc.constantFrom(2024, 2025, 2025, 2025, 2026),
    status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
    amountSen: fc.integer({ min: 0, max: 500_000 }).map((rupiah) => rupiah * 100),
    dueDate: fc.constantFrom(null, '2025-09-30', '2024-02-29'),
    daysAgo: fc.integer({ min: 0, max: 500 }),
  });
  const comparable = (rows: RecordRow[]) =>
    rows
      .map(({ sptNumber, amountSen, dueDate, status, amountSource, predecessorId }) => {
        return { sptNumber, amountSen, dueDate, status, amountSource, predecessorId };
      })
      .toSorted((a, b) => (a.sptNumber < b.sptNumber ? -1 : 1));
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { maxLength: 10 }), async (list) => {
      for (const { test, budi } of [plain, chosen]) {
        test.database.direct.delete(taxRecords).run();
        for (const [index, { daysAgo, ...fields }] of list.entries()) {
          const createdAt = test.clock.now() - daysAgo * 86_400_000;
          buildRecord(test, budi.id, { ...fields, createdAt, id: `record-${index}` });
        }
      }
      const expected = (await plain.create({ year: 2026 })).body;
      const copies = plain.rowsOf(2026).filter(({ predecessorId }) => predecessorId !== null);
      if (copies.length === 0) return;
      const records = copies.map(({ predecessorId, amountSen, dueDate }) => ({
        source_id: predecessorId,
        amount: amountSen / 100,
        due_date: dueDate,
      }));
      expect((await chosen.create({ year: 2026, records })).body).toEqual(expected);
      expect(comparable(chosen.rowsOf(2026))).toEqual(comparable(plain.rowsOf(2026)));
      const marked = ({ rowsOf }: typeof plain) =>
        rowsOf(2025)
          .filter(({ rolledOverAt }) => rolledOverAt !== null)
          .map(({ id }) => id);
      expect(marked(chosen)).toEqual(marked(plain));
      // Neither finds anything more to make.
      expect((await chosen.create({ year: 2026 })).body).toMatchObject({ count: 0 });
    }),
    { numRuns: 60 },
  );
});

describe('check-year while new years are only offered', () => {
  it('makes nothing, counts what it would make, and makes it again when it is automatic', async () => {
    const { test, budi, create, rowsOf } = await buildAppWithUser();
    const ratna = buildAdmin(test);
    const set = (rollover: string) =>
      test.call('PUT', '/api/admin/record-settings', { token: ratna.token, body: { rollover } });
    const check = async () => (await test.call('GET', '/api/tax-records/check-year', { token: budi.token })).body;
    const createdAt = Date.parse('2025-08-17');
    for (const sptNumber of ['A', 'B', 'C']) buildRecord(test, budi.id, { sptNumber, createdAt });
    // A record of this year is not offered by itself, as it is not copied by itself.
    buildRecord(test, budi.id, { sptNumber: 'D' });
    await set('offer');
    const offer = { autoCreated: false, count: 0, leftOutCount: 0, offered: 3 };
    expect(await check()).toEqual({
      success: true,
      message: '3 data PBB tahun 2026 dapat dibuat dari data tahun 2025',
      ...offer,
      data: offer,
    });
    expect(rowsOf(2026)).toEqual([]);
    await create({ year: 2026, records: [{ source_id: rowsOf(2025)[0]?.id, amount: 1 }] });
    expect(await check()).toMatchObject({ offered: 2 });
    await set('automatic');
    expect(await check()).toMatchObject({ autoCreated: true, count: 2, offered: 0 });
    await set('offer');
    expect(await check()).toMatchObject({ offered: 0, message: 'Data PBB tahun 2026 sudah lengkap' });
  });
});
