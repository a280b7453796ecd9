import { eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxRecords } from '#server/db/schema.ts';
import { buildTestUser, buildRecord, type SignedInUser, type RecordRow } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { findSources, findSptNumbers, findTakenSptNumbers } from './rollover-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const URL = '/api/tax-records/auto-create';
const autoCreate = (test: TestApp, { token }: SignedInUser, body?: unknown): Promise<Answer> =>
  test.call('POST', URL, { token, ...(body === undefined ? {} : { body }) });
const allRecords = (test: TestApp): RecordRow[] =>
  test.database.direct.select().from(taxRecords).orderBy(taxRecords.id).all();

async function buildAppWithUser(now = '2026-06-10T05:00:00.000Z') {
  const test = await buildTestApp();
  test.clock.set(now);
  return { test, budi: buildTestUser(test) };
}

describe('the answer of auto-create', () => {
  it('shows the counts of overdue and new records at the top level and in data', async () => {
    const { test, budi } = await buildAppWithUser();
    for (const status of ['lunas', 'belum_lunas', 'proses'] as const) buildRecord(test, budi.id, { status });
    const fields = { year: 2026, count: 3, outstandingCount: 2, newYearCount: 1 };
    expect(await autoCreate(test, budi, { year: 2026 })).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Berhasil membuat 3 data PBB untuk tahun 2026 (2 tunggakan, 1 data baru)',
        ...fields,
        data: fields,
      },
    });
  });

  it('names overdue records in its message only when there are any', async () => {
    const { test, budi } = await buildAppWithUser();
    buildRecord(test, budi.id, { status: 'lunas' });
    expect((await autoCreate(test, budi, { year: 2026 })).body).toMatchObject({
      message: 'Berhasil membuat 1 data PBB untuk tahun 2026',
      outstandingCount: 0,
      newYearCount: 1,
    });
    expect((await autoCreate(test, budi, { year: 2026 })).body).toMatchObject({
      message: 'Berhasil membuat 0 data PBB untuk tahun 2026',
      count: 0,
    });
  });
});

describe('the year of auto-create', () => {
  it.each<[string, Parameters<TestApp['call']>[2]]>([
    ['no body', {}],
    ['an empty body called JSON', { headers: { 'content-type': 'application/json' }, payload: '' }],
    ['an empty body called something else', { headers: { 'content-type': 'text/plain' }, payload: '' }],
    ['null', { body: null }],
    ['{}', { body: {} }],
    ['year null', { body: { year: null } }],
    ['unknown fields', { body: { user_id: 'x', tahun: 2020 } }],
  ])('is this year if a record is missing in it: %s', async (_what, options) => {
    const { test, budi } = await buildAppWithUser();
    buildRecord(test, budi.id, { year: 2025 });
    buildRecord(test, budi.id, { year: 2026 });
    const answer = await test.call('POST', URL, { token: budi.token, ...options });
    expect(answer).toMatchObject({ status: 200, body: { year: 2026, count: 1 } });
  });

  it.each<[string, Partial<RecordRow>[]]>([
    ['nothing was recorded for last year', [{ year: 2026 }]],
    ['all of it is there', [{ sptNumber: 'A' }, { sptNumber: 'A', year: 2026 }]],
    ['what is missing would be over the limit', [{ amountSen: 99_999_999_999_900 }, { year: 2026 }]],
  ])('is the next year when %s', async (_what, rows) => {
    const { test, budi } = await buildAppWithUser();
    for (const row of rows) buildRecord(test, budi.id, row);
    expect((await autoCreate(test, budi)).body).toMatchObject({ year: 2027, count: 1 });
  });

  it('becomes the next year when the copy of this year only has another SPT number', async () => {
    const { test, budi } = await buildAppWithUser();
    const source = buildRecord(test, budi.id);
    buildRecord(test, budi.id, { year: 2026, sptNumber: 'lain', predecessorId: source.id });
    test.clock.advance(60_000);
    expect((await autoCreate(test, budi)).body).toMatchObject({ year: 2027, count: 1 });
  });

  it('depends on the date in the server’s time zone', async () => {
    const { test, budi } = await buildAppWithUser('2026-12-31T17:00:00.000Z');
    buildRecord(test, budi.id, { year: 2026 });
    expect((await autoCreate(test, budi)).body).toMatchObject({ year: 2027, count: 1 });
  });

  it.each([2019, 2031, 0, -1, 2025.5, '2026', 'x', true, [2026], 1e300])('gets 422 when it is %j', async (year) => {
    const { test, budi } = await buildAppWithUser();
    buildRecord(test, budi.id, { year: 2030 });
    buildRecord(test, budi.id, { year: 2018 });
    expect(await autoCreate(test, budi, { year })).toMatchObject({
      status: 422,
      body: {
        success: false,
        message: 'Tahun harus antara 2020 dan 2030',
        errors: { year: ['Tahun harus antara 2020 dan 2030'] },
      },
    });
    expect(allRecords(test)).toHaveLength(2);
  });

  it.each([
    ['2030-06-10T05:00:00.000Z', 2030],
    ['2031-06-10T05:00:00.000Z', 2030],
    ['2018-06-10T05:00:00.000Z', 2018],
  ])('gets 422 when the server chose it at %s', async (now, year) => {
    const { test, budi } = await buildAppWithUser(now);
    buildRecord(test, budi.id, { year });
    expect(await autoCreate(test, budi)).toMatchObject({
      status: 422,
      body: { message: 'Tahun harus antara 2020 dan 2030' },
    });
    expect(allRecords(test)).toHaveLength(1);
  });

  it.each([2020, 2022, 2030])('may be %d in any current year', async (year) => {
    const { test, budi } = await buildAppWithUser();
    buildRecord(test, budi.id, { year: year - 1 });
    expect((await autoCreate(test, budi, { year })).body).toMatchObject({ year, count: 1 });
  });

  it('takes the copies of one auto-create as sources of the next', async () => {
    const { test, budi } = await buildAppWithUser();
    buildRecord(test, budi.id, { amountSen: 100_00, dueDate: '2025-02-28' });
    for (const year of [2026, 2027, 2028]) {
      expect((await autoCreate(test, budi, { year })).body).toMatchObject({ count: 1 });
    }
    const chain = allRecords(test).toSorted((a, b) => a.year - b.year);
    expect(chain.map(({ amountSen, dueDate }) => [amountSen, dueDate])).toEqual([
      [100_00, '2025-02-28'],
      [110_00, '2026-02-28'],
      [121_00, '2027-02-28'],
      [133_00, '2028-02-28'],
    ]);
    expect(chain.slice(1).map(({ predecessorId }) => predecessorId)).toEqual(chain.slice(0, -1).map(({ id }) => id));
  });

  it('refuses a body that is not an object', async () => {
    const { test, budi } = await buildAppWithUser();
    for (const body of ['x', 5, [2026]]) {
      expect(await autoCreate(test, budi, body)).toMatchObject({
        status: 400,
        body: { message: 'Format data tidak valid' },
      });
    }
  });
});

it('makes every copy once, so that no record has two successors, for any records', async () => {
  const { test, budi } = await buildAppWithUser();
  const anyRecord = fc.record({
    sptNumber: fc.constantFrom('A', 'B', 'C', 'D'),
    year: fc.constantFrom(2024, 2025, 2025, 2025, 2026),
    status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
    amountSen: fc.constantFrom(0, 5_00, 100_00, 99_999_999_999_900),
    daysAgo: fc.integer({ min: 0, max: 500 }),
    isRolled: fc.boolean(),
  });
  const anyStep = fc.constantFrom('check', 'create', 'delete', 'rename');
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRecord, { maxLength: 12 }),
      fc.array(anyStep, { maxLength: 6 }),
      async (list, steps) => {
        test.database.direct.delete(taxRecords).run();
        for (const { daysAgo, isRolled, ...fields } of list) {
          const createdAt = test.clock.now() - daysAgo * 86_400_000;
          buildRecord(test, budi.id, { ...fields, createdAt, rolledOverAt: isRolled ? 1 : null });
        }
        // After one call of each, neither has anything left to make; they differ only in the records that they copy.
        for (const step of [...steps, 'create', 'check']) {
          const copy = allRecords(test).find(({ predecessorId }) => predecessorId !== null);
          const isCopy = eq(taxRecords.id, copy?.id ?? '');
          if (step === 'check') await test.call('GET', '/api/tax-records/check-year', { token: budi.token });
          if (step === 'create') await autoCreate(test, budi, { year: 2026 });
          if (step === 'delete') test.database.direct.delete(taxRecords).where(isCopy).run();
          if (step === 'rename') test.database.direct.update(taxRecords).set({ sptNumber: 'lain' }).where(isCopy).run();
        }
        const before = allRecords(test);
        expect((await autoCreate(test, budi, { year: 2026 })).body).toMatchObject({ count: 0 });
        const check = await test.call('GET', '/api/tax-records/check-year', { token: budi.token });
        expect(check.body).toMatchObject({ count: 0 });
        expect(allRecords(test)).toEqual(before);
        const predecessors = before.flatMap(({ predecessorId }) => predecessorId ?? []);
        expect(new Set(predecessors).size).toBe(predecessors.length);
      },
    ),
    { numRuns: 60 },
  );
});

itOnSqlite('reads SPT numbers and sources from indexes', async () => {
  const test = await buildTestApp();
  const sptRange = { userId: 'u', year: 2026, afterSpt: '', toSpt: 'z' };
  const bounds = 'user_id=? AND year=? AND spt_number>?';
  expect(await queryPlans(test, (orm) => findSptNumbers(orm, sptRange, 100))).toEqual([
    `SEARCH tax_records USING COVERING INDEX tax_records_user_year (${bounds})`,
  ]);
  expect(await queryPlans(test, (orm) => findTakenSptNumbers(orm, sptRange))).toEqual([
    `SEARCH tax_records USING COVERING INDEX tax_records_user_year (${bounds} AND spt_number<?)`,
  ]);
  const sources = [
    `SEARCH tax_records USING INDEX tax_records_user_year (${bounds} AND spt_number<?)`,
    'SEARCH successor USING INDEX tax_records_successor (predecessor_id=?) LEFT-JOIN',
  ].join('; ');
  const filter = { createdBeforeMs: 1, neverRolledOver: true } as const;
  expect(await queryPlans(test, (orm) => findSources(orm, sptRange, filter))).toEqual([sources]);
  expect(await queryPlans(test, (orm) => findSources(orm, sptRange, null))).toEqual([sources]);
});
