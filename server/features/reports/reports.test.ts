import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PropertyStatistics, ReportSummary } from '#shared/api/reports.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { REPORT_PERIODS, reportRange, type ReportPeriod } from '#shared/domain/dates/dates.ts';
import { taxRecords } from '#server/db/schema.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { buildAdmin, buildTestUser, buildRecord } from '#server/testing/factories.ts';
import { naiveChecked, naivePaid } from '#server/testing/naive-sums.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { hasMoreReportRecordsThan, readPropertyStatistics, readSummary } from './queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const LARGEST_SEN = 99_999_999_999_900;

async function fetchSummary(test: TestApp, token: string, query = ''): Promise<ReportSummary> {
  const answer = await test.call('GET', `/api/reports/summary${query}`, { token });
  expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Ringkasan laporan' } });
  return answer.body.data;
}

async function fetchPropertyTypes(test: TestApp, token: string, query = ''): Promise<PropertyStatistics[]> {
  const answer = await test.call('GET', `/api/reports/property${query}`, { token });
  expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Laporan jenis properti' } });
  return answer.body.data;
}

describe.each(['/api/reports/summary', '/api/reports/property'])('GET %s', (url) => {
  it('answers 401 without a session, before it checks the period', async () => {
    const test = await buildTestApp();
    expect(await test.call('GET', `${url}?dateRange=nonsense`)).toMatchObject({
      status: 401,
      body: { success: false, message: 'Sesi Anda telah berakhir. Silakan login kembali.' },
    });
  });

  it.each(['next_year', '', 'THIS_YEAR', 'this_year&dateRange=last_year'])(
    'refuses the period "%s"',
    async (period) => {
      const test = await buildTestApp();
      const { token } = buildTestUser(test);
      expect(await test.call('GET', `${url}?dateRange=${period}`, { token })).toMatchObject({
        status: 422,
        body: {
          success: false,
          message: 'Periode laporan tidak valid',
          errors: { dateRange: ['Periode laporan tidak valid'] },
        },
      });
    },
  );
});

describe('the summary', () => {
  it('sums only the own records, in rupiah', async () => {
    const test = await buildTestApp();
    const [budi, siti, admin] = [buildTestUser(test), buildTestUser(test), buildAdmin(test)];
    const paid = buildRecord(test, budi.id, { amountSen: 100_10, status: 'lunas', checkState: 'pending' });
    buildRecord(test, budi.id, { amountSen: 200_20, status: 'proses', checkState: 'pending' });
    buildRecord(test, siti.id, { amountSen: 999_99, status: 'lunas' });
    expect(await fetchSummary(test, budi.token)).toEqual({
      totalTax: 300.3,
      paidTax: 100.1,
      unpaidTax: 200.2,
      totalRecords: 2,
      paidInPeriod: naivePaid([]),
      checked: naiveChecked([paid]),
    });
    expect(await fetchSummary(test, admin.token)).toEqual({
      totalTax: 0,
      paidTax: 0,
      unpaidTax: 0,
      totalRecords: 0,
      paidInPeriod: naivePaid([]),
      checked: naiveChecked([]),
    });
  });

  it('sums the own payments of the period by their date, whenever the records were recorded', async () => {
    const test = await buildTestApp();
    test.clock.set('2026-06-10T05:00:00.000Z');
    const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
    const old = { status: 'lunas', createdAt: Date.parse('2024-05-05T00:00:00Z') } as const;
    const matched = { ...old, checkState: 'matched' } as const;
    const paid = [
      buildRecord(test, budi.id, { ...old, amountSen: LARGEST_SEN, paymentDate: '2026-01-01' }),
      buildRecord(test, budi.id, { ...matched, amountSen: 100_10, paymentDate: '2026-12-31' }),
    ];
    buildRecord(test, budi.id, { ...old, amountSen: 7_00, paymentDate: '2025-12-31' });
    buildRecord(test, budi.id, { ...old, amountSen: 5_00, paymentDate: null });
    buildRecord(test, siti.id, { ...old, amountSen: 999_99, paymentDate: '2026-03-03' });
    expect(await fetchSummary(test, budi.token)).toEqual({
      totalTax: 0,
      paidTax: 0,
      unpaidTax: 0,
      totalRecords: 0,
      paidInPeriod: naivePaid(paid),
      checked: naiveChecked([]),
    });
    expect((await fetchSummary(test, budi.token, '?dateRange=last_year')).paidInPeriod).toMatchObject({
      count: 1,
      amount: 7,
    });
  });

  it('selects by the time of creation, not by the year of the record', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildRecord(test, budi.id, { year: 2020 });
    expect((await fetchSummary(test, budi.token, '?dateRange=this_month')).totalRecords).toBe(1);
  });

  // The first and the last instant of each period in Jakarta (UTC+7), on 10 June 2026 unless said otherwise.
  it.each<[ReportPeriod, string, string, string?]>([
    ['this_month', '2026-05-31T17:00:00.000Z', '2026-06-30T16:59:59.999Z'],
    ['last_month', '2026-04-30T17:00:00.000Z', '2026-05-31T16:59:59.999Z'],
    ['this_quarter', '2026-03-31T17:00:00.000Z', '2026-06-30T16:59:59.999Z'],
    ['this_year', '2025-12-31T17:00:00.000Z', '2026-12-31T16:59:59.999Z'],
    ['last_year', '2024-12-31T17:00:00.000Z', '2025-12-31T16:59:59.999Z'],
    // January in Jakarta, December in UTC.
    ['this_month', '2026-12-31T17:00:00.000Z', '2027-01-31T16:59:59.999Z', '2026-12-31T17:00:00.000Z'],
    ['last_month', '2026-11-30T17:00:00.000Z', '2026-12-31T16:59:59.999Z', '2026-12-31T17:00:00.000Z'],
    ['this_year', '2025-12-31T17:00:00.000Z', '2026-12-31T16:59:59.999Z', '2026-12-31T16:59:59.999Z'],
    ['last_month', '2028-01-31T17:00:00.000Z', '2028-02-29T16:59:59.999Z', '2028-03-15T05:00:00.000Z'],
  ])('covers %s from %s to %s', async (period, first, last, now = '2026-06-10T05:00:00.000Z') => {
    const test = await buildTestApp();
    test.clock.set(now);
    const budi = buildTestUser(test);
    const [fromMs, lastMs] = [Date.parse(first), Date.parse(last)];
    buildRecord(test, budi.id, { createdAt: fromMs - 1, amountSen: 1_00 });
    buildRecord(test, budi.id, { createdAt: fromMs, amountSen: 20_00 });
    buildRecord(test, budi.id, { createdAt: lastMs, amountSen: 300_00 });
    buildRecord(test, budi.id, { createdAt: lastMs + 1, amountSen: 4000_00 });
    expect(await fetchSummary(test, budi.token, `?dateRange=${period}`)).toMatchObject({
      totalTax: 320,
      totalRecords: 2,
    });
  });

  it('covers this year when no period is given', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    buildRecord(test, budi.id, { createdAt: Date.parse('2025-12-31T16:59:59.999Z') });
    buildRecord(test, budi.id, { createdAt: Date.parse('2025-12-31T17:00:00.000Z') });
    expect((await fetchSummary(test, budi.token)).totalRecords).toBe(1);
  });
});

describe('the property report', () => {
  it('lists nothing without records', async () => {
    const test = await buildTestApp();
    buildRecord(test, buildTestUser(test).id);
    expect(await fetchPropertyTypes(test, buildTestUser(test).token)).toEqual([]);
  });

  it('lists the property types that occur, largest first, with label and share', async () => {
    const test = await buildTestApp();
    const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
    buildRecord(test, budi.id, { propertyType: 'toko', amountSen: 100_00 });
    buildRecord(test, budi.id, { propertyType: 'rumah_tinggal', amountSen: 150_00, status: 'lunas' });
    buildRecord(test, budi.id, { propertyType: 'rumah_tinggal', amountSen: 50_00 });
    buildRecord(test, budi.id, { propertyType: null, amountSen: 25 });
    buildRecord(test, budi.id, { propertyType: 'pabrik', amountSen: 0 });
    buildRecord(test, budi.id, { propertyType: 'lahan_kosong', createdAt: Date.parse('2025-06-01T00:00:00Z') });
    buildRecord(test, siti.id, { propertyType: 'gudang', amountSen: 999_00 });
    expect(await fetchPropertyTypes(test, budi.token, '?dateRange=this_year')).toEqual([
      { property: 'Rumah Tinggal', amount: 200, percentage: 66.6 },
      { property: 'Toko/Ruko', amount: 100, percentage: 33.3 },
      { property: 'Belum Ditentukan', amount: 0.25, percentage: 0.1 },
      { property: 'Pabrik', amount: 0, percentage: 0 },
    ]);
  });

  it('sorts equal amounts by label, and has shares of 0 when all amounts are 0', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    for (const propertyType of ['toko', 'kantor', 'gudang'] as const) {
      buildRecord(test, budi.id, { propertyType, amountSen: 0 });
    }
    expect(await fetchPropertyTypes(test, budi.token)).toEqual([
      { property: 'Gudang', amount: 0, percentage: 0 },
      { property: 'Kantor', amount: 0, percentage: 0 },
      { property: 'Toko/Ruko', amount: 0, percentage: 0 },
    ]);
  });
});

it('both reports equal a naive computation for any records and any period', async () => {
  const test = await buildTestApp();
  const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
  const labels = { rumah_tinggal: 'Rumah Tinggal', kantor: 'Kantor', toko: 'Toko/Ruko' } as const;
  const anyRecord = fc.record({
    isBudis: fc.boolean(),
    propertyType: fc.constantFrom(null, 'rumah_tinggal', 'kantor', 'toko'),
    amountSen: fc.oneof(fc.nat({ max: 10_000 }), fc.integer({ min: LARGEST_SEN - 1000, max: LARGEST_SEN })),
    status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
    checkState: fc.constantFrom(...VERIFICATION_STATES),
    paymentDate: fc.constantFrom(null, '2025-06-10', '2026-05-31', '2026-06-01'),
    daysAgo: fc.integer({ min: -40, max: 800 }),
  });
  const rupiah = (list: { amountSen: number }[]): number =>
    senSumToRupiah(list.reduce((sum, { amountSen }) => sum + BigInt(amountSen), 0n));
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRecord, { maxLength: 30 }),
      fc.constantFrom(...REPORT_PERIODS),
      async (list, period) => {
        test.database.direct.delete(taxRecords).run();
        const { fromMs, toMs, fromDate, toDate } = reportRange(period, 'Asia/Jakarta', test.clock.now());
        const rows = list.map(({ isBudis, daysAgo, paymentDate, ...fields }) =>
          buildRecord(test, isBudis ? budi.id : siti.id, {
            ...fields,
            paymentDate: fields.status === 'lunas' ? paymentDate : null,
            createdAt: test.clock.now() - daysAgo * 86_400_000,
          }),
        );
        const own = rows.filter(
          ({ userId, createdAt }) => userId === budi.id && createdAt >= fromMs && createdAt < toMs,
        );
        expect(await fetchSummary(test, budi.token, `?dateRange=${period}`)).toMatchObject({
          totalTax: rupiah(own),
          paidTax: rupiah(own.filter(({ status }) => status === 'lunas')),
          unpaidTax: rupiah(own.filter(({ status }) => status !== 'lunas')),
          totalRecords: own.length,
          checked: naiveChecked(own),
          paidInPeriod: naivePaid(
            rows.filter(
              ({ userId, paymentDate: date }) => userId === budi.id && date && date >= fromDate && date <= toDate,
            ),
          ),
        });
        const answered = await fetchPropertyTypes(test, budi.token, `?dateRange=${period}`);
        const occurring = [...new Set(own.map(({ propertyType }) => propertyType))];
        expect(new Map(answered.map((share) => [share.property, share.amount]))).toEqual(
          new Map(
            occurring.map((type) => [
              type === null ? 'Belum Ditentukan' : labels[type as keyof typeof labels],
              rupiah(own.filter(({ propertyType }) => propertyType === type)),
            ]),
          ),
        );
        expect(answered.map(({ amount }) => amount)).toEqual(
          answered.map(({ amount }) => amount).toSorted((a, b) => b - a),
        );
        for (const { amount, percentage } of answered) {
          expect(Math.abs(percentage - (100 * amount) / (rupiah(own) || 1))).toBeLessThan(0.051);
        }
      },
    ),
    { numRuns: 40 },
  );
});

it('both reports are the same from the query worker, for users with very many records', async () => {
  const test = await buildTestApp();
  const budi = buildTestUser(test);
  for (let index = 0; index < 2001; index += 1) {
    buildRecord(test, budi.id, { amountSen: LARGEST_SEN, propertyType: index % 3 ? 'toko' : null });
  }
  expect(await fetchSummary(test, budi.token)).toMatchObject({ totalTax: 2_000_999_999_997_999, totalRecords: 2001 });
  expect(await fetchPropertyTypes(test, budi.token)).toEqual([
    { property: 'Toko/Ruko', amount: 1_333_999_999_998_666, percentage: 66.7 },
    { property: 'Belum Ditentukan', amount: 666_999_999_999_333, percentage: 33.3 },
  ]);
});

itOnSqlite('both reports read only the records of the owner and the period', async () => {
  const test = await buildTestApp();
  const filter = { userId: 'u', fromMs: 1, toMs: 2, fromDate: '2026-01-01', toDate: '2026-12-31' };
  const search = 'SEARCH tax_records USING INDEX tax_records_user (user_id=? AND created_at>? AND created_at<?)';
  expect(await queryPlans(test, (orm) => readSummary(orm, filter))).toEqual([
    search,
    'SEARCH tax_records USING INDEX tax_records_user_year (user_id=?)',
  ]);
  expect(await queryPlans(test, (orm) => readPropertyStatistics(orm, filter))).toEqual([
    `${search}; USE TEMP B-TREE FOR GROUP BY`,
  ]);
  expect(await queryPlans(test, (orm) => hasMoreReportRecordsThan(orm, filter, 2000))).toEqual([
    search.replace('INDEX', 'COVERING INDEX'),
  ]);
});
