import { describe, expect, it } from 'vitest';
import type { NewYearPreview } from '#shared/api/tax-records/rollover.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { cellsOf, nopOf } from '#server/testing/dhkp.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildLinkApp } from '#server/testing/linked-objects.ts';

const NOP = nopOf(1);
const WRITTEN = '35.15.180.012.001-0001.0';
const LAST_YEAR = Date.parse('2025-03-01T00:00:00Z');

/** A user's record of 2025, and the office's list of 2026 with 52,000 rupiah; the clock says June 2026. */
async function buildRolloverApp(list = [cellsOf(1, { amount: '52.000', due: '31/08/2026' })]) {
  const app = await buildLinkApp();
  const old = { year: 2025, amountSen: 4_000_000, dueDate: '2025-09-30', createdAt: LAST_YEAR, updatedAt: LAST_YEAR };
  const source = buildRecord(app.test, app.user.id, { ...old, sptNumber: WRITTEN });
  await app.importList(list, 2026);
  const ofYear = async (year: number): Promise<TaxRecord[]> =>
    (await app.recordsOf()).filter((record) => record.year === year);
  return { ...app, source, ofYear };
}

/** Links without making records, as before a list had the object. */
async function linkOnly({ test, user }: Awaited<ReturnType<typeof buildRolloverApp>>, nop = NOP): Promise<void> {
  const statement = test.database.sqlite.prepare('update objects set user_id = ?, linked_at = 1 where nop = ?');
  statement.run(user.id, nop);
}

describe('the new year of a linked object', () => {
  it("takes the office's amount and due date in check-year", async () => {
    const app = await buildRolloverApp();
    await linkOnly(app);
    expect((await app.asUser('GET', '/tax-records/check-year')).body).toMatchObject({ autoCreated: true, count: 1 });
    expect(await app.ofYear(2026)).toMatchObject([
      { spt_number: WRITTEN, amount: 52_000, due_date: '2026-08-31', amount_source: 'office', status: 'belum_lunas' },
    ]);
  });

  it("takes them in auto-create, and 10 % more where the office's list has no such year", async () => {
    const app = await buildRolloverApp();
    await linkOnly(app);
    await app.asUser('POST', '/tax-records/auto-create', { year: 2026 });
    expect(await app.ofYear(2026)).toMatchObject([{ amount: 52_000, amount_source: 'office' }]);
    await app.asUser('POST', '/tax-records/auto-create', { year: 2027 });
    expect(await app.ofYear(2027)).toMatchObject([
      { amount: 57_200, due_date: '2027-08-31', amount_source: 'estimate', assessment: null },
    ]);
  });

  it('makes no second record of an object that has one in another spelling', async () => {
    const app = await buildRolloverApp();
    await linkOnly(app);
    buildRecord(app.test, app.user.id, { sptNumber: NOP, year: 2026, status: 'lunas', paymentDate: '2026-02-01' });
    expect((await app.asUser('GET', '/tax-records/check-year')).body).toMatchObject({ autoCreated: false, count: 0 });
    await app.asUser('POST', '/tax-records/auto-create', { year: 2026 });
    const chosen = { year: 2026, records: [{ source_id: app.source.id, amount: 44_000 }] };
    expect((await app.asUser('POST', '/tax-records/auto-create', chosen)).status).toBe(409);
    expect(await app.ofYear(2026)).toMatchObject([{ spt_number: NOP, status: 'lunas', payment_date: '2026-02-01' }]);
  });

  it('does not make a chosen copy again, after its deletion, from a record in another spelling', async () => {
    const app = await buildRolloverApp();
    await linkOnly(app);
    const old = { year: 2025, amountSen: 4_000_000, createdAt: LAST_YEAR - 1, updatedAt: LAST_YEAR - 1 };
    buildRecord(app.test, app.user.id, { ...old, sptNumber: NOP });
    const other = buildRecord(app.test, app.user.id, { ...old, sptNumber: nopOf(3) });
    const chosen = { year: 2026, records: [{ source_id: app.source.id, amount: 47_000 }] };
    await app.asUser('POST', '/tax-records/auto-create', chosen);
    const [copy] = await app.ofYear(2026);
    await app.asUser('DELETE', `/tax-records/${copy?.id}`);
    await app.asUser('GET', '/tax-records/check-year');
    expect(await app.ofYear(2026)).toMatchObject([{ spt_number: other.sptNumber }]);
  });

  it('replaces an estimate that was left as it was, and keeps what a person typed or confirmed', async () => {
    for (const [choice, expected] of [
      [{ amount: 44_000 }, { amount: 52_000, amount_source: 'office', due_date: '2026-08-31' }],
      [
        { amount: 44_000, due_date: '2026-10-01' },
        { amount: 52_000, amount_source: 'office', due_date: '2026-10-01' },
      ],
      [
        { amount: 44_000, confirmed: true },
        { amount: 44_000, amount_source: 'typed' },
      ],
      [{ amount: 47_000 }, { amount: 47_000, amount_source: 'typed' }],
    ] as const) {
      const app = await buildRolloverApp();
      await linkOnly(app);
      const records = [{ source_id: app.source.id, ...choice }];
      await app.asUser('POST', '/tax-records/auto-create', { year: 2026, records });
      expect(await app.ofYear(2026)).toMatchObject([expected]);
    }
  });

  it('keeps one record with the true amount, whether the rollover or the link came first', async () => {
    const first = await buildRolloverApp();
    await first.asUser('GET', '/tax-records/check-year');
    expect(await first.ofYear(2026)).toMatchObject([{ amount: 44_000, amount_source: 'estimate', assessment: null }]);
    await first.linked(NOP);
    expect(await first.ofYear(2026)).toMatchObject([{ amount: 52_000, amount_source: 'office' }]);

    const second = await buildRolloverApp();
    await second.linked(NOP);
    await second.asUser('GET', '/tax-records/check-year');
    await second.asUser('POST', '/tax-records/auto-create', { year: 2026 });
    expect(await second.ofYear(2026)).toMatchObject([{ amount: 52_000, amount_source: 'office' }]);
  });

  it('keeps one record with status and proof, whether the rollover or the import of its year came first', async () => {
    const first = await buildRolloverApp([cellsOf(1, { amount: '52.000' })]);
    await first.linked(NOP);
    await first.asUser('POST', '/tax-records/auto-create', { year: 2027 });
    const { database } = first.test;
    const pay =
      "update tax_records set status = 'lunas', payment_date = '2026-06-01', proof_file = 'a.png' where year = 2027";
    database.sqlite.exec(pay);
    const [paid] = await first.ofYear(2027);
    const list = [cellsOf(1, { amount: '61.000', due: '31/08/2027' })];
    await first.importList(list, 2027);
    await first.importList(list, 2027);
    expect(await first.ofYear(2027)).toMatchObject([
      { id: paid?.id, amount: 57_200, status: 'lunas', payment_date: '2026-06-01', assessment: { amount: 61_000 } },
    ]);

    const second = await buildRolloverApp([cellsOf(1, { amount: '52.000' })]);
    await second.linked(NOP);
    await second.importList(list, 2027);
    await second.asUser('POST', '/tax-records/auto-create', { year: 2027 });
    await second.importList([cellsOf(1, { amount: '62.000' })], 2027);
    expect(await second.ofYear(2027)).toMatchObject([
      { amount: 61_000, amount_source: 'office', status: 'belum_lunas' },
    ]);
  });

  it('reads nothing from the list for an object that is not linked, or is linked to another account', async () => {
    const answers = new Set<string>();
    for (const state of ['not listed', 'listed', 'linked to another']) {
      const app = await buildRolloverApp(state === 'not listed' ? [cellsOf(9)] : undefined);
      if (state === 'linked to another') await app.linked(NOP, buildTestUser(app.test));
      const checked = await app.asUser('GET', '/tax-records/check-year');
      const made = (await app.ofYear(2026)).map(({ amount, due_date, amount_source, assessment }) => ({
        amount,
        due_date,
        amount_source,
        assessment,
      }));
      answers.add(JSON.stringify([checked.body, made]));
      expect(made).toEqual([{ amount: 44_000, due_date: '2026-09-30', amount_source: 'estimate', assessment: null }]);
    }
    expect([...answers]).toHaveLength(1);
  });

  it('makes exactly the previewed copies, of linked objects and others, and none of an object that has a record', async () => {
    const app = await buildRolloverApp([
      cellsOf(1, { amount: '52.000', due: '31/08/2026' }),
      cellsOf(2, { amount: '60.000', due: '31/08/2026' }),
    ]);
    await linkOnly(app);
    await linkOnly(app, nopOf(2));
    const old = { year: 2025, amountSen: 10_000_00, dueDate: '2025-09-30' };
    // Listed, but not linked; linked, with a record of 2026 in another spelling.
    const other = buildRecord(app.test, app.user.id, { ...old, sptNumber: nopOf(3) });
    buildRecord(app.test, app.user.id, { ...old, sptNumber: '35.15.180.012.001-0002.0' });
    buildRecord(app.test, app.user.id, { ...old, year: 2026, sptNumber: nopOf(2) });
    const { body } = await app.asUser('GET', '/tax-records/new-year');
    const [preview, next] = body.data['years'] as NewYearPreview[];
    expect(next).toMatchObject({ year: 2027, total: 1, has_source: true });
    expect(preview).toMatchObject({ year: 2026, total: 2, has_source: true });
    expect(preview?.copies).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          source_id: app.source.id,
          amount_before: 40_000,
          amount: 52_000,
          amount_source: 'office',
          due_date: '2026-08-31',
        }),
        expect.objectContaining({ source_id: other.id, amount: 11_000, amount_source: 'estimate' }),
      ]),
    );
    await app.asUser('POST', '/tax-records/auto-create', { year: 2026 });
    const shown = preview?.copies.map(({ spt_number, amount, amount_source, due_date }) => ({
      spt_number,
      amount,
      amount_source,
      due_date,
    }));
    const byAmount = (a: { amount: number }, b: { amount: number }): number => b.amount - a.amount;
    const made = (await app.ofYear(2026)).filter(({ spt_number: number }) => number !== nopOf(2));
    expect(made).toHaveLength(2);
    expect(made.toSorted(byAmount)).toMatchObject(shown?.toSorted(byAmount) ?? []);
  });

  it('keeps what a person chose instead of a previewed value, also when it is the estimate', async () => {
    const app = await buildRolloverApp();
    await linkOnly(app);
    const records = [{ source_id: app.source.id, amount: 44_000, due_date: '2026-09-30', previewed: true }];
    await app.asUser('POST', '/tax-records/auto-create', { year: 2026, records });
    expect(await app.ofYear(2026)).toMatchObject([
      {
        amount: 44_000,
        amount_source: 'typed',
        due_date: '2026-09-30',
        assessment: { differs: ['amount', 'due_date'] },
      },
    ]);
  });
});
