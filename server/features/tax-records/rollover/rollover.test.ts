import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { taxRecords } from '#server/db/schema.ts';
import {
  buildAdmin,
  buildTestUser,
  buildRecord,
  type SignedInUser,
  type RecordRow,
} from '#server/testing/factories.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createRolloverService } from './rollover-service.ts';
import { unchecked } from '#server/records/verification-state.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

/** In Jakarta; the clock of the test stands at noon of 10 June 2026. */
const LAST_YEAR = Date.parse('2025-08-17T03:00:00.000Z');
const LAST_INSTANT_OF_2025 = Date.parse('2025-12-31T16:59:59.999Z');

const checkYear = (test: TestApp, user: SignedInUser): Promise<Answer> =>
  test.call('GET', '/api/tax-records/check-year', { token: user.token });
const autoCreate = (test: TestApp, user: SignedInUser, body?: unknown): Promise<Answer> =>
  test.call('POST', '/api/tax-records/auto-create', { token: user.token, ...(body === undefined ? {} : { body }) });

function recordsOf(test: TestApp, user: SignedInUser, year: number): RecordRow[] {
  const { direct: orm } = test.database;
  const own = and(eq(taxRecords.userId, user.id), eq(taxRecords.year, year));
  return orm.select().from(taxRecords).where(own).orderBy(asc(taxRecords.createdAt), asc(taxRecords.id)).all();
}

function findRecord(test: TestApp, id: string): RecordRow | undefined {
  return test.database.direct.select().from(taxRecords).where(eq(taxRecords.id, id)).get();
}
const deleteRecord = (test: TestApp, id: string) =>
  test.database.direct.delete(taxRecords).where(eq(taxRecords.id, id)).run();
/** A record of 2025 that was created in 2025. */
const buildSource = (test: TestApp, user: SignedInUser, fields: Partial<RecordRow> = {}): RecordRow =>
  buildRecord(test, user.id, { createdAt: LAST_YEAR, updatedAt: LAST_YEAR, ...fields });

/** Fields stand at the top level and in `data`. */
function expectCreatedAnswer(answer: Answer, message: string, fields: Record<string, unknown>): void {
  const all = { leftOutCount: 0, ...fields };
  expect(answer.body).toEqual({ success: true, message, ...all, data: all });
  expect(answer.status).toBe(200);
}
const nothingCreated = { autoCreated: false, count: 0, offered: 0 };

describe.each([
  ['GET', '/api/tax-records/check-year'],
  ['POST', '/api/tax-records/auto-create'],
])('%s %s', (method, url) => {
  it('answers 401 without a session and makes nothing', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildSource(test, budi);
    expect(await test.call(method, url, { body: { year: 'x' } })).toMatchObject({
      status: 401,
      body: { message: 'Sesi Anda telah berakhir. Silakan login kembali.' },
    });
    expect(recordsOf(test, budi, 2026)).toEqual([]);
  });

  it('copies only own records, also for an admin', async () => {
    const test = await buildTestApp();
    const [budi, siti, admin] = [buildTestUser(test), buildTestUser(test), buildAdmin(test)];
    const source = buildSource(test, budi, { sptNumber: 'A' });
    buildSource(test, siti, { sptNumber: 'B' });
    expect((await test.call(method, url, { token: admin.token })).body).toMatchObject({ count: 0 });
    expect((await test.call(method, url, { token: budi.token })).body).toMatchObject({ count: 1 });
    expect(recordsOf(test, budi, 2026)).toMatchObject([{ userId: budi.id, sptNumber: 'A', predecessorId: source.id }]);
    expect(recordsOf(test, siti, 2026)).toEqual([]);
  });

  it('copies a record although another user has one with the same SPT number', async () => {
    const test = await buildTestApp();
    const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
    buildSource(test, budi, { sptNumber: 'A' });
    buildRecord(test, siti.id, { sptNumber: 'A', year: 2026 });
    expect((await test.call(method, url, { token: budi.token })).body).toMatchObject({ count: 1 });
  });

  it('copies all but payment date, proof and notes, with 10 % more and a due date one year later', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    const source = buildSource(test, budi, {
      name: 'Siti Aminah',
      address: 'Jl. Kenanga 3',
      propertyType: 'toko',
      sptNumber: '32.01.007',
      amountSen: 123_456_78,
      description: 'Ruko',
      status: 'lunas',
      dueDate: '2025-09-30',
      paymentDate: '2025-09-01',
      notes: 'Sudah dibayar lewat bank',
      proofFile: 'bukti.jpg',
      proofBytes: 700,
    });
    await test.call(method, url, { token: budi.token });
    const [copy] = recordsOf(test, budi, 2026);
    expect(copy).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      userId: budi.id,
      name: 'Siti Aminah',
      address: 'Jl. Kenanga 3',
      taxType: 'PBB',
      propertyType: 'toko',
      sptNumber: '32.01.007',
      year: 2026,
      // 135,802.458 rupiah.
      amountSen: 135_802_00,
      amountSource: 'estimate',
      description: 'Ruko',
      status: 'belum_lunas',
      dueDate: '2026-09-30',
      paymentDate: null,
      notes: null,
      proofFile: null,
      proofBytes: null,
      ...unchecked,
      predecessorId: source.id,
      rolledOverAt: null,
      createdAt: test.clock.now(),
      updatedAt: test.clock.now(),
    });
    expect(findRecord(test, source.id)).toEqual({ ...source, rolledOverAt: test.clock.now() });
  });

  it.each<[string, Partial<RecordRow>, Partial<RecordRow> | null]>([
    ['half a rupiah up', { amountSen: 5_00 }, { amountSen: 6_00 }],
    ['less than half down', { amountSen: 4_00 }, { amountSen: 4_00 }],
    ['cents away', { amountSen: 1_01 }, { amountSen: 1_00 }],
    ['nothing to nothing', { amountSen: 0 }, { amountSen: 0 }],
    ['the last amount that fits', { amountSen: 90_909_090_909_000 }, { amountSen: 99_999_999_999_900 }],
    ['an amount over the limit not at all', { amountSen: 90_909_090_909_900 }, null],
    ['no due date to none', { dueDate: null }, { dueDate: null }],
    ['an ordinary due date to the same day', { dueDate: '2025-12-31' }, { dueDate: '2026-12-31' }],
  ])('rolls %s', async (_what, fields, expected) => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    const source = buildSource(test, budi, fields);
    await test.call(method, url, { token: budi.token });
    expect(recordsOf(test, budi, 2026)).toMatchObject(expected ? [expected] : []);
    expect(findRecord(test, source.id)?.rolledOverAt).toBe(expected ? test.clock.now() : null);
  });

  it('turns a due date of 29 February into 28 February', async () => {
    const test = await buildTestApp();
    test.clock.set('2029-06-10T05:00:00.000Z');
    const budi = buildTestUser(test);
    buildSource(test, budi, { year: 2028, dueDate: '2028-02-29' });
    await test.call(method, url, { token: budi.token });
    expect(recordsOf(test, budi, 2029)).toMatchObject([{ dueDate: '2029-02-28' }]);
  });

  it('copies the latest record of each SPT number and marks the older ones as rolled over', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    const older = buildSource(test, budi, { sptNumber: 'A', amountSen: 100_00 });
    const latest = buildSource(test, budi, { sptNumber: 'A', amountSen: 200_00, createdAt: LAST_YEAR + 1 });
    await test.call(method, url, { token: budi.token });
    expect(recordsOf(test, budi, 2026)).toMatchObject([{ predecessorId: latest.id, amountSen: 220_00 }]);
    expect(findRecord(test, older.id)?.rolledOverAt).toBe(test.clock.now());
    // The older record must not be copied in place of a copy that was deleted.
    deleteRecord(test, recordsOf(test, budi, 2026)[0]?.id ?? '');
    expectCreatedAnswer(await checkYear(test, budi), 'Data PBB tahun 2026 sudah lengkap', nothingCreated);
  });

  it('copies neither SPT numbers that exist already nor records of other years', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildSource(test, budi, { sptNumber: 'A' });
    buildRecord(test, budi.id, { sptNumber: 'A', year: 2026, amountSen: 1 });
    buildSource(test, budi, { sptNumber: 'B', year: 2024 });
    expect((await test.call(method, url, { token: budi.token, body: { year: 2026 } })).body).toMatchObject({
      count: 0,
    });
    expect(recordsOf(test, budi, 2026)).toMatchObject([{ sptNumber: 'A', amountSen: 1 }]);
  });

  it('makes no second copy when the SPT number of the first was changed', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildSource(test, budi, { sptNumber: 'A', amountSen: 1_00 });
    const source = buildSource(test, budi, { sptNumber: 'A', createdAt: LAST_YEAR + 1 });
    buildSource(test, budi, { sptNumber: 'B', status: 'lunas' });
    buildRecord(test, budi.id, { sptNumber: 'A-baru', year: 2026, predecessorId: source.id });
    const answer = await test.call(method, url, { token: budi.token, body: { year: 2026 } });
    expect(answer.body).toMatchObject({ count: 1 });
    expect(recordsOf(test, budi, 2026).map(({ sptNumber }) => sptNumber)).toEqual(
      expect.arrayContaining(['A-baru', 'B']),
    );
    expect(recordsOf(test, budi, 2026)).toHaveLength(2);
  });

  it('makes one copy of each record for many simultaneous calls', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    for (const sptNumber of ['A', 'B', 'C']) buildSource(test, budi, { sptNumber });
    const answers = await Promise.all(Array.from({ length: 20 }, () => test.call(method, url, { token: budi.token })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.reduce((sum, { body }) => sum + Number(body['count']), 0)).toBe(3);
    expect(
      recordsOf(test, budi, 2026)
        .map(({ sptNumber }) => sptNumber)
        .toSorted(),
    ).toEqual(['A', 'B', 'C']);
    expect(recordsOf(test, budi, 2027)).toEqual([]);
  });

  it('makes all copies when there are more than one transaction takes', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    for (let index = 0; index < 450; index += 1) buildSource(test, budi, { status: index % 2 ? 'lunas' : 'proses' });
    expect((await test.call(method, url, { token: budi.token })).body).toMatchObject({ count: 450 });
    const copies = recordsOf(test, budi, 2026);
    expect(new Set(copies.map(({ predecessorId }) => predecessorId)).size).toBe(450);
    expect((await test.call(method, url, { token: budi.token, body: { year: 2026 } })).body).toMatchObject({
      count: 0,
    });
  });

  it('publishes each stored copy to the owner and the admins, and nothing to others', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    for (const sptNumber of ['A', 'B']) buildSource(test, budi, { sptNumber });
    const published: unknown[] = [];
    vi.spyOn(test.context.publish, 'toUserAndAdmins').mockImplementation((userId, event, payload) => {
      expect(test.database.sqlite.inTransaction).toBe(false);
      published.push({ userId, event, payload });
    });
    await test.call(method, url, { token: budi.token });
    await test.call(method, url, { token: budi.token, body: { year: 2026 } });
    const copies = recordsOf(test, budi, 2026);
    expect(copies).toHaveLength(2);
    expect(published).toEqual(
      copies.map(({ id }) => ({
        userId: budi.id,
        event: 'tax-record:changed',
        payload: { id, user_id: budi.id, change: 'created' },
      })),
    );
  });

  itOnSqlite('answers 507 when the disk is full and stores no part of a transaction', async () => {
    const test = await buildTestApp();
    test.expectErrorLog(/SQLITE_FULL/);
    const budi = buildTestUser(test);
    for (let index = 0; index < 20; index += 1) buildSource(test, budi, { address: 'x'.repeat(1000) });
    const { sqlite } = test.database;
    sqlite.exec('vacuum');
    sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true }) as number}`);
    expect(await test.call(method, url, { token: budi.token })).toMatchObject({
      status: 507,
      body: { success: false, message: 'Penyimpanan server penuh. Hubungi administrator.' },
    });
    expect(recordsOf(test, budi, 2026)).toEqual([]);
    expect(recordsOf(test, budi, 2025).every(({ rolledOverAt }) => rolledOverAt === null)).toBe(true);
    sqlite.pragma('max_page_count = 1000000');
    expect((await test.call(method, url, { token: budi.token })).body).toMatchObject({ count: 20 });
  });
});

describe('GET /tax-records/check-year', () => {
  it('answers with the text of R-YEAR-9', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    for (const status of ['lunas', 'belum_lunas', 'proses'] as const) buildSource(test, budi, { status });
    const message = 'Berhasil membuat 3 data PBB untuk tahun 2026 (2 tunggakan, 1 data baru)';
    expectCreatedAnswer(await checkYear(test, budi), message, { autoCreated: true, count: 3, offered: 0 });
    expectCreatedAnswer(await checkYear(test, budi), 'Data PBB tahun 2026 sudah lengkap', nothingCreated);
  });

  it('does not copy records that were created since the year began in Jakarta', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    const before = buildSource(test, budi, { createdAt: LAST_INSTANT_OF_2025 });
    const since = buildSource(test, budi, { createdAt: LAST_INSTANT_OF_2025 + 1 });
    expect((await checkYear(test, budi)).body).toMatchObject({ count: 1 });
    expect(recordsOf(test, budi, 2026)).toMatchObject([{ predecessorId: before.id }]);
    expect(findRecord(test, since.id)?.rolledOverAt).toBeNull();
    // 'Tahun Baru' copies them.
    expect((await autoCreate(test, budi)).body).toMatchObject({ count: 1, year: 2026 });
  });

  it('works from the first instant of the year in Jakarta', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test, { createdAt: LAST_YEAR });
    buildSource(test, budi);
    test.clock.set(LAST_INSTANT_OF_2025);
    expect((await checkYear(test, budi)).body).toMatchObject({
      count: 0,
      message: 'Data PBB tahun 2025 sudah lengkap',
    });
    test.clock.set(LAST_INSTANT_OF_2025 + 1);
    expect((await checkYear(test, budi)).body).toMatchObject({ count: 1 });
  });

  it('does not make a deleted copy again, where auto-create does', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    const source = buildSource(test, budi);
    await checkYear(test, budi);
    const firstRolledAt = test.clock.now();
    deleteRecord(test, recordsOf(test, budi, 2026)[0]?.id ?? '');
    test.clock.advance(60_000);
    expectCreatedAnswer(await checkYear(test, budi), 'Data PBB tahun 2026 sudah lengkap', nothingCreated);
    expect((await autoCreate(test, budi, { year: 2026 })).body).toMatchObject({ count: 1 });
    expect(recordsOf(test, budi, 2026)).toMatchObject([
      { predecessorId: source.id, createdAt: firstRolledAt + 60_000 },
    ]);
    // The first time stays.
    expect(findRecord(test, source.id)?.rolledOverAt).toBe(firstRolledAt);
  });

  it('makes one copy of each record when auto-create runs at the same time', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    for (const sptNumber of ['A', 'B', 'C']) buildSource(test, budi, { sptNumber });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? checkYear(test, budi) : autoCreate(test, budi, { year: 2026 }),
      ),
    );
    expect(answers.reduce((sum, { body }) => sum + Number(body['count']), 0)).toBe(3);
    expect(recordsOf(test, budi, 2026)).toHaveLength(3);
  });

  it.each(['2019', '2020', '2030', '2031'])(
    'in %s makes records only of a year that a record may have',
    async (year) => {
      const test = await buildTestApp();
      test.clock.set(`${year}-06-10T05:00:00.000Z`);
      const budi = buildTestUser(test);
      const createdAt = Date.parse(`${Number(year) - 1}-06-10T05:00:00.000Z`);
      buildSource(test, budi, { year: Number(year) - 1, createdAt });
      const expected = year === '2020' || year === '2030' ? 1 : 0;
      expect(await checkYear(test, budi)).toMatchObject({ status: 200, body: { count: expected } });
      expect(recordsOf(test, budi, Number(year))).toHaveLength(expected);
    },
  );

  itOnSqlite('makes no commit when there is nothing to copy', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildSource(test, budi, { rolledOverAt: 1 });
    test.database.sqlite.pragma('query_only = ON');
    expect(await checkYear(test, budi)).toMatchObject({ status: 200, body: nothingCreated });
  });
});

it('makes the same year for a second click that came before the commit of the first and is looked at after it', async () => {
  const test = await buildTestApp();
  const budi = buildTestUser(test);
  buildSource(test, budi);
  const rollover = createRolloverService(test.context);
  expect(await rollover.autoCreate(budi, undefined)).toMatchObject({ year: 2026, count: 1 });
  test.clock.advance(500);
  expect(await rollover.autoCreate(budi, undefined, 500)).toMatchObject({ year: 2026, count: 0 });
  // The next click is one of its own.
  expect(await rollover.autoCreate(budi, undefined, 499)).toMatchObject({ year: 2027, count: 1 });
});

it('makes no copy by either call for a session that ends before the commit', async () => {
  const test = await buildTestApp();
  const budi = buildTestUser(test);
  buildSource(test, budi);
  const rollover = createRolloverService(test.context);
  const currentUser = { ...budi, sessionId: 'ended' };
  await expect(rollover.checkYear(currentUser)).rejects.toMatchObject({ status: 401 });
  await expect(rollover.autoCreate(currentUser, { year: 2026 })).rejects.toMatchObject({ status: 401 });
  expect(recordsOf(test, budi, 2026)).toEqual([]);
});
