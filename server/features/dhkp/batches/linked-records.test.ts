import { describe, expect, it } from 'vitest';
import { cellsOf, dumpList, LIST_YEAR, listText, nopOf, objectsFrom } from '#server/testing/dhkp.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildLinkApp } from '#server/testing/linked-objects.ts';
import { openTab } from '#server/testing/sockets.ts';

const NOP = nopOf(1);
const NEXT_YEAR = LIST_YEAR + 1;
const recordsTable = ({ database: { sqlite } }: Awaited<ReturnType<typeof buildLinkApp>>['test']) =>
  JSON.stringify(sqlite.prepare('select * from tax_records order by id').all());

describe("a new year's list", () => {
  it('makes the records of linked objects, publishes them and takes them back with the list', async () => {
    const { test, user, importList, linked, recordsOf, list, asAdmin } = await buildLinkApp();
    await importList([cellsOf(1), cellsOf(2)]);
    await linked(NOP);
    const before = [dumpList(test), recordsTable(test)];
    const tab = await openTab(test, user);
    const batch = await importList([cellsOf(1, { amount: '60.000' }), cellsOf(2)], NEXT_YEAR);
    expect(await tab.next('tax-record:changed')).toMatchObject({ user_id: user.id, change: 'created' });
    expect(await recordsOf()).toMatchObject([
      { year: LIST_YEAR },
      { year: NEXT_YEAR, amount: 60_000, amount_source: 'office', status: 'belum_lunas', assessment: { differs: [] } },
    ]);
    const entries = (await asAdmin('GET', '/admin/audit?action=record.created')).body.data as { data: unknown[] };
    expect(entries.data).toHaveLength(2);
    expect(entries.data[0]).toMatchObject({ actor: { name: 'Ibu Ratna' } });
    expect((await list.revert(batch)).status).toBe(200);
    expect(await tab.next('tax-record:changed')).toMatchObject({ user_id: user.id, change: 'deleted' });
    expect([dumpList(test), recordsTable(test)]).toEqual(before);
  });

  it('joins an estimate of the new year and puts it back as it was', async () => {
    const { test, user, importList, linked, recordsOf, list } = await buildLinkApp();
    await importList([cellsOf(1)]);
    await linked(NOP);
    const copy = { year: NEXT_YEAR, amountSen: 4_950_110, amountSource: 'estimate' } as const;
    buildRecord(test, user.id, { ...copy, sptNumber: '35.15.180.012.001-0001.0' });
    const before = recordsTable(test);
    const batch = await importList([cellsOf(1, { amount: '60.000', due: '31/08/2027' })], NEXT_YEAR);
    expect((await recordsOf())[1]).toMatchObject({ amount: 60_000, amount_source: 'office', due_date: '2027-08-31' });
    expect((await list.revert(batch)).status).toBe(200);
    expect(recordsTable(test)).toBe(before);
  });

  it('stays while a record that it made was changed since', async () => {
    const { test, importList, linked, recordsOf, list, asUser } = await buildLinkApp();
    await importList([cellsOf(1)]);
    await linked(NOP);
    const batch = await importList([cellsOf(1)], NEXT_YEAR);
    const made = (await recordsOf())[1];
    test.clock.advance(1000);
    await asUser('PUT', `/tax-records/${made?.id}`, { notes: 'Sudah saya cek' });
    const refused = await list.revert(batch);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message: '1 baris sudah dipakai (titipan, hubungan, atau perubahan)',
        data: [{ id: made?.assessment?.id, nop: NOP }],
      },
    });
    await asUser('DELETE', `/tax-records/${made?.id}`);
    expect((await list.revert(batch)).status).toBe(200);
  });

  it('stays after an object was linked, but a link before it does not count', async () => {
    const { importList, linked, list, asAdmin } = await buildLinkApp();
    const first = await importList([cellsOf(1)]);
    const { id } = await linked(NOP);
    expect((await list.revert(first)).status).toBe(409);
    expect((await list.revert(await importList([cellsOf(1)], NEXT_YEAR))).status).toBe(200);
    await asAdmin('DELETE', `/admin/dhkp/${id}/link`);
    expect((await list.revert(first)).status).toBe(200);
  });

  it('leaves out the record of an account that has reached its quota', async () => {
    const quota = { records: 1, proofBytes: null };
    const { test, importList, linked, recordsOf } = await buildLinkApp({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true, quota },
    });
    const other = buildTestUser(test);
    await importList([cellsOf(1), cellsOf(2)]);
    await linked(nopOf(1));
    await linked(nopOf(2), other);
    await importList([cellsOf(1), cellsOf(2)], NEXT_YEAR);
    expect(await recordsOf()).toHaveLength(1);
    expect(await recordsOf(other)).toHaveLength(1);
  });

  it('makes each of a thousand records once, in steps', async () => {
    const { test, importList, recordsOf } = await buildLinkApp();
    const rows = objectsFrom(1000);
    await importList(rows);
    const { id } = buildTestUser(test, { name: 'Siti Aminah' });
    test.database.sqlite.prepare('update objects set user_id = ?, linked_at = 1').run(id);
    await importList(rows, NEXT_YEAR);
    const counted = test.database.sqlite
      .prepare('select count(*) as records, count(distinct spt_number) as numbers from tax_records where year = ?')
      .get(NEXT_YEAR);
    expect(counted).toEqual({ records: 1000, numbers: 1000 });
    expect(await recordsOf()).toEqual([]);
  });
});

describe('a second list of the year', () => {
  it('unlists what it lacks, takes nothing as paid and keeps a linked record (input 39)', async () => {
    const { test, user, importList, linked, recordsOf, list, asUser, assessmentOf } = await buildLinkApp();
    const rows = objectsFrom(40);
    await importList(rows);
    await linked(nopOf(40));
    const [before] = await recordsOf();
    const kept = [...objectsFrom(3, 1, { amount: '90.000' }), ...rows.slice(3, 33)];
    const preview = await list.preview(listText([...kept, cellsOf(101), cellsOf(102)]));
    expect(preview.counts).toMatchObject({ new: 2, changed: 3, same: 30, gone: 7 });
    expect(preview.complete).toBe(true);
    await list.applied(preview);
    const missing = (await list.list('&listed=0')).data;
    expect(missing.map(({ nop }) => nop)).toEqual(rows.slice(33).map(({ nop }) => nop));
    expect(missing.every(({ authority_paid }) => authority_paid === null)).toBe(true);
    expect(await recordsOf()).toEqual([{ ...before, assessment: null }]);
    expect(await assessmentOf(nopOf(40))).toMatchObject({
      listed: false,
      account: { id: user.id },
      record_id: before?.id,
    });
    const adopt = { fields: ['amount'], updated_at: before?.updated_at };
    expect((await asUser('POST', `/tax-records/${before?.id}/adopt-assessment`, adopt)).status).toBe(409);
    expect(test.database.sqlite.prepare("select 1 from tax_records where status = 'lunas'").all()).toEqual([]);
  });

  it('changes no amount that the record has, and shows the difference', async () => {
    const { importList, linked, recordsOf } = await buildLinkApp();
    await importList([cellsOf(1, { amount: '52.000' })]);
    await linked(NOP);
    await importList([cellsOf(1, { amount: '55.000' })]);
    expect(await recordsOf()).toMatchObject([{ amount: 52_000, assessment: { amount: 55_000, differs: ['amount'] } }]);
  });

  it('does not make again a record that its owner deleted', async () => {
    const { importList, linked, recordsOf, asUser } = await buildLinkApp();
    await importList([cellsOf(1)]);
    await linked(NOP);
    await asUser('DELETE', `/tax-records/${(await recordsOf())[0]?.id}`);
    await importList([cellsOf(1, { amount: '55.000' })]);
    expect(await recordsOf()).toEqual([]);
  });
});
