import { expect, it } from 'vitest';
import { isOverdue } from '#shared/domain/tax-records/overdue.ts';
import type { AdminRecordsQuery } from '#shared/api/tax-records/tax-records.ts';
import type { VerificationFilter } from '#shared/domain/tax-records/verification-states.ts';
import { buildTestUser, buildRecord } from '#server/testing/factories.ts';
import { planOf, preparedTexts, queryPlans } from '#server/testing/query-plan.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { readAdminRecords } from './admin-list-queries.ts';
import { readOwnRecords } from './list-queries.ts';
import { listUploadNames, readUploadBytes } from '#server/uploads/upload-queries.ts';
import { findProofOwner, findRecord } from '../queries.ts';

const limitOffset = { limit: 50, offset: 0 };
const today = '2026-06-10';

it('finds overdue records by the same rule as shared/domain/tax-records/overdue.ts', async () => {
  const test = await buildTestApp();
  const { id: userId } = buildTestUser(test);
  const rows = (['lunas', 'belum_lunas', 'proses'] as const).flatMap((status) =>
    [null, '2025-12-31', '2026-06-09', '2026-06-10', '2026-06-11', '2030-01-01'].flatMap((dueDate) =>
      [2024, 2025, 2026, 2027].map((year) => buildRecord(test, userId, { status, dueDate, year })),
    ),
  );
  const overdue = await readOwnRecords(test.context.orm, { userId, overdueAt: today }, { limit: 1000, offset: 0 });
  const expected = rows.filter((row) => isOverdue(row, today)).map(({ id }) => id);
  expect(overdue.rows.map(({ record }) => record.id).toSorted()).toEqual(expected.toSorted());
  expect(overdue.total).toBe(expected.length);
  const ofAll = await readAdminRecords(test.context.orm, { outstanding: true, today, limit: 1000, offset: 0 });
  expect(ofAll.rows.map(({ record }) => record.id).toSorted()).toEqual(expected.toSorted());
  expect(ofAll.all.count).toBe(expected.length);
});

it('reads own lists from the index of the owner without sorting', async () => {
  const test = await buildTestApp();
  const own = 'SEARCH tax_records USING INDEX tax_records_user (user_id=?)';
  const [list = ''] = await queryPlans(test, (orm) => readOwnRecords(orm, { userId: 'u' }, limitOffset));
  const [overduePlan = ''] = await queryPlans(test, (orm) =>
    readOwnRecords(orm, { userId: 'u', overdueAt: '2026-06-10' }, limitOffset),
  );
  const [ofYear = '', yearCount = ''] = await queryPlans(test, (orm) =>
    readOwnRecords(orm, { userId: 'u', year: 2025 }, limitOffset),
  );
  for (const plan of [list, overduePlan, ofYear]) {
    expect(plan).toContain(own);
    expect(plan).not.toContain('TEMP B-TREE');
    expect(plan).not.toContain('SCAN');
  }
  expect(yearCount).toContain('COVERING INDEX tax_records_user_year (user_id=? AND year=?)');
});

it.each<[Partial<AdminRecordsQuery>, string]>([
  [{}, 'SCAN tax_records USING COVERING INDEX tax_records_created'],
  [{ status: 'lunas' }, 'SEARCH tax_records USING COVERING INDEX tax_records_status (status=?)'],
  [{ property_type: 'toko' }, 'SEARCH tax_records USING COVERING INDEX tax_records_property (property_type=?)'],
  [{ year: 2025 }, 'SEARCH tax_records USING COVERING INDEX tax_records_year (year=?)'],
  [{ user_id: 'u' }, 'SEARCH tax_records USING COVERING INDEX tax_records_user (user_id=?)'],
  [{ user_id: 'u', status: 'lunas', year: 2025 }, 'SEARCH tax_records USING INDEX tax_records_user (user_id=?)'],
  // One state of the check: in the order of the list.
  ...['pending', 'matched_unpaid'].map((state): [Partial<AdminRecordsQuery>, string] => [
    { verification: [state as VerificationFilter] },
    'SEARCH tax_records USING COVERING INDEX tax_records_check_state (check_state=? AND created_at>?)',
  ]),
  [
    { verification: ['matched'], status: 'lunas', year: 2025 },
    'SEARCH tax_records USING INDEX tax_records_check_state (check_state=? AND created_at>?)',
  ],
  [{ verification: ['rejected', 'outdated'] }, 'SCAN tax_records USING COVERING INDEX tax_records_created'],
  [{ user_id: 'u', verification: ['pending'] }, 'SEARCH tax_records USING INDEX tax_records_user (user_id=?)'],
  [{ sort: 'amount' }, 'SCAN tax_records USING COVERING INDEX tax_records_amount'],
  [{ sort: '-year' }, 'SCAN tax_records USING COVERING INDEX tax_records_year'],
  [{ sort: 'due_date' }, 'SCAN tax_records USING COVERING INDEX tax_records_due'],
  [{ sort: '-due_date' }, 'SCAN tax_records USING COVERING INDEX tax_records_due'],
])('finds the page of the admins’ list for %o without sorting', async (query, plan) => {
  const test = await buildTestApp();
  buildTestUser(test, { id: 'u' });
  buildRecord(test, 'u', { status: 'lunas', propertyType: 'toko', year: 2025 });
  for (const checkState of ['pending', 'matched', 'rejected'] as const) {
    buildRecord(test, 'u', { checkState, status: 'proses' });
    buildRecord(test, 'u', { checkState, status: 'lunas', year: 2025 });
  }
  // The first query asks which accounts are being deleted.
  const [, ids, , rows] = await queryPlans(test, (orm) => readAdminRecords(orm, { ...query, today, ...limitOffset }));
  expect(ids).toBe(plan);
  expect(rows).not.toContain('SCAN');
});

/** The text of the query for the sums, after those for deletions and the page. */
async function sumQuery(test: TestApp, query: Partial<AdminRecordsQuery>): Promise<string> {
  const texts = await preparedTexts(test, (orm) => readAdminRecords(orm, { ...query, today, ...limitOffset }));
  const [, , sums = ''] = texts.filter((text) => text.startsWith('select'));
  return sums;
}

it.each<Partial<AdminRecordsQuery>>([
  {},
  { status: 'lunas' },
  { property_type: 'toko', status: 'lunas' },
  { year: 2025, status: 'lunas' },
  { unpaid: true },
  { outstanding: true },
  { verification: ['pending'] },
  { verification: ['pending', 'matched_unpaid'], year: 2025 },
  { due_from: '2025-01-01', due_to: '2026-01-01' },
])(
  'sums the admins’ list for %o from the kept sums, and from the records while an account is being deleted',
  async (query) => {
    const test = await buildTestApp();
    expect(await sumQuery(test, query)).toContain('from "record_sums" "tax_records"');
    test.database.sqlite.exec("insert into account_deletions values ('u', 'a', 'Ratna', 1)");
    expect(await sumQuery(test, query)).toContain('from "tax_records"');
  },
);

it.each<[Partial<AdminRecordsQuery>, string]>([
  [{ user_id: 'u', outstanding: true }, 'SEARCH tax_records USING INDEX tax_records_user'],
  [{ proof: true, year: 2025 }, 'SEARCH tax_records USING INDEX tax_records_proof'],
  [{ payment_from: '2025-01-01' }, 'SEARCH tax_records USING INDEX tax_records_payment'],
])('sums the admins’ list for %o from an index', async (query, plan) => {
  const test = await buildTestApp();
  const [, , sums] = await queryPlans(test, (orm) => readAdminRecords(orm, { ...query, today, ...limitOffset }));
  expect(sums).toContain(plan);
});

/** The plan of the query of a search that begins so. */
async function searchPlan(test: TestApp, query: Partial<AdminRecordsQuery>, beginning: string): Promise<string> {
  const texts = await preparedTexts(test, (orm) => readAdminRecords(orm, { ...query, today, ...limitOffset }));
  return planOf(test, texts.find((text) => text.startsWith(beginning)) ?? '');
}

it.each<Partial<AdminRecordsQuery>>([
  { search: 'budi' },
  { search: 'budi', year: 2025, status: 'lunas' },
  { search: 'budi', verification: ['pending'], due_from: '2025-01-01' },
])('sums what it finds for %o from short rows that the search index proposes', async (query) => {
  const test = await buildTestApp();
  const plan = await searchPlan(test, query, 'select json_group_array');
  expect(plan).toContain('SEARCH searched_records USING INTEGER PRIMARY KEY (rowid=?)');
  expect(plan).toContain('SCAN record_words VIRTUAL TABLE INDEX');
  expect(plan).toContain('SEARCH tax_records USING INTEGER PRIMARY KEY (rowid=?)');
});

it('reads once what it finds for a filter of which no sums are kept', async () => {
  const test = await buildTestApp();
  const plan = await searchPlan(test, { search: 'budi', proof: true }, 'with');
  expect(plan).toContain('MATERIALIZE found; SEARCH tax_records USING INTEGER PRIMARY KEY (rowid=?)');
  expect(plan.match(/SEARCH tax_records/g)).toHaveLength(1);
  expect(plan).toContain('SCAN record_words VIRTUAL TABLE INDEX');
});

it('searches the records of one owner without the search index', async () => {
  const test = await buildTestApp();
  const plan = await searchPlan(test, { search: 'budi', user_id: 'u' }, 'with');
  expect(plan).toMatch(/SEARCH tax_records USING INDEX tax_records_user\w* \(user_id=\?\)/);
  expect(plan).not.toContain('record_words');
});

it('finds single records and images by index', async () => {
  const test = await buildTestApp();
  const plans = await queryPlans(test, async (orm) => {
    await findRecord(orm, 'x');
    await findProofOwner(orm, 'x');
    await listUploadNames(orm);
    await readUploadBytes(orm, 'u');
  });
  const [record, proof, , , , , proofBytes, fileBytes] = plans;
  for (const plan of [record, proof, proofBytes, fileBytes]) expect(plan).not.toContain('SCAN');
  expect(proofBytes).toContain('COVERING INDEX tax_records_proof_bytes');
  expect(fileBytes).toContain('COVERING INDEX attachments_uploader');
});
