import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportOverview } from '#shared/api/reports.ts';
import { addDays, monthsOf, todayIn } from '#shared/domain/dates/dates.ts';
import { isOverdue } from '#shared/domain/tax-records/overdue.ts';
import { AMOUNT_SOURCES } from '#shared/domain/tax-records/record-values.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { taxRecords } from '#server/db/schema.ts';
import { buildAdmin, buildRecord, buildTestUser, type RecordRow } from '#server/testing/factories.ts';
import { naiveOverdue, naivePaid, naiveSum } from '#server/testing/naive-sums.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { readOverview } from './overview-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const URL = '/api/admin/reports/overview';
const LARGEST_SEN = 99_999_999_999_900;

async function fetchOverview(test: TestApp, token: string, query = ''): Promise<ReportOverview> {
  const answer = await test.call('GET', `${URL}${query}`, { token });
  expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Laporan seluruh data' } });
  return answer.body.data;
}

describe('GET /admin/reports/overview', () => {
  it('answers 401 without a session and 403 to users, before it checks the period', async () => {
    const test = await buildTestApp();
    expect((await test.call('GET', `${URL}?from=x`)).status).toBe(401);
    const answer = await test.call('GET', `${URL}?from=x`, { token: buildTestUser(test).token });
    expect(answer).toMatchObject({ status: 403, body: { message: 'Anda tidak memiliki akses' } });
    expect(answer.body.data).toBeUndefined();
  });

  it.each([
    ['from=2026-02-30', 'from', 'Periode laporan tidak valid'],
    ['to=30/09/2026', 'to', 'Periode laporan tidak valid'],
    ['from=2026-01-01T00:00:00Z', 'from', 'Periode laporan tidak valid'],
    ['from=2026-01-01&from=2026-01-01', 'from', 'Periode laporan tidak valid'],
    ['from=2026-06-11&to=2026-06-10', 'from', 'Tanggal awal tidak boleh setelah tanggal akhir'],
    ['from=1900-01-01&to=2000-01-01', 'from', 'Periode laporan paling lama 100 tahun'],
    ['from=0001-01-01&to=9999-12-31', 'from', 'Periode laporan paling lama 100 tahun'],
    ['from=x&to=y', 'from', 'Periode laporan tidak valid'],
    ['from=2026-02-30&to=2026-02-30', 'to', 'Periode laporan tidak valid'],
    ['to=9999-12-31', 'from', 'Periode laporan tidak valid'],
    ['from=0001-01-01&to=0001-12-31', 'from', 'Periode laporan tidak valid'],
  ])('refuses the period %s', async (query, field, message) => {
    const test = await buildTestApp();
    expect(await test.call('GET', `${URL}?${query}`, { token: buildAdmin(test).token })).toMatchObject({
      status: 422,
      body: { success: false, message, errors: { [field]: [message] } },
    });
  });

  it.each([
    // Today is 10 June 2026: what is not over is compared with the same days of the period before.
    ['', '2026-01-01', '2026-12-31', '2025-01-01', '2025-06-10'],
    ['?from=&to=', '2026-01-01', '2026-12-31', '2025-01-01', '2025-06-10'],
    ['?from=2026-06-08&to=2026-06-14', '2026-06-08', '2026-06-14', '2026-06-01', '2026-06-03'],
    ['?from=2026-06-05&to=2026-06-20', '2026-06-05', '2026-06-20', '2026-05-30', '2026-06-04'],
    ['?from=2025-01-01&to=2025-12-31', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
    ['?from=2025-03-10', '2025-03-10', '2025-12-31', '2024-05-17', '2025-03-09'],
    ['?to=2025-03-31', '2025-01-01', '2025-03-31', '2024-10-01', '2024-12-31'],
    ['?from=2026-06-10&to=2026-06-10', '2026-06-10', '2026-06-10', '2026-06-09', '2026-06-09'],
    ['?from=2026-05-01&to=2026-05-31', '2026-05-01', '2026-05-31', '2026-04-01', '2026-04-30'],
    ['?from=1900-01-01&to=1999-12-31', '1900-01-01', '1999-12-31', '1800-01-01', '1899-12-31'],
  ])('for "%s" covers %s to %s and compares it with %s to %s', async (query, from, to, previousFrom, previousTo) => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    const pay = (paymentDate: string, amountSen: number) =>
      buildRecord(test, budi.id, { status: 'lunas', paymentDate, amountSen });
    pay(addDays(previousFrom, -1), 1_00);
    pay(previousFrom, 10_00);
    pay(previousTo, 100_00);
    pay(from, 1000_00);
    pay(to, 10_000_00);
    pay(addDays(to, 1), 100_000_00);
    const { period, received } = await fetchOverview(test, admin.token, query);
    expect(period).toEqual({ from, to });
    expect(received).toMatchObject({
      count: 2,
      amount: 11_000,
      previous: { from: previousFrom, to: previousTo, count: 2, amount: 110 },
    });
  });

  it('takes this year from the time zone of the server', async () => {
    const test = await buildTestApp();
    test.clock.set('2026-12-31T17:00:00.000Z');
    expect((await fetchOverview(test, buildAdmin(test).token)).period).toEqual({
      from: '2027-01-01',
      to: '2027-12-31',
    });
  });

  it('sums what is unpaid and overdue today by tax year, whatever the period', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    buildRecord(test, budi.id, { year: 2026, amountSen: 100_10, status: 'lunas', paymentDate: '2026-01-02' });
    buildRecord(test, budi.id, { year: 2026, amountSen: 200_20, status: 'proses', dueDate: '2026-06-09' });
    buildRecord(test, budi.id, { year: 2026, amountSen: 400_40, dueDate: '2026-06-10' });
    buildRecord(test, budi.id, { year: 2024, amountSen: 800_80 });
    const overview = await fetchOverview(test, admin.token, '?from=2030-01-01&to=2030-01-31');
    expect(overview).toMatchObject({
      unpaid: { count: 3, amount: 1401.4 },
      overdue: { count: 2, amount: 1001 },
      by_year: [
        {
          year: 2026,
          total: { count: 3, amount: 700.7 },
          paid: { count: 1, amount: 100.1 },
          unpaid: { count: 2, amount: 600.6 },
          overdue: { count: 1, amount: 200.2 },
        },
        {
          year: 2024,
          total: { count: 1, amount: 800.8 },
          paid: { count: 0, amount: 0 },
          unpaid: { count: 1, amount: 800.8 },
          overdue: { count: 1, amount: 800.8 },
        },
      ],
      received: { count: 0 },
    });
  });

  it('lists every month of the period with what was due and what was paid in it', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    const build = (amountSen: number, fields: Partial<RecordRow>) =>
      buildRecord(test, budi.id, { amountSen, ...fields });
    const paid = build(1_00, { dueDate: '2026-05-31', status: 'lunas', paymentDate: '2026-06-01' });
    build(10_00, { dueDate: '2026-05-15', status: 'proses' });
    build(100_00, { dueDate: '2026-07-31' });
    // Outside of the period, or without a due date.
    build(1000_00, { dueDate: '2026-05-14' });
    build(10_000_00, { dueDate: '2026-08-01' });
    build(100_000_00, { dueDate: null, status: 'lunas', paymentDate: '2026-05-14' });
    const zero = { count: 0, amount: 0 };
    const { by_month } = await fetchOverview(test, admin.token, '?from=2026-05-15&to=2026-07-31');
    expect(by_month).toEqual([
      {
        month: '2026-05',
        due: {
          total: { count: 2, amount: 11 },
          paid: { count: 1, amount: 1 },
          unpaid: { count: 1, amount: 10 },
          overdue: { count: 1, amount: 10 },
        },
        received: naivePaid([]),
      },
      {
        month: '2026-06',
        due: { total: zero, paid: zero, unpaid: zero, overdue: zero },
        received: naivePaid([paid]),
      },
      {
        month: '2026-07',
        due: { total: { count: 1, amount: 100 }, paid: zero, unpaid: { count: 1, amount: 100 }, overdue: zero },
        received: naivePaid([]),
      },
    ]);
  });

  it('names the 20 owners with the largest overdue sums, exactly ordered', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    for (let index = 0; index < 25; index += 1) {
      const { id } = buildTestUser(test, { name: `Warga ${String(index).padStart(2, '0')}` });
      // One sen apart, and beyond what a floating-point number holds exactly.
      for (let copy = 0; copy < 100; copy += 1) buildRecord(test, id, { amountSen: LARGEST_SEN - index, year: 2020 });
      buildRecord(test, id, { amountSen: LARGEST_SEN, year: 2026 });
      buildRecord(test, id, { amountSen: LARGEST_SEN, year: 2020, status: 'lunas' });
    }
    const { top_overdue } = await fetchOverview(test, admin.token);
    expect(top_overdue.map(({ user }) => user.name)).toEqual(
      Array.from({ length: 20 }, (_, index) => `Warga ${String(index).padStart(2, '0')}`),
    );
    expect(top_overdue[1]).toMatchObject({ count: 100, amount: 99_999_999_999_899 });
    expect(top_overdue[1]?.user.id).toBe(top_overdue[1]?.user._id);
  });

  it('leaves out the records of an account that is being deleted', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    buildRecord(test, budi.id, { status: 'lunas', paymentDate: '2026-06-10', dueDate: '2026-06-10' });
    buildRecord(test, budi.id, { dueDate: '2026-06-01' });
    test.database.sqlite.prepare("insert into account_deletions values (?, 'a', 'Ratna', 1)").run(budi.id);
    const overview = await fetchOverview(test, admin.token, '?from=2026-06-01&to=2026-06-30');
    expect(overview).toMatchObject({
      received: { count: 0 },
      unpaid: { count: 0 },
      overdue: { count: 0 },
      by_year: [],
      by_month: [{ due: { total: { count: 0 } }, received: { count: 0 } }],
      top_overdue: [],
    });
  });

  it('equals the sums row by row for any records and any period', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const owners = [buildTestUser(test, { name: 'Budi' }), buildTestUser(test, { name: 'Siti' })] as const;
    const today = todayIn('Asia/Jakarta', test.clock.now());
    const anyDay = fc.integer({ min: -70, max: 30 }).map((days) => addDays(today, days));
    const anyRecord = fc.record({
      owner: fc.nat({ max: 1 }),
      amountSen: fc.oneof(fc.nat({ max: 10_000 }), fc.integer({ min: LARGEST_SEN - 1000, max: LARGEST_SEN })),
      status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
      checkState: fc.constantFrom(...VERIFICATION_STATES),
      amountSource: fc.constantFrom(...AMOUNT_SOURCES),
      dueDate: fc.option(anyDay, { nil: null }),
      paymentDate: anyDay,
      year: fc.integer({ min: 2024, max: 2027 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRecord, { maxLength: 30 }),
        anyDay,
        fc.nat({ max: 60 }),
        async (list, from, days) => {
          test.database.direct.delete(taxRecords).run();
          const rows = list.map(({ owner, paymentDate, ...fields }) =>
            buildRecord(test, owners[owner === 0 ? 0 : 1].id, {
              ...fields,
              paymentDate: fields.status === 'lunas' ? paymentDate : null,
            }),
          );
          const to = addDays(from, days);
          const inPeriod = (date: string | null): boolean => date !== null && date >= from && date <= to;
          const overview = await fetchOverview(test, admin.token, `?from=${from}&to=${to}`);
          const { previous, ...received } = overview.received;
          expect(received).toEqual(naivePaid(rows.filter(({ paymentDate }) => inPeriod(paymentDate))));
          expect(previous).toMatchObject(
            naivePaid(
              rows.filter(
                ({ paymentDate }) => paymentDate && paymentDate >= previous.from && paymentDate <= previous.to,
              ),
            ),
          );
          const overdue = rows.filter((row) => isOverdue(row, today));
          expect(overview.unpaid).toEqual(naiveSum(rows.filter(({ status }) => status !== 'lunas')));
          expect(overview.overdue).toEqual(naiveOverdue(overdue));
          const dueSums = (due: readonly RecordRow[]) => ({
            total: naiveSum(due),
            paid: naiveSum(due.filter(({ status }) => status === 'lunas')),
            unpaid: naiveSum(due.filter(({ status }) => status !== 'lunas')),
            overdue: naiveSum(due.filter((row) => isOverdue(row, today))),
          });
          const years = [...new Set(rows.map(({ year }) => year))].toSorted((a, b) => b - a);
          expect(overview.by_year).toEqual(
            years.map((year) => {
              const ofYear = rows.filter((row) => row.year === year);
              const paid = naivePaid(ofYear);
              return Object.assign(dueSums(ofYear), {
                year,
                paid,
                overdue: naiveOverdue(ofYear.filter((row) => isOverdue(row, today))),
              });
            }),
          );
          expect(overview.by_month).toEqual(
            monthsOf({ fromDate: from, toDate: to }).map((month) => ({
              month,
              due: dueSums(rows.filter(({ dueDate }) => inPeriod(dueDate) && dueDate?.startsWith(month))),
              received: naivePaid(
                rows.filter(({ paymentDate }) => inPeriod(paymentDate) && paymentDate?.startsWith(month)),
              ),
            })),
          );
          const ofOwners = owners
            .map(({ id, name }) => Object.assign(naiveOverdue(overdue.filter(({ userId }) => userId === id)), { name }))
            .filter(({ count }) => count > 0);
          expect(overview.top_overdue.map(({ user, ...sum }) => Object.assign(sum, { name: user.name }))).toEqual(
            ofOwners.toSorted((a, b) => b.amount - a.amount || a.name.localeCompare(b.name)),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  itOnSqlite(
    'reads kept sums and covering indexes, and sorts only one sum per owner and the few kept ones',
    async () => {
      const test = await buildTestApp();
      const filter = {
        period: { fromDate: '2026-01-01', toDate: '2026-12-31' },
        previous: { fromDate: '2025-01-01', toDate: '2025-12-31' },
        dates: { today: '2026-06-10', thisYear: 2026, sunday: '2026-06-14' },
        ownersMax: 20,
      };
      buildRecord(test, buildTestUser(test).id, { dueDate: '2026-06-01' });
      const plans = await queryPlans(test, (orm) => readOverview(orm, filter));
      expect(plans).toEqual([
        'SCAN account_deletions USING COVERING INDEX sqlite_autoindex_account_deletions_1',
        'SCAN record_version',
        // Of the sums that triggers keep, which are few.
        'SCAN tax_records USING INDEX record_sums_group; USE TEMP B-TREE FOR GROUP BY',
        'SEARCH tax_records USING COVERING INDEX tax_records_payment (payment_date>? AND payment_date<?)',
        'SCAN tax_records; USE TEMP B-TREE FOR GROUP BY',
        'SCAN tax_records USING COVERING INDEX tax_records_unpaid; USE TEMP B-TREE FOR ORDER BY',
        'SEARCH users USING INDEX sqlite_autoindex_users_1 (id=?)',
      ]);
    },
  );
});
