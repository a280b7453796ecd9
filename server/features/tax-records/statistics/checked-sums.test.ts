import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReportOverview, ReportSummary } from '#shared/api/reports.ts';
import type { AdminStatistics, OwnStatistics } from '#shared/api/tax-records/statistics.ts';
import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import type { ListSums, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { isOverdue } from '#shared/domain/tax-records/overdue.ts';
import { taxRecords } from '#server/db/schema.ts';
import { checkStateOf } from '#server/records/verification-state.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import {
  buildAdmin,
  buildRecord,
  buildTestUser,
  type RecordRow,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { sendFiles, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { isPaidRow, naiveChecked, naiveOverdue, naivePaid, naiveSum } from '#server/testing/naive-sums.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const TODAY = '2026-06-10';
const HISTORIES = 500;

const anyAct = fc.record({
  kind: fc.constantFrom(
    ...(['create', 'create', 'create', 'edit', 'adminEdit', 'match', 'match', 'reject', 'undo'] as const),
    ...([
      'bulk',
      'bulkUndo',
      'matchPaid',
      'rejectUnpaid',
      'rollover',
      'chosenCopy',
      'fromMessage',
      'remove',
      'proof',
    ] as const),
  ),
  owner: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 20 }),
  status: fc.constantFrom('lunas', 'lunas', 'proses', 'belum_lunas'),
  amount: fc.oneof(
    fc.integer({ min: 1, max: 100_000 }).map((sen) => sen / 100),
    fc.constant(999_999_999_999),
  ),
  paid: fc.constantFrom(TODAY, '2026-06-01', '2026-01-01', '2025-06-10', '2025-12-31'),
});
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;

const proof = { bytes: buildImage() };

/** Sends one act through the API; one that the server refuses changes nothing. */
async function perform(test: TestApp, admin: SignedInUser, owners: readonly SignedInUser[], act: Act): Promise<void> {
  const rows = readRows(test);
  const row = rows[act.pick % Math.max(1, rows.length)];
  const owner = owners.find(({ id }) => id === row?.userId) ?? owners[act.owner];
  const payment_date = act.status === 'lunas' ? act.paid : null;
  const change = { status: act.status, payment_date };
  const call = async (who: SignedInUser | undefined, method: string, path: string, body?: unknown): Promise<void> => {
    const form = act.kind === 'proof' ? buildForm({}, proof) : { body };
    const { status } = await test.call(method, `/api${path}`, { token: who?.token, ...form });
    expect(status).toBeLessThan(500);
  };
  test.clock.advance(1000);
  if (act.kind === 'create') {
    const fields = { name: 'Budi', address: 'Jl. Melati 1', spt_number: `32.71-${act.pick % 5}`, amount: act.amount };
    return call(owners[act.owner], 'POST', '/tax-records', { ...fields, ...change, due_date: act.paid });
  }
  if (act.kind === 'rollover') return call(owners[act.owner], 'POST', '/tax-records/auto-create', { year: 2026 });
  if (!row) return undefined;
  const { updated_at } = versionOf(row);
  const [own, ofAdmin] = [`/tax-records/${row.id}`, `/admin/tax-records/${row.id}`];
  const check = (body: object) => call(admin, 'POST', `${ofAdmin}/verification`, { ...body, updated_at });
  switch (act.kind) {
    case 'edit':
      return call(owner, 'PUT', own, { amount: act.amount, ...change });
    case 'adminEdit':
      return call(admin, 'PUT', ofAdmin, { amount: act.amount, ...change });
    case 'match':
      return check({ result: 'matched' });
    case 'matchPaid':
      return check({ result: 'matched', status: 'lunas', payment_date: act.paid });
    case 'rejectUnpaid':
      return check({ result: 'rejected', reason: 'Foto buram', status: 'belum_lunas' });
    case 'chosenCopy': {
      const records = [{ source_id: row.id, amount: act.amount }];
      return call(owner, 'POST', '/tax-records/auto-create', { year: row.year + 1, records });
    }
    case 'fromMessage': {
      const photo = await uploadFile(test, owner ?? admin, { file: { bytes: buildImage(), filename: 'bukti.png' } });
      await sendFiles(test, owner ?? admin, admin, [photo]);
      return call(admin, 'POST', `${ofAdmin}/payment-proof/from-message`, { attachment_id: photo.id, ...change });
    }
    case 'reject':
      return check({ result: 'rejected', reason: 'Foto buram' });
    case 'undo':
      return call(admin, 'DELETE', `${ofAdmin}/verification`, { updated_at });
    case 'remove':
      return call(owner, 'DELETE', own);
    case 'proof':
      return call(owner, 'POST', `${own}/payment-proof`);
    case 'bulk':
      return call(admin, 'POST', '/admin/tax-records/bulk', {
        changes: rows.map((one) => ({ ...versionOf(one), ...change })),
      });
    case 'bulkUndo': {
      const states = () =>
        readRows(test).map(({ id, status, paymentDate, checkState }) => ({ id, status, paymentDate, checkState }));
      const before = states();
      await call(admin, 'POST', '/admin/tax-records/bulk', {
        changes: rows.map((one) => ({ ...versionOf(one), ...change })),
      });
      const changes = readRows(test).map((one) => {
        const was = rows.find(({ id }) => id === one.id) ?? one;
        return Object.assign(versionOf(one), { status: was.status, payment_date: was.paymentDate, undo: true });
      });
      await call(admin, 'POST', '/admin/tax-records/bulk', { changes });
      expect(states()).toEqual(before);
    }
  }
}

const versionOf = ({ id, updatedAt }: RecordRow) => ({ id, updated_at: new Date(updatedAt).toISOString() });

/** The stored rows, with the state that their reports and checks say, and not the stored one. */
const readRows = (test: TestApp): RecordRow[] =>
  test.database.direct
    .select()
    .from(taxRecords)
    .orderBy(taxRecords.id)
    .all()
    .map((row) => Object.assign(row, { checkState: checkStateOf(row) }));

const between = (rows: readonly RecordRow[], from: string, to: string): RecordRow[] =>
  rows.filter(({ paymentDate: date }) => date !== null && date >= from && date <= to);

/** The parts add up, in sen: fewer than a double holds exactly. */
function expectParts(checked: CheckedSums, count: number | undefined, amount: number): void {
  const parts = Object.values(checked);
  const senOf = (rupiah: number): number => Math.round(rupiah * 100);
  expect(parts.reduce((sum, part) => sum + senOf(part.amount), 0)).toBe(senOf(amount));
  if (count !== undefined) expect(parts.reduce((sum, part) => sum + part.count, 0)).toBe(count);
}

async function expectSums(test: TestApp, admin: SignedInUser, owners: readonly SignedInUser[]): Promise<void> {
  const rows = readRows(test);
  const overdue = rows.filter((row) => isOverdue(row, TODAY));
  const read = async <T>(who: SignedInUser, path: string): Promise<T> =>
    (await test.call('GET', `/api${path}`, { token: who.token })).body.data;
  const [statistics, overview, list] = await Promise.all([
    read<AdminStatistics>(admin, '/admin/statistics'),
    read<ReportOverview>(admin, '/admin/reports/overview'),
    read<ListSums & { data: TaxRecord[]; total: number }>(admin, '/admin/tax-records'),
  ]);
  expect(statistics.checked).toEqual(naiveChecked(rows));
  expectParts(statistics.checked, statistics.lunas, statistics.paid_tax);
  // Everything was recorded today.
  for (const { checked, paid_tax } of Object.values(statistics.periods)) {
    expect(checked).toEqual(naiveChecked(rows));
    expectParts(checked, undefined, paid_tax);
  }
  const inYear = naivePaid(between(rows, '2026-01-01', '2026-12-31'));
  const yearBefore = naivePaid(between(rows, '2025-01-01', TODAY.replace('2026', '2025')));
  expect(statistics.payments.year).toEqual({ ...inYear, previous: yearBefore });
  expect(statistics.payments.today).toMatchObject(naivePaid(between(rows, TODAY, TODAY)));
  expect(statistics.tasks).toMatchObject({
    overdue: naiveOverdue(overdue),
    to_check: naiveSum(rows.filter(({ checkState }) => checkState === 'pending')),
    matched_unpaid: naiveSum(rows.filter((row) => row.checkState === 'matched' && !isPaidRow(row))),
  });
  expect(overview.received).toMatchObject({ ...inYear, previous: yearBefore });
  expect(overview.overdue).toEqual(naiveOverdue(overdue));
  for (const { year, paid } of overview.by_year) {
    expect(paid).toEqual(naivePaid(rows.filter((row) => row.year === year)));
  }
  for (const { month, received } of overview.by_month) {
    expect(received).toEqual(naivePaid(between(rows, `${month}-01`, `${month}-31`)));
    expectParts(received.checked, received.count, received.amount);
  }
  expect(list).toMatchObject({ total: rows.length, checked: naiveChecked(rows) });
  expect(new Map(list.data.map(({ id, verification }) => [id, verification.state]))).toEqual(
    new Map(rows.map(({ id, checkState }) => [id, checkState])),
  );
  for (const owner of owners) {
    const own = rows.filter(({ userId }) => userId === owner.id);
    const [ofOwner, seenByAdmin, summary] = await Promise.all([
      read<OwnStatistics>(owner, '/tax-records/statistics'),
      read<OwnStatistics>(admin, `/admin/users/${owner.id}/statistics`),
      read<ReportSummary>(owner, '/reports/summary'),
    ]);
    expect(ofOwner.checked).toEqual(naiveChecked(own));
    expectParts(ofOwner.checked, ofOwner.paid_records, ofOwner.paid_tax);
    expect(seenByAdmin).toEqual(ofOwner);
    expect(summary.checked).toEqual(naiveChecked(own));
    expectParts(summary.checked, undefined, summary.paidTax);
    expect(summary.paidInPeriod).toEqual(naivePaid(between(own, '2026-01-01', '2026-12-31')));
  }
}

it(`splits every sum of paid money exactly after each of ${HISTORIES} random histories`, async () => {
  const test = await buildTestApp({
    settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false },
  });
  const admin = buildAdmin(test);
  const owners = [buildTestUser(test), buildTestUser(test)];
  const start = test.clock.now();
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 3, maxLength: 8 }), async (acts) => {
      test.database.direct.delete(taxRecords).run();
      test.clock.set(start);
      for (const act of acts) await perform(test, admin, owners, act);
      await expectSums(test, admin, owners);
    }),
    { numRuns: HISTORIES },
  );
});

it('adds only fields: a client that ignores them sees the numbers that it saw before', async () => {
  const test = await buildTestApp();
  const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
  for (const checkState of VERIFICATION_STATES) {
    buildRecord(test, budi.id, { checkState, status: 'lunas', amountSen: 100_10, paymentDate: TODAY, year: 2026 });
    buildRecord(test, budi.id, { checkState, status: 'proses', amountSen: 7, dueDate: TODAY, year: 2026 });
  }
  const read = async (who: SignedInUser, path: string): Promise<object> =>
    (await test.call('GET', `/api${path}`, { token: who.token })).body.data;
  const paid = { count: 5, amount: 500.5 };
  const unpaid = { count: 5, amount: 0.35 };
  const nothing = { count: 0, amount: 0 };
  const totals = { total_tax: 500.85, paid_tax: 500.5, unpaid_tax: 0.35, total_records: 10 };
  const period = { ...totals, previous: { total_tax: 0, paid_tax: 0, unpaid_tax: 0, total_records: 0 } };
  const payments = { ...paid, previous: nothing };
  const group = { lunas: 5, total_records: 10, total_tax: 500.85, paid_tax: 500.5 };
  expect(withoutAddedFields(await read(admin, '/admin/statistics'))).toEqual({
    ...totals,
    total_users: 2,
    active_users: 2,
    lunas: 5,
    belum_lunas: 0,
    proses: 5,
    periods: { today: period, week: period, month: period, year: period },
    payments: { today: payments, week: payments, month: payments, year: payments },
    tasks: {
      reported: unpaid,
      overdue: nothing,
      due_this_week: unpaid,
      to_check: { count: 2, amount: 100.17 },
    },
    by_year: [{ year: 2026, ...group }],
    by_property: [{ property_type: null, ...group }],
  });
  expect(withoutAddedFields(await read(budi, '/tax-records/statistics'))).toEqual({
    ...totals,
    paid_records: 5,
    unpaid_records: 5,
    outstanding_amount: 0,
    outstanding_records: 0,
    outstanding_since: null,
    outstanding_record_id: null,
    due_soon: { records: 5, amount: 0.35, due_date: TODAY, record_id: null },
  });
  expect(withoutAddedFields(await read(budi, '/reports/summary'))).toEqual({
    totalTax: 500.85,
    paidTax: 500.5,
    unpaidTax: 0.35,
    totalRecords: 10,
    paidInPeriod: paid,
  });
});

const ADDED = new Set([
  'checked',
  'estimated',
  'outstanding_estimated',
  'previous_same_days',
  'matched_unpaid',
  'total_objects',
  'rejected_records',
  'rejected_record_id',
]);

/** The same answer without the fields that came with what the office knows of payments. */
const withoutAddedFields = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (ADDED.has(key) ? undefined : value)));
