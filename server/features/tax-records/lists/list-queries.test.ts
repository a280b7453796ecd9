import { expect, it } from 'vitest';
import { isOverdue } from '#shared/domain/tax-records/overdue.ts';
import type { AdminRecordsQuery } from '#shared/api/tax-records/tax-records.ts';
import type { VerificationFilter } from '#shared/domain/tax-records/verification-states.ts';
import { buildTestUser, buildRecord } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
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
  const overdue = readOwnRecords(test.context.orm, { userId, overdueAt: today }, { limit: 1000, offset: 0 });
  const expected = rows.filter((row) => isOverdue(row, today)).map(({ id }) => id);
  expect(overdue.rows.map(({ record }) => record.id).toSorted()).toEqual(expected.toSorted());
  expect(overdue.total).toBe(expected.length);
  const ofAll = readAdminRecords(test.context.orm, { outstanding: true, today, limit: 1000, offset: 0 });
  expect(ofAll.rows.map(({ record }) => record.id).toSorted()).toEqual(expected.toSorted());
  expect(ofAll.all.count).toBe(expected.length);
});

it('reads own lists from the index of the owner without sorting', async () => {
  const test = await buildTestApp();
  const { orm } = test.context;
  const own = 'SEARCH tax_records USING INDEX tax_records_user (user_id=?)';
  const [list = ''] = queryPlans(test, () => readOwnRecords(orm, { userId: 'u' }, limitOffset));
  const [overduePlan = ''] = queryPlans(test, () =>
    readOwnRecords(orm, { userId: 'u', overdueAt: '2026-06-10' }, limitOffset),
  );
  const [ofYear = '', yearCount = ''] = queryPlans(test, () =>
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
  const [, ids, , rows] = queryPlans(test, () =>
    readAdminRecords(test.context.orm, { ...query, today, ...limitOffset }),
  );
  expect(ids).toBe(plan);
  expect(rows).not.toContain('SCAN');
});

it.each<[Partial<AdminRecordsQuery>, string]>([
  [{}, 'SCAN tax_records USING COVERING INDEX'],
  [{ status: 'lunas' }, 'SCAN tax_records USING COVERING INDEX'],
  [{ property_type: 'toko', status: 'lunas' }, 'SCAN tax_records USING COVERING INDEX tax_records_shares'],
  [{ year: 2025, status: 'lunas' }, 'SEARCH tax_records USING COVERING INDEX tax_records_shares (year=?)'],
  [{ unpaid: true }, 'SCAN tax_records USING COVERING INDEX'],
  [{ outstanding: true }, 'SCAN tax_records USING COVERING INDEX tax_records_shares'],
  [{ user_id: 'u', outstanding: true }, 'SEARCH tax_records USING INDEX tax_records_user'],
  [{ verification: ['pending'] }, 'SEARCH tax_records USING INDEX tax_records_check_state (check_state=?'],
  [{ verification: ['matched_unpaid'] }, 'SEARCH tax_records USING INDEX tax_records_check_state (check_state=?'],
  [{ verification: ['pending', 'matched_unpaid'] }, 'SCAN tax_records USING COVERING INDEX tax_records_shares'],
  [{ verification: ['pending'], year: 2025 }, 'SEARCH tax_records USING COVERING INDEX tax_records_shares (year=?)'],
])('sums the admins’ list for %o without reading rows of other owners', async (query, plan) => {
  const test = await buildTestApp();
  const [, , sums] = queryPlans(test, () => readAdminRecords(test.context.orm, { ...query, today, ...limitOffset }));
  expect(sums).toContain(plan);
});

it('searches the owners once and not once per record', async () => {
  const test = await buildTestApp();
  const [, ids] = queryPlans(test, () => readAdminRecords(test.context.orm, { search: 'budi', today, ...limitOffset }));
  expect(ids).toContain('SCAN tax_records USING INDEX tax_records_created; LIST SUBQUERY');
  expect(ids).not.toContain('CORRELATED');
  expect(ids).not.toContain('TEMP B-TREE');
});

it('finds single records and images by index', async () => {
  const test = await buildTestApp();
  const { orm } = test.context;
  const plans = queryPlans(test, () => {
    findRecord(orm, 'x');
    findProofOwner(orm, 'x');
    listUploadNames(orm);
    readUploadBytes(orm, 'u');
  });
  const [record, proof, , , , proofBytes, fileBytes] = plans;
  for (const plan of [record, proof, proofBytes, fileBytes]) expect(plan).not.toContain('SCAN');
  expect(proofBytes).toContain('COVERING INDEX tax_records_proof_bytes');
  expect(fileBytes).toContain('COVERING INDEX attachments_uploader');
});
