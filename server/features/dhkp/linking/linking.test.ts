import { describe, expect, it } from 'vitest';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { cellsOf, nopOf } from '#server/testing/dhkp.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildLinkApp } from '#server/testing/linked-objects.ts';
import { openTab } from '#server/testing/sockets.ts';

const NOP = nopOf(1);

describe('linking an object', () => {
  it('makes a record for each listed assessment of a year that a record may have', async () => {
    const { importList, linked, recordsOf, assessmentOf } = await buildLinkApp();
    await importList([cellsOf(1, { amount: '40.000' })], 2019);
    await importList([cellsOf(1, { amount: '45.000', due: '31/08/2025' })], 2025);
    await importList([cellsOf(1, { amount: '52.000' })], 2026);
    const assessment = await linked(NOP);
    expect(assessment).toMatchObject({ account: { name: 'Budi Santoso' } });
    const records = await recordsOf();
    expect(records).toMatchObject([
      {
        year: 2025,
        name: 'Warga 1',
        address: 'Jl. Melati 1',
        spt_number: NOP,
        amount: 45_000,
        due_date: '2025-08-31',
        status: 'belum_lunas',
        amount_source: 'office',
        assessment: { amount: 45_000, due_date: '2025-08-31', differs: [] },
      },
      { year: 2026, amount: 52_000, due_date: null, assessment: { id: assessment.id, differs: [] } },
    ]);
    expect(assessment.record_id).toBe(records[1]?.id);
    expect(await assessmentOf(NOP, 2025)).toMatchObject({
      record_id: records[0]?.id,
      account: { name: 'Budi Santoso' },
    });
  });

  it('joins a record with the same digits and keeps what a person chose', async () => {
    const { test, user, importList, linked, recordsOf } = await buildLinkApp();
    const typed = buildRecord(test, user.id, {
      sptNumber: '35.15.180.012.001-0001.0',
      year: 2026,
      amountSen: 4_950_000,
    });
    await importList([cellsOf(1, { amount: '52.000', due: '31/08/2026' })]);
    await linked(NOP);
    expect(await recordsOf()).toMatchObject([
      {
        id: typed.id,
        amount: 49_500,
        amount_source: 'typed',
        due_date: '2026-08-31',
        assessment: { amount: 52_000, due_date: '2026-08-31', differs: ['amount'] },
      },
    ]);
  });

  it('replaces an estimate, but nothing of a record that is paid or has a proof', async () => {
    const { test, user, importList, linked, recordsOf } = await buildLinkApp();
    const estimate = { amountSource: 'estimate', year: 2026, amountSen: 4_950_000 } as const;
    buildRecord(test, user.id, { ...estimate, sptNumber: nopOf(1) });
    buildRecord(test, user.id, { ...estimate, sptNumber: nopOf(2), status: 'lunas', paymentDate: '2026-03-01' });
    buildRecord(test, user.id, { ...estimate, sptNumber: nopOf(3), proofFile: 'bukti.jpg', proofBytes: 10 });
    await importList([1, 2, 3].map((number) => cellsOf(number, { amount: '52.000', due: '31/08/2026' })));
    for (const number of [1, 2, 3]) await linked(nopOf(number), user, { overwrite: ['amount', 'name'] });
    const records = (await recordsOf()).toSorted((a, b) => (a.spt_number < b.spt_number ? -1 : 1));
    expect(records).toMatchObject([
      { amount: 52_000, amount_source: 'office', due_date: '2026-08-31', name: 'Warga 1' },
      { amount: 49_500, amount_source: 'estimate', due_date: null, name: 'Budi Santoso', status: 'lunas' },
      { amount: 49_500, amount_source: 'estimate', due_date: null, name: 'Budi Santoso' },
    ]);
    expect(records.map(({ assessment }) => assessment?.differs)).toEqual([
      [],
      ['amount', 'due_date'],
      ['amount', 'due_date'],
    ]);
  });

  it('takes the values that the admin overwrites', async () => {
    const { test, user, importList, linked, recordsOf } = await buildLinkApp();
    buildRecord(test, user.id, { sptNumber: NOP, year: 2026, amountSen: 4_950_000, dueDate: '2026-09-30' });
    await importList([cellsOf(1, { amount: '52.000', due: '31/08/2026' })]);
    await linked(NOP, user, { overwrite: ['amount'] });
    expect(await recordsOf()).toMatchObject([
      { amount: 52_000, amount_source: 'office', due_date: '2026-09-30', name: 'Budi Santoso' },
    ]);
  });

  it('makes records without a name or an address of the list without guessing an address', async () => {
    const { importList, linked, recordsOf } = await buildLinkApp();
    await importList([{ nop: NOP, amount: '45.000' }]);
    await linked(NOP);
    expect(await recordsOf()).toMatchObject([{ name: 'Budi Santoso', address: 'Tidak tercantum di daftar kantor' }]);
  });

  it('refuses all when the quota of records has no room for each of them', async () => {
    const { user, importList, link, assessmentOf, recordsOf } = await buildLinkApp({
      settings: {
        timeZone: 'Asia/Jakarta',
        corsOrigins: [],
        trustedProxies: null,
        rateLimits: true,
        quota: { records: 1, proofBytes: null },
      },
    });
    await importList([cellsOf(1)], 2025);
    await importList([cellsOf(1)], 2026);
    expect(await link((await assessmentOf(NOP)).id, user)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Akun ini sudah mencapai batas (1 data PBB)') },
    });
    expect(await recordsOf()).toEqual([]);
    expect(await assessmentOf(NOP)).toMatchObject({ account: null });
  });

  it('answers 404, 409 and 422 in words, and 401 and 403 to others', async () => {
    const { test, admin, user, importList, link, linked, assessmentOf } = await buildLinkApp();
    await importList([cellsOf(1), cellsOf(2)]);
    const { id } = await assessmentOf(nopOf(2));
    expect(await link('unknown', user)).toMatchObject({ status: 404, body: { message: 'Objek tidak ditemukan' } });
    expect(await link(id, admin)).toMatchObject({
      status: 422,
      body: { message: 'Administrator tidak dapat menjadi pemilik objek' },
    });
    const path = `/api/admin/dhkp/${id}/link`;
    expect((await test.call('POST', path, { token: user.token, body: { user_id: user.id } })).status).toBe(403);
    expect((await test.call('POST', path, { body: { user_id: user.id } })).status).toBe(401);
    expect((await test.call('DELETE', path, { token: user.token })).status).toBe(403);
    await linked(NOP);
    const other = buildTestUser(test);
    expect(await link((await assessmentOf(NOP)).id, other)).toMatchObject({
      status: 409,
      body: { message: 'Objek ini sudah terhubung dengan Budi Santoso' },
    });
  });

  it('lets one of 50 links at once win', async () => {
    const { test, importList, link, assessmentOf } = await buildLinkApp();
    await importList([cellsOf(1)]);
    const { id } = await assessmentOf(NOP);
    const users = Array.from({ length: 50 }, () => buildTestUser(test));
    const answers = await Promise.all(users.map((owner) => link(id, owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    const records = test.database.sqlite.prepare('select user_id from tax_records').all();
    expect(records).toHaveLength(1);
  });

  it('keeps the records when the link is removed, and shows nothing of the list any more', async () => {
    const { user, importList, linked, recordsOf, asAdmin, asUser } = await buildLinkApp();
    await importList([cellsOf(1)]);
    const { id } = await linked(NOP);
    const unlinked = await asAdmin('DELETE', `/admin/dhkp/${id}/link`);
    expect(unlinked.body.data).toMatchObject({ account: null, record_id: null });
    const [record] = await recordsOf();
    expect(record).toMatchObject({ amount: 45_001, assessment: null, user_id: user.id });
    const again = await asAdmin('DELETE', `/admin/dhkp/${id}/link`);
    expect(again).toMatchObject({ status: 409, body: { message: 'Objek ini belum terhubung dengan akun' } });
    const adopt = { fields: ['amount'], updated_at: record?.updated_at };
    expect(await asUser('POST', `/tax-records/${record?.id}/adopt-assessment`, adopt)).toMatchObject({
      status: 409,
      body: { message: 'Tidak ada ketetapan kantor untuk data ini' },
    });
  });

  it('publishes the records to their owner and writes an entry for the link and for each record', async () => {
    const { test, admin, user, importList, linked, asAdmin } = await buildLinkApp();
    await importList([cellsOf(1)], 2025);
    await importList([cellsOf(1)], 2026);
    const stranger = buildTestUser(test);
    const [own, others, office] = [
      await openTab(test, user),
      await openTab(test, stranger),
      await openTab(test, admin),
    ];
    const { id } = await linked(NOP);
    expect(await own.next('tax-record:changed')).toMatchObject({ user_id: user.id, change: 'created' });
    expect(await own.next('tax-record:changed')).toMatchObject({ user_id: user.id, change: 'created' });
    expect(await office.next('dhkp:changed')).toHaveProperty('year');
    expect(others.payloadsOf('tax-record:changed')).toEqual([]);
    expect(own.payloadsOf('dhkp:changed')).toEqual([]);
    const { body } = await asAdmin('GET', '/admin/audit?limit=10');
    const actions = (body.data as { data: { action: string; subject: { id: string } }[] }).data;
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['dhkp.linked', 'record.created', 'record.created']),
    );
    expect(actions.find(({ action }) => action === 'dhkp.linked')).toMatchObject({
      subject: { id },
      changes: [{ field: 'account', to: `Budi Santoso (${user.email})` }],
    });
  });

  it('forgets the account of an object when the account is deleted', async () => {
    const { user, importList, linked, assessmentOf, asAdmin } = await buildLinkApp();
    await importList([cellsOf(1)]);
    await linked(NOP);
    expect((await asAdmin('DELETE', `/admin/users/${user.id}`)).status).toBe(200);
    expect(await assessmentOf(NOP)).toMatchObject({ account: null, record_id: null });
  });
});

describe('taking the values of the office', () => {
  async function buildDifferingRecord() {
    const app = await buildLinkApp();
    const { test, user, importList, linked, recordsOf } = app;
    buildRecord(test, user.id, { sptNumber: NOP, year: 2026, amountSen: 4_950_000, dueDate: '2026-09-30' });
    await importList([cellsOf(1, { amount: '52.000', due: '31/08/2026' })]);
    await linked(NOP);
    const [record] = await recordsOf();
    if (!record) throw new Error('no record');
    const adopt = (body: object, by = user) =>
      app.asUser('POST', `/tax-records/${record.id}/adopt-assessment`, { updated_at: record.updated_at, ...body }, by);
    return { ...app, record, adopt };
  }

  it('changes the named fields of an own record, with an entry in the audit', async () => {
    const { adopt, record, asUser } = await buildDifferingRecord();
    const { body } = await adopt({ fields: ['amount'] });
    expect(body.data).toMatchObject({
      amount: 52_000,
      amount_source: 'office',
      due_date: '2026-09-30',
      assessment: { differs: ['due_date'] },
    });
    const history = await asUser('GET', `/tax-records/${record.id}/history`);
    expect((history.body.data as { data: unknown[] }).data[0]).toMatchObject({
      action: 'record.updated',
      actor: { name: 'Budi Santoso' },
      changes: [{ field: 'amount', from: 49_500, to: 52_000 }],
    });
  });

  it('serves an admin for every record', async () => {
    const { record, asAdmin } = await buildDifferingRecord();
    const body = { fields: ['amount', 'due_date'], updated_at: record.updated_at };
    const answer = await asAdmin('POST', `/admin/tax-records/${record.id}/adopt-assessment`, body);
    expect(answer.body.data).toMatchObject({ amount: 52_000, due_date: '2026-08-31', assessment: { differs: [] } });
  });

  it('refuses a stale form, a paid record, no fields and the record of another user', async () => {
    const { test, adopt, record, asUser, asAdmin } = await buildDifferingRecord();
    expect(await adopt({ fields: [] })).toMatchObject({
      status: 422,
      body: { message: 'Pilih yang diambil dari daftar kantor' },
    });
    expect((await adopt({ fields: ['status'] })).status).toBe(422);
    expect((await adopt({ fields: ['amount'], updated_at: '2026-01-01T00:00:00.000Z' })).status).toBe(409);
    expect(await adopt({ fields: ['amount'] }, buildTestUser(test))).toMatchObject({
      status: 404,
      body: { message: 'Data PBB tidak ditemukan' },
    });
    const path = `/api/tax-records/${record.id}/adopt-assessment`;
    expect((await test.call('POST', path, { body: { fields: ['amount'] } })).status).toBe(401);
    const paid = await asAdmin('PUT', `/admin/tax-records/${record.id}`, {
      status: 'lunas',
      payment_date: '2026-06-01',
      updated_at: record.updated_at,
    });
    const { updated_at } = paid.body.data as { updated_at: string };
    expect(await adopt({ fields: ['amount'], updated_at })).toMatchObject({
      status: 409,
      body: { message: 'Data ini sudah lunas' },
    });
    expect((await asUser('GET', `/tax-records/${record.id}`)).body.data).toMatchObject({ amount: 49_500 });
  });

  it('becomes typed again when a person edits the amount', async () => {
    const { adopt, record, asUser } = await buildDifferingRecord();
    await adopt({ fields: ['amount'] });
    const edited = await asUser('PUT', `/tax-records/${record.id}`, { amount: 51_000 });
    expect(edited.body.data).toMatchObject({ amount_source: 'typed', assessment: { differs: ['amount', 'due_date'] } });
  });

  it('shows nothing of an object that is linked to another account', async () => {
    const { test, asUser } = await buildDifferingRecord();
    const stranger = buildTestUser(test);
    const record = buildRecord(test, stranger.id, { sptNumber: NOP, year: 2026 });
    const { body } = await asUser('GET', `/tax-records/${record.id}`, undefined, stranger);
    expect(body.data).toMatchObject({ assessment: null });
  });
});

describe('proposals of owners', () => {
  it('come best first, with their reasons', async () => {
    const { test, user, importList, asAdmin, linked } = await buildLinkApp();
    const siti = buildTestUser(test, { name: 'Siti Aminah' });
    buildAdmin(test, { name: 'Warga 4' });
    buildTestUser(test, { name: 'Warga 4', isActive: false });
    const record = buildRecord(test, user.id, {
      sptNumber: '35.15.180.012.001-0002.0',
      address: 'JALAN MELATI NO 2',
      year: 2025,
    });
    await importList([
      cellsOf(1, { name: 'HJ. AMINAH SITI, S.Pd' }),
      cellsOf(2, { name: 'WARGA LAIN' }),
      cellsOf(3, { name: 'Orang Tak Dikenal' }),
      cellsOf(4),
    ]);
    const { body } = await asAdmin('GET', '/admin/dhkp/matches');
    const page = body.data as {
      data: { assessment: Assessment; candidates: unknown[] }[];
      total: number;
      year: number;
    };
    expect(page).toMatchObject({ total: 2, year: 2026 });
    expect(page.data.map(({ assessment, candidates }) => [assessment.nop, candidates])).toEqual([
      [
        nopOf(2),
        [
          {
            user: { id: user.id, name: 'Budi Santoso' },
            record_id: record.id,
            reasons: ['nop', 'address'],
            score: 120,
          },
        ],
      ],
      [nopOf(1), [{ user: { id: siti.id, name: 'Siti Aminah' }, record_id: null, reasons: ['name'], score: 40 }]],
    ]);
    await linked(nopOf(2));
    expect((await asAdmin('GET', '/admin/dhkp/matches')).body.data).toMatchObject({ total: 1 });
    expect((await asAdmin('GET', '/admin/dhkp/matches?year=2024')).body.data).toMatchObject({ total: 0, year: 2024 });
  });

  it('take a name of 30 characters as possibly cut', async () => {
    const { test, importList, asAdmin } = await buildLinkApp();
    const long = buildTestUser(test, { name: 'Muhammad Abdurrahman Kusumawijaya' });
    const cut = 'MUHAMMAD ABDURRAHMAN KUSUMAWIJ';
    expect(cut).toHaveLength(30);
    await importList([cellsOf(1, { name: cut })]);
    const { body } = await asAdmin('GET', '/admin/dhkp/matches');
    expect((body.data as { data: unknown[] }).data).toMatchObject([{ candidates: [{ user: { id: long.id } }] }]);
  });
});
