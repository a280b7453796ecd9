import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdminStatistics, OwnStatistics } from '#shared/api/tax-records/statistics.ts';
import { isOverdue } from '#shared/domain/tax-records/overdue.ts';
import { addDays, todayIn } from '#shared/domain/dates/dates.ts';
import { AMOUNT_SOURCES } from '#shared/domain/tax-records/record-values.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { taxRecords } from '#server/db/schema.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { buildAdmin, buildTestUser, buildRecord, type RecordRow } from '#server/testing/factories.ts';
import { naiveChecked, naiveOverdue, naivePaid, naiveSum } from '#server/testing/naive-sums.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { hasMoreRecordsThan, readAdminStatistics, readOwnStatistics } from './statistics-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const LARGEST_SEN = 99_999_999_999_900;

async function fetchOwnStatistics(test: TestApp, token: string): Promise<OwnStatistics> {
  const answer = await test.call('GET', '/api/tax-records/statistics', { token });
  expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Statistik data PBB' } });
  return answer.body.data;
}

async function fetchAdminStatistics(test: TestApp, token: string): Promise<AdminStatistics> {
  const answer = await test.call('GET', '/api/admin/statistics', { token });
  expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Statistik seluruh data' } });
  return answer.body.data;
}

const zeroChecked = naiveChecked([]);

const totalSen = (rows: readonly RecordRow[]): bigint =>
  rows.reduce((sum, { amountSen }) => sum + BigInt(amountSen), 0n);
const naiveObjects = (rows: readonly RecordRow[]): number =>
  new Set(rows.map(({ sptNumber }) => (sptNumber.match(/[0-9]/g) ?? []).join(''))).size;
/** The same statistics, summed slowly row by row. */
function naiveStatistics(rows: readonly RecordRow[]) {
  const paid = rows.filter(({ status }) => status === 'lunas');
  return {
    total_tax: senSumToRupiah(totalSen(rows)),
    paid_tax: senSumToRupiah(totalSen(paid)),
    unpaid_tax: senSumToRupiah(totalSen(rows) - totalSen(paid)),
    total_records: rows.length,
    checked: naiveChecked(rows),
  };
}
function naiveOwnStatistics(rows: readonly RecordRow[], today: string): OwnStatistics {
  const overdue = rows.filter((row) => isOverdue(row, today));
  const paid = rows.filter(({ status }) => status === 'lunas').length;
  const soonUntil = addDays(today, 30);
  const dueSoon = rows.filter(
    ({ status, dueDate }) => status !== 'lunas' && dueDate !== null && dueDate >= today && dueDate <= soonUntil,
  );
  const rejected = rows.filter(({ checkState }) => checkState === 'rejected');
  const firstOf = (dates: string[]) => dates.toSorted((a, b) => a.localeCompare(b))[0] ?? null;
  const onlyId = (some: readonly RecordRow[]) => (some.length === 1 ? (some[0]?.id ?? null) : null);
  return {
    ...naiveStatistics(rows),
    total_objects: naiveObjects(rows),
    paid_records: paid,
    unpaid_records: rows.length - paid,
    outstanding_amount: senSumToRupiah(totalSen(overdue)),
    outstanding_records: overdue.length,
    outstanding_estimated: naiveOverdue(overdue).estimated,
    outstanding_since: firstOf(overdue.flatMap(({ dueDate }) => dueDate ?? [])),
    outstanding_record_id: onlyId(overdue),
    due_soon: {
      records: dueSoon.length,
      amount: senSumToRupiah(totalSen(dueSoon)),
      due_date: firstOf(dueSoon.map(({ dueDate }) => dueDate ?? '')),
      record_id: onlyId(dueSoon),
    },
    rejected_records: rejected.length,
    rejected_record_id: onlyId(rejected),
  };
}

describe('GET /tax-records/statistics', () => {
  it('answers 401 without a session', async () => {
    const test = await buildTestApp();
    expect(await test.call('GET', '/api/tax-records/statistics')).toMatchObject({
      status: 401,
      body: { message: 'Sesi Anda telah berakhir. Silakan login kembali.' },
    });
  });

  it('answers zeros for a user without records', async () => {
    const test = await buildTestApp();
    buildRecord(test, buildTestUser(test).id);
    expect(await fetchOwnStatistics(test, buildTestUser(test).token)).toEqual({
      total_tax: 0,
      paid_tax: 0,
      unpaid_tax: 0,
      total_records: 0,
      total_objects: 0,
      paid_records: 0,
      unpaid_records: 0,
      outstanding_amount: 0,
      outstanding_records: 0,
      outstanding_estimated: { count: 0, amount: 0 },
      checked: zeroChecked,
      outstanding_since: null,
      outstanding_record_id: null,
      due_soon: { records: 0, amount: 0, due_date: null, record_id: null },
      rejected_records: 0,
      rejected_record_id: null,
    });
  });

  it('counts proses as unpaid and only own records, also for an admin', async () => {
    const test = await buildTestApp();
    const [budi, siti, admin] = [buildTestUser(test), buildTestUser(test), buildAdmin(test)];
    buildRecord(test, budi.id, { amountSen: 100_10, status: 'lunas', dueDate: '2026-12-31' });
    buildRecord(test, budi.id, { amountSen: 200_20, status: 'proses', dueDate: '2026-12-31' });
    const overdue = buildRecord(test, budi.id, { amountSen: 300_35, status: 'belum_lunas', dueDate: '2026-01-31' });
    buildRecord(test, siti.id, { amountSen: 999_99, status: 'lunas' });
    expect(await fetchOwnStatistics(test, budi.token)).toEqual({
      total_tax: 600.65,
      paid_tax: 100.1,
      unpaid_tax: 500.55,
      total_records: 3,
      total_objects: 3,
      paid_records: 1,
      unpaid_records: 2,
      outstanding_amount: 300.35,
      outstanding_records: 1,
      outstanding_estimated: { count: 0, amount: 0 },
      checked: { ...zeroChecked, office: { count: 1, amount: 100.1 } },
      outstanding_since: '2026-01-31',
      outstanding_record_id: overdue.id,
      due_soon: { records: 0, amount: 0, due_date: null, record_id: null },
      rejected_records: 0,
      rejected_record_id: null,
    });
    expect(await fetchOwnStatistics(test, admin.token)).toMatchObject({ total_records: 0, total_tax: 0 });
  });

  it.each([
    ['due yesterday', { dueDate: '2026-06-09' }, 1],
    ['due today', { dueDate: '2026-06-10' }, 0],
    ['due long ago but paid', { dueDate: '2020-01-01', status: 'lunas' }, 0],
    ['due long ago and in process', { dueDate: '2020-01-01', status: 'proses' }, 1],
    ['of last year without a due date', { year: 2025 }, 1],
    ['of this year without a due date', { year: 2026 }, 0],
    ['of last year with a due date to come', { year: 2025, dueDate: '2026-06-11' }, 0],
  ] as const)('what is %s is outstanding %#', async (_what, fields, expected) => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildRecord(test, budi.id, fields);
    expect((await fetchOwnStatistics(test, budi.token)).outstanding_records).toBe(expected);
  });

  it('names the unpaid records that are due within 30 days, and the only one of them by its id', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildRecord(test, budi.id, { amountSen: 100_00, dueDate: '2026-06-09' });
    buildRecord(test, budi.id, { amountSen: 200_00, dueDate: '2026-06-11', status: 'lunas' });
    buildRecord(test, budi.id, { amountSen: 300_00, dueDate: '2026-07-11' });
    const last = buildRecord(test, budi.id, { amountSen: 400_00, dueDate: '2026-07-10', status: 'proses' });
    const only = { records: 1, amount: 400, due_date: '2026-07-10', record_id: last.id };
    expect((await fetchOwnStatistics(test, budi.token)).due_soon).toEqual(only);
    buildRecord(test, budi.id, { amountSen: 500_00, dueDate: '2026-06-10' });
    buildRecord(test, budi.id, { amountSen: 600_00, dueDate: '2025-06-09' });
    expect(await fetchOwnStatistics(test, budi.token)).toMatchObject({
      outstanding_records: 2,
      outstanding_since: '2025-06-09',
      outstanding_record_id: null,
      due_soon: { records: 2, amount: 900, due_date: '2026-06-10', record_id: null },
    });
  });

  it('counts the own reports that the office refused, whatever their status is now, and names the only one', async () => {
    const test = await buildTestApp();
    const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
    const fetchRejected = async () => {
      const { rejected_records, rejected_record_id } = await fetchOwnStatistics(test, budi.token);
      return [rejected_records, rejected_record_id];
    };
    buildRecord(test, siti.id, { status: 'lunas', checkState: 'rejected' });
    for (const checkState of ['none', 'pending', 'matched', 'outdated'] as const) {
      buildRecord(test, budi.id, { status: 'lunas', checkState });
    }
    expect(await fetchRejected()).toEqual([0, null]);
    const { id } = buildRecord(test, budi.id, { status: 'belum_lunas', checkState: 'rejected' });
    expect(await fetchRejected()).toEqual([1, id]);
    buildRecord(test, budi.id, { status: 'lunas', checkState: 'rejected' });
    expect(await fetchRejected()).toEqual([2, null]);
  });

  it('names the oldest due date of the overdue records, whatever else has a date', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    const fetchSince = async () => (await fetchOwnStatistics(test, budi.token)).outstanding_since;
    buildRecord(test, budi.id, { dueDate: '2020-01-01', status: 'lunas' });
    buildRecord(test, budi.id, { dueDate: '2026-06-10' });
    buildRecord(test, budi.id, { year: 2021 });
    expect(await fetchSince()).toBeNull();
    buildRecord(test, budi.id, { dueDate: '2023-09-30' });
    buildRecord(test, budi.id, { dueDate: '2022-09-30', status: 'proses' });
    expect(await fetchSince()).toBe('2022-09-30');
  });

  it('counts a record as overdue from midnight in Jakarta', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildRecord(test, budi.id, { dueDate: '2026-06-10' });
    test.clock.set('2026-06-10T16:59:59.999Z');
    expect((await fetchOwnStatistics(test, budi.token)).outstanding_records).toBe(0);
    test.clock.set('2026-06-10T17:00:00.000Z');
    expect((await fetchOwnStatistics(test, budi.token)).outstanding_records).toBe(1);
  });

  it('answers the same from the query worker for a user with very many records', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    const rows = Array.from({ length: 2001 }, (_, index) =>
      buildRecord(test, budi.id, { amountSen: LARGEST_SEN - index, status: index % 3 ? 'lunas' : 'proses' }),
    );
    expect(await fetchOwnStatistics(test, budi.token)).toEqual(naiveOwnStatistics(rows, '2026-06-10'));
  });
});

describe('GET /admin/users/{id}/statistics', () => {
  it('answers an admin the same as the user', async () => {
    const test = await buildTestApp();
    const [budi, siti, admin] = [buildTestUser(test), buildTestUser(test), buildAdmin(test)];
    buildRecord(test, budi.id, { amountSen: 200_20, status: 'proses', dueDate: '2026-12-31' });
    buildRecord(test, budi.id, { amountSen: 300_35, status: 'belum_lunas', dueDate: '2026-01-31' });
    buildRecord(test, siti.id, { amountSen: 999_99, status: 'belum_lunas', dueDate: '2026-01-31' });
    const answer = await test.call('GET', `/api/admin/users/${budi.id}/statistics`, { token: admin.token });
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Statistik data PBB' } });
    expect(answer.body.data).toEqual(await fetchOwnStatistics(test, budi.token));
    expect(answer.body.data).toMatchObject({ outstanding_amount: 300.35, outstanding_records: 1, total_records: 2 });
  });

  it('answers 401 without a session, 403 to users, also about themselves, and 404 for an unknown id', async () => {
    const test = await buildTestApp();
    const [budi, admin] = [buildTestUser(test), buildAdmin(test)];
    const get = (id: string, token?: string) => test.call('GET', `/api/admin/users/${id}/statistics`, { token });
    expect((await get(budi.id)).status).toBe(401);
    const refused = await get(budi.id, budi.token);
    expect(refused).toMatchObject({ status: 403, body: { message: 'Anda tidak memiliki akses' } });
    expect(refused.body.data).toBeUndefined();
    expect(await get('x', admin.token)).toMatchObject({ status: 404, body: { message: 'User tidak ditemukan' } });
  });
});

describe('GET /admin/statistics', () => {
  it('answers 401 without a session and 403 to users', async () => {
    const test = await buildTestApp();
    expect((await test.call('GET', '/api/admin/statistics')).status).toBe(401);
    const answer = await test.call('GET', '/api/admin/statistics', { token: buildTestUser(test).token });
    expect(answer).toMatchObject({ status: 403, body: { message: 'Anda tidak memiliki akses' } });
    expect(answer.body.data).toBeUndefined();
  });

  it('counts all users and all records', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const budi = buildTestUser(test);
    buildTestUser(test, { isActive: false });
    const before = Date.parse('2019-01-01T00:00:00Z');
    buildRecord(test, budi.id, { amountSen: 100_10, status: 'lunas' });
    buildRecord(test, budi.id, { amountSen: 200_20, status: 'proses', createdAt: before });
    buildRecord(test, admin.id, { amountSen: 300_35, status: 'belum_lunas', createdAt: test.clock.now() + 1e12 });
    expect(await fetchAdminStatistics(test, admin.token)).toMatchObject({
      total_users: 3,
      active_users: 2,
      total_records: 3,
      lunas: 1,
      belum_lunas: 1,
      proses: 1,
      total_tax: 600.65,
      paid_tax: 100.1,
      unpaid_tax: 500.55,
      periods: { today: { total_tax: 100.1, paid_tax: 100.1, unpaid_tax: 0, total_records: 1 } },
    });
  });

  it.each([
    [['35.15.180.012.001-0034.0', '351518001200100340', ' 35 15 180 012 001 0034 0'], 1],
    [['35.15.180.012.001-0034.0', '35.15.180.012.001-0034.1'], 2],
    [['NOP 12', '12', '012'], 2],
    // Without digits the text counts, as it is written.
    [['belum ada', ' belum ada ', 'Belum ada', '-'], 3],
  ])('counts the records %j as %i objects, whoever owns them', async (numbers, expected) => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    for (const sptNumber of numbers) {
      buildRecord(test, budi.id, { sptNumber });
      buildRecord(test, admin.id, { sptNumber, year: 2020 });
    }
    const records = { total_records: 2 * numbers.length, total_objects: expected };
    expect(await fetchAdminStatistics(test, admin.token)).toMatchObject(records);
    expect(await fetchOwnStatistics(test, budi.token)).toMatchObject({ total_objects: expected });
  });

  it('sums by tax year, newest first, and by property type, largest first', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    buildRecord(test, budi.id, { amountSen: 100_10, status: 'lunas', year: 2024, propertyType: 'toko' });
    buildRecord(test, budi.id, { amountSen: 200_20, status: 'proses', year: 2025, propertyType: 'toko' });
    buildRecord(test, admin.id, { amountSen: 900_00, status: 'belum_lunas', year: 2025, propertyType: null });
    expect(await fetchAdminStatistics(test, admin.token)).toMatchObject({
      by_year: [
        { year: 2025, lunas: 0, total_records: 2, total_tax: 1100.2, paid_tax: 0 },
        { year: 2024, lunas: 1, total_records: 1, total_tax: 100.1, paid_tax: 100.1 },
      ],
      by_property: [
        { property_type: null, lunas: 0, total_records: 1, total_tax: 900, paid_tax: 0 },
        { property_type: 'toko', lunas: 1, total_records: 2, total_tax: 300.3, paid_tax: 100.1 },
      ],
    });
  });

  // Wednesday, 10 June 2026 in Jakarta (UTC+7): the last instant outside and the first inside of every period.
  it.each([
    ['2024-12-31T16:59:59.999Z', []],
    ['2024-12-31T17:00:00.000Z', ['year.previous']],
    ['2025-12-31T16:59:59.999Z', ['year.previous']],
    ['2025-12-31T17:00:00.000Z', ['year']],
    ['2026-04-30T16:59:59.999Z', ['year']],
    ['2026-04-30T17:00:00.000Z', ['year', 'month.previous']],
    ['2026-05-31T16:59:59.999Z', ['year', 'month.previous']],
    ['2026-05-31T17:00:00.000Z', ['year', 'month', 'week.previous']],
    ['2026-06-07T16:59:59.999Z', ['year', 'month', 'week.previous']],
    ['2026-06-07T17:00:00.000Z', ['year', 'month', 'week']],
    ['2026-06-08T17:00:00.000Z', ['year', 'month', 'week', 'today.previous']],
    ['2026-06-09T16:59:59.999Z', ['year', 'month', 'week', 'today.previous']],
    ['2026-06-09T17:00:00.000Z', ['year', 'month', 'week', 'today']],
    ['2026-06-10T16:59:59.999Z', ['year', 'month', 'week', 'today']],
    ['2026-06-10T17:00:00.000Z', ['year', 'month', 'week']],
    ['2026-06-14T17:00:00.000Z', ['year', 'month']],
    ['2026-06-30T17:00:00.000Z', ['year']],
    ['2026-12-31T17:00:00.000Z', []],
  ])('counts a record that was created at %s in %j', async (instant, expected) => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    buildRecord(test, admin.id, { createdAt: Date.parse(instant) });
    const { periods } = await fetchAdminStatistics(test, admin.token);
    const found = Object.entries(periods)
      .flatMap(([name, { previous, ...current }]) => [
        { name, current },
        { name: `${name}.previous`, current: previous },
      ])
      .filter(({ current }) => current.total_records > 0)
      .map(({ name }) => name);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  // Wednesday, 10 June 2026: the last day outside and the first inside of every period, by the day of the payment. The period
  // before counts only as far as the current one has gone.
  it.each([
    ['2024-12-31', []],
    ['2025-01-01', ['year.previous']],
    ['2025-06-10', ['year.previous']],
    ['2025-06-11', []],
    ['2025-12-31', []],
    ['2026-01-01', ['year']],
    ['2026-04-30', ['year']],
    ['2026-05-01', ['year', 'month.previous']],
    ['2026-05-10', ['year', 'month.previous']],
    ['2026-05-11', ['year']],
    ['2026-05-31', ['year']],
    ['2026-06-01', ['year', 'month', 'week.previous']],
    ['2026-06-03', ['year', 'month', 'week.previous']],
    ['2026-06-04', ['year', 'month']],
    ['2026-06-07', ['year', 'month']],
    ['2026-06-08', ['year', 'month', 'week']],
    ['2026-06-09', ['year', 'month', 'week', 'today.previous']],
    ['2026-06-10', ['year', 'month', 'week', 'today']],
    ['2026-06-14', ['year', 'month', 'week']],
    ['2026-06-15', ['year', 'month']],
    ['2026-12-31', ['year']],
    ['2027-01-01', []],
  ])('counts a payment of %s in %j, whenever it was recorded', async (paymentDate, expected) => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const createdAt = Date.parse('2019-01-01T00:00:00Z');
    buildRecord(test, admin.id, { status: 'lunas', amountSen: 12_345, paymentDate, createdAt });
    buildRecord(test, admin.id, { status: 'lunas', amountSen: 99_900, paymentDate: null });
    const { payments } = await fetchAdminStatistics(test, admin.token);
    const found = Object.entries(payments)
      .flatMap(([name, { previous, ...current }]) => [
        { name, sum: current },
        { name: `${name}.previous`, sum: previous },
      ])
      .filter(({ sum }) => sum.count > 0);
    expect(found.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
    for (const { sum } of found) expect(sum).toMatchObject({ count: 1, amount: 123.45 });
  });

  it.each([
    ['in process', { status: 'proses' }, ['reported']],
    ['in process and overdue', { status: 'proses', dueDate: '2026-06-09' }, ['overdue', 'reported']],
    ['overdue since yesterday', { dueDate: '2026-06-09' }, ['overdue']],
    ['due today', { dueDate: '2026-06-10' }, ['due_this_week']],
    ['due today, in process', { dueDate: '2026-06-10', status: 'proses' }, ['due_this_week', 'reported']],
    ['due on Sunday', { dueDate: '2026-06-14' }, ['due_this_week']],
    ['due on the Monday after', { dueDate: '2026-06-15' }, []],
    ['due this week, but paid', { dueDate: '2026-06-12', status: 'lunas' }, []],
    ['of last year without a due date', { year: 2025 }, ['overdue']],
    ['of this year without a due date', { year: 2026 }, []],
  ] as const)('names a record that is %s as a task %#', async (_what, fields, expected) => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    buildRecord(test, buildTestUser(test).id, { year: 2026, amountSen: 12_345, ...fields });
    const { tasks } = await fetchAdminStatistics(test, admin.token);
    const found = Object.entries(tasks).filter(([, sum]) => sum.count > 0);
    expect(found.map(([name]) => name).toSorted()).toEqual(expected);
    for (const [, sum] of found) expect(sum).toMatchObject({ count: 1, amount: 123.45 });
  });

  it('ends the week on Sunday, in the time zone of the server', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    buildRecord(test, admin.id, { dueDate: '2026-06-15' });
    const dueThisWeek = async () => (await fetchAdminStatistics(test, admin.token)).tasks.due_this_week.count;
    test.clock.set('2026-06-14T16:59:59.999Z');
    expect(await dueThisWeek()).toBe(0);
    test.clock.set('2026-06-14T17:00:00.000Z');
    expect(await dueThisWeek()).toBe(1);
  });

  it('leaves out the records of an account that is being deleted', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    buildRecord(test, budi.id, { status: 'lunas', paymentDate: '2026-06-10' });
    buildRecord(test, budi.id, { dueDate: '2026-06-01' });
    test.database.sqlite.prepare("insert into account_deletions values (?, 'a', 'Ratna', 1)").run(budi.id);
    expect(await fetchAdminStatistics(test, admin.token)).toMatchObject({
      total_records: 0,
      payments: { today: { count: 0 } },
      tasks: { overdue: { count: 0 } },
    });
  });

  it('gives many simultaneous calls the same answer', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    buildRecord(test, admin.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchAdminStatistics(test, admin.token)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

describe('both statistics', () => {
  it('equal the sums row by row for any records', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const users = [buildTestUser(test), buildTestUser(test)] as const;
    const anyRecord = fc.record({
      owner: fc.nat({ max: 1 }),
      amountSen: fc.oneof(fc.nat({ max: 10_000 }), fc.integer({ min: LARGEST_SEN - 1000, max: LARGEST_SEN })),
      status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
      checkState: fc.constantFrom(...VERIFICATION_STATES),
      amountSource: fc.constantFrom(...AMOUNT_SOURCES),
      sptNumber: fc.constantFrom('35.15-0001.0', '351500010', '35 15 0001 0', '3515.0002', '7'),
      dueDate: fc.constantFrom(null, '2026-06-09', '2026-06-10', '2027-01-01'),
      year: fc.integer({ min: 2024, max: 2027 }),
      paidDaysAgo: fc.integer({ min: -10, max: 400 }),
      daysAgo: fc.integer({ min: -3, max: 800 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 40 }), async (list) => {
        test.database.direct.delete(taxRecords).run();
        const at = test.clock.now();
        const today = todayIn('Asia/Jakarta', at);
        const rows = list.map(({ owner, daysAgo, paidDaysAgo, ...fields }) =>
          buildRecord(test, users[owner === 0 ? 0 : 1].id, {
            ...fields,
            paymentDate: fields.status === 'lunas' ? addDays(today, -paidDaysAgo) : null,
            createdAt: at - daysAgo * 86_400_000,
          }),
        );
        for (const { id, token } of users) {
          const own = rows.filter(({ userId }) => userId === id);
          expect(await fetchOwnStatistics(test, token)).toEqual(naiveOwnStatistics(own, today));
        }
        const statistics = await fetchAdminStatistics(test, admin.token);
        expect(statistics).toMatchObject(naiveStatistics(rows));
        const createdBetween = (from: string, to: string) =>
          naiveStatistics(
            rows.filter(({ createdAt }) => {
              const day = todayIn('Asia/Jakarta', createdAt);
              return day >= from && day <= to;
            }),
          );
        expect(statistics.periods.year).toEqual({
          ...createdBetween('2026-01-01', '2026-12-31'),
          previous: createdBetween('2025-01-01', '2025-12-31'),
          previous_same_days: createdBetween('2025-01-01', '2025-06-10'),
        });
        const paidBetween = (from: string, to: string) =>
          naivePaid(rows.filter(({ paymentDate: date }) => date !== null && date >= from && date <= to));
        expect(statistics.payments.month).toEqual({
          ...paidBetween('2026-06-01', '2026-06-30'),
          previous: paidBetween('2026-05-01', '2026-05-10'),
        });
        expect(statistics.tasks).toEqual({
          reported: naiveSum(rows.filter(({ status }) => status === 'proses')),
          overdue: naiveOverdue(rows.filter((row) => isOverdue(row, today))),
          due_this_week: naiveSum(rows.filter(({ status, dueDate }) => status !== 'lunas' && dueDate === '2026-06-10')),
          to_check: naiveSum(rows.filter(({ checkState }) => checkState === 'pending')),
          matched_unpaid: naiveSum(
            rows.filter(({ status, checkState }) => checkState === 'matched' && status !== 'lunas'),
          ),
        });
        const yesterday = createdBetween('2026-06-09', '2026-06-09');
        expect(statistics.periods.today).toEqual({
          ...createdBetween('2026-06-10', '2026-06-10'),
          previous: yesterday,
          previous_same_days: yesterday,
        });
        expect(statistics.periods.week.previous_same_days).toEqual(createdBetween('2026-06-01', '2026-06-03'));
        expect(statistics.periods.month.previous_same_days).toEqual(createdBetween('2026-05-01', '2026-05-10'));
        expect(statistics.checked).toEqual(naiveChecked(rows));
        expect(statistics.total_objects).toBe(naiveObjects(rows));
        for (const { year, checked } of statistics.by_year) {
          expect(checked).toEqual(naiveChecked(rows.filter((row) => row.year === year)));
        }
      }),
      { numRuns: 40 },
    );
  });

  itOnSqlite('read indexes', async () => {
    const test = await buildTestApp();
    const created = 'SEARCH tax_records USING COVERING INDEX tax_records_created';
    const dates = { today: '2026-06-10', thisYear: 2026, sunday: '2026-06-14' };
    const paidBetween = { fromDate: '2025-01-01', toDate: '2026-12-31' };
    expect(
      await queryPlans(test, (orm) => readAdminStatistics(orm, { boundsMs: [3, 1, 2], dates, paidBetween })),
    ).toEqual([
      'SCAN account_deletions USING COVERING INDEX sqlite_autoindex_account_deletions_1',
      'SCAN users USING COVERING INDEX users_role',
      'SCAN record_version',
      'SCAN tax_records USING COVERING INDEX tax_records_user_year',
      `${created} (created_at>? AND created_at<?)`,
      // Of the sums that triggers keep, which are few.
      'SCAN tax_records USING INDEX record_sums_group; USE TEMP B-TREE FOR GROUP BY',
      'SEARCH tax_records USING COVERING INDEX tax_records_payment (payment_date>? AND payment_date<?)',
    ]);
    const filter = { userId: 'u', today: '2026-06-10', soonUntil: '2026-07-10', thisYear: 2026 };
    const [own, objects] = await queryPlans(test, (orm) => readOwnStatistics(orm, filter));
    expect(objects).toBe('SEARCH tax_records USING COVERING INDEX tax_records_user_year (user_id=?)');
    expect(own).toMatch(/^SEARCH tax_records USING INDEX tax_records_user\w* \(user_id=\?\)$/);
    const [many] = await queryPlans(test, (orm) => hasMoreRecordsThan(orm, 'u', 2000));
    expect(many).toMatch(/^SEARCH tax_records USING COVERING INDEX tax_records_user\w* \(user_id=\?\)$/);
  });
});
