import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import type { Message } from '#shared/api/chat/chat.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { BulkResult, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { sendFiles, uploadFile } from '#server/testing/chat/attachments.ts';
import {
  buildAdmin,
  buildRecord,
  buildTestUser,
  type RecordRow,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { type Answer, buildTestApp, type CallOptions, type TestApp } from '#server/testing/test-app.ts';

const CONFLICT = 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.';
const REQUIRED = 'Tanggal pembayaran wajib diisi jika status Lunas';
const PAID = { status: 'lunas', payment_date: '2025-08-03' };
const NAME = 'PBB 2025 · SPT 32.71';
const MATCHED = `Pembayaran ${NAME} sudah diperiksa kantor`;
const MARKED = `${MATCHED} dan ditandai Lunas, dibayar 3 Agu 2025`;

let test: TestApp;
let sari: SignedInUser;
let wati: SignedInUser;
let budi: SignedInUser;
beforeEach(async () => {
  test = await buildTestApp();
  sari = buildAdmin(test, { name: 'Sari' });
  wati = buildAdmin(test, { name: 'Wati' });
  budi = buildTestUser(test, { name: 'Budi' });
  test.clock.advance(1000);
});

const as = (who: SignedInUser, method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  test.call(method, `/api${path}`, { token: who.token, ...options });
const put = (who: SignedInUser, id: string, body: object) => as(who, 'PUT', `/admin/tax-records/${id}`, { body });
const check = (who: SignedInUser, { id, updated_at }: Version, body: object) =>
  as(who, 'POST', `/admin/tax-records/${id}/verification`, { body: { ...body, updated_at } });
const undo = (who: SignedInUser, { id, updated_at }: Version) =>
  as(who, 'DELETE', `/admin/tax-records/${id}/verification`, { body: { updated_at } });
async function bulk(who: SignedInUser, changes: object[]): Promise<BulkResult[]> {
  const { body } = await as(who, 'POST', '/admin/tax-records/bulk', { body: { changes } });
  const { results }: { results: BulkResult[] } = body.data;
  return results;
}
const mark = async (who: SignedInUser, { id, updated_at }: Version, more: object = PAID): Promise<BulkResult> => {
  const [result] = await bulk(who, [{ id, updated_at, ...more }]);
  if (!result) throw new Error('no result');
  return result;
};
const load = async (id: string): Promise<TaxRecord> => (await as(sari, 'GET', `/admin/tax-records/${id}`)).body.data;
async function notices(): Promise<string[]> {
  const { body } = await as(budi, 'GET', `/messages/conversation/${sari.id}`);
  const { messages }: { messages: Message[] } = body.data;
  return messages.filter(({ kind }) => kind === 'notice').map(({ content }) => content);
}
async function auditOf(id: string): Promise<AuditEntry[]> {
  const page: Page<AuditEntry> = (await as(sari, 'GET', `/admin/audit?subject_id=${id}`)).body.data;
  return page.data;
}
async function fileFromMessage(who: SignedInUser, id: string, more: object = PAID): Promise<Answer> {
  const photo = await uploadFile(test, budi, { file: { bytes: buildImage('jpg', 3000), filename: 'bukti.jpg' } });
  await sendFiles(test, budi, sari, [photo]);
  const path = `${who.isAdmin ? '/admin' : ''}/tax-records/${id}/payment-proof/from-message`;
  return as(who, 'POST', path, { body: { attachment_id: photo.id, ...more } });
}

type Version = { id: string; updated_at: string };
const versionOf = ({ id, updatedAt }: RecordRow): Version => ({ id, updated_at: new Date(updatedAt).toISOString() });
const build = (overrides: Partial<RecordRow>): RecordRow =>
  buildRecord(test, budi.id, { sptNumber: '32.71', year: 2025, ...overrides });
/** A record that waits for a check. */
const buildReport = (overrides: Partial<RecordRow> = {}): RecordRow =>
  build({ status: 'proses', reportedAt: test.clock.now(), ...overrides });

/** Each way in which an admin makes a record paid, with the notice that tells its match. */
const ways: { way: string; run: (version: Version) => Promise<Answer | BulkResult>; notice: string }[] = [
  { way: 'an edit', run: ({ id, updated_at }) => put(sari, id, { ...PAID, updated_at }), notice: MARKED },
  {
    way: 'a form with a new proof',
    run: ({ id }) => {
      const fields = { name: 'B', address: 'A', spt_number: '32.71', amount: '1', year: '2025', tax_type: 'PBB' };
      const form = buildForm({ ...fields, ...PAID }, { bytes: buildImage() });
      return as(sari, 'PUT', `/admin/tax-records/${id}`, form);
    },
    notice: MARKED,
  },
  { way: 'a bulk edit', run: (version) => mark(sari, version), notice: MARKED },
  {
    way: 'a photo of the chat',
    run: ({ id }) => fileFromMessage(sari, id),
    notice: `Foto disimpan sebagai bukti ${NAME}, sudah diperiksa kantor dan ditandai Lunas, dibayar 3 Agu 2025`,
  },
  { way: 'a check', run: (version) => check(sari, version, { result: 'matched', ...PAID }), notice: MARKED },
];

describe.each(ways)('a record that becomes paid by $way', ({ way, run, notice }) => {
  it.each(['proses', 'belum_lunas'] as const)('matches its report by the same act, from %s', async (status) => {
    const row = buildReport({ status, ...(status === 'belum_lunas' ? { proofFile: 'foto.png' } : {}) });
    expect(await run(versionOf(row))).not.toMatchObject({ changed: false });
    const paid = await load(row.id);
    expect(paid).toMatchObject({ ...PAID, verification: { state: 'matched', by_name: 'Sari', reason: null } });
    expect(await notices()).toEqual([notice]);
    const [entry, ...others] = await auditOf(row.id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ action: 'record.checked', actor: { name: 'Sari' } });
    expect(entry?.changes).toEqual(
      expect.arrayContaining([
        { field: 'status', from: status, to: 'lunas' },
        { field: 'payment_date', from: null, to: '2025-08-03' },
        { field: 'verification', from: 'pending', to: 'matched' },
      ]),
    );

    const undone = await undo(wati, paid);
    expect(undone.body.data).toMatchObject({
      status,
      payment_date: null,
      verification: { state: 'pending', at: new Date(row.reportedAt ?? 0).toISOString() },
    });
    const label = status === 'proses' ? 'Proses' : 'Belum Lunas';
    expect(await notices()).toEqual([
      notice,
      `Hasil pemeriksaan ${NAME} dibatalkan, statusnya kembali ${label}. Pembayaran menunggu diperiksa kantor lagi.`,
    ]);
    const [latest] = await auditOf(row.id);
    expect(latest).toMatchObject({
      action: 'record.check_undone',
      actor: { name: 'Wati' },
      changes: [
        { field: 'status', from: 'lunas', to: status },
        { field: 'payment_date', from: '2025-08-03', to: null },
        { field: 'verification', from: 'matched', to: 'pending' },
      ],
    });
  });

  it('does not count as a match where nothing was reported', async () => {
    const row = build({});
    await run(versionOf(row));
    expect((await load(row.id)).verification.state).toBe('none');
  });

  it('matches a rejected report only by a check', async () => {
    const rejected = { reportedAt: 1, checkedAt: 2, checkedByName: 'Wati', checkResult: 'rejected' } as const;
    const row = build({ ...rejected, checkReason: 'Buram', status: 'proses' });
    await run(versionOf(row));
    expect((await load(row.id)).verification.state).toBe(way === 'a check' ? 'matched' : 'outdated');
  });
});

describe('a report that says lunas already', () => {
  it('keeps waiting when the office edits it, and is matched by a check', async () => {
    const row = buildReport({ status: 'lunas', paymentDate: '2025-08-01' });
    expect(await mark(sari, versionOf(row))).toMatchObject({ changed: true });
    await put(sari, row.id, { ...PAID, notes: 'Ada di STTS' });
    const waiting = await load(row.id);
    expect(waiting).toMatchObject({ ...PAID, verification: { state: 'pending' } });
    expect(await notices()).toEqual([]);
    expect((await check(sari, waiting, { result: 'matched' })).status).toBe(200);
    expect(await notices()).toEqual([MATCHED]);
    await put(sari, row.id, { payment_date: '2025-08-09' });
    expect((await load(row.id)).verification.state).toBe('outdated');
  });

  it('can be rejected and set back in one act, whose undo brings status and date back', async () => {
    const row = buildReport({ status: 'lunas', paymentDate: '2025-08-03' });
    const body = { result: 'rejected', reason: 'Tidak ditemukan', status: 'belum_lunas' };
    const rejected = await check(sari, versionOf(row), body);
    expect(rejected.body.data).toMatchObject({
      status: 'belum_lunas',
      payment_date: null,
      verification: { state: 'rejected', reason: 'Tidak ditemukan' },
    });
    const text = `Pembayaran ${NAME} ditolak kantor: Tidak ditemukan. Unggah bukti pada data itu atau balas di sini.`;
    expect(await notices()).toEqual([text]);
    expect(await auditOf(row.id)).toHaveLength(1);
    expect((await undo(sari, rejected.body.data)).body.data).toMatchObject({
      ...PAID,
      verification: { state: 'pending' },
    });
  });
});

describe('a check with a status', () => {
  it.each([
    [{ result: 'matched', status: 'lunas' }, 'payment_date', REQUIRED],
    [{ result: 'matched', status: 'lunas', payment_date: '2025-02-31' }, 'payment_date', REQUIRED],
    [{ result: 'matched', status: 'belum_lunas' }, 'status', 'Status tidak valid'],
    [{ result: 'matched', status: 'proses' }, 'status', 'Status tidak valid'],
    [{ result: 'rejected', reason: 'x', ...PAID }, 'status', 'Status tidak valid'],
    [{ result: 'matched', status: 'apa' }, 'status', 'Status tidak valid'],
  ])('gets 422 as %o', async (body, field, message) => {
    const row = buildReport();
    const answer = await check(sari, versionOf(row), body);
    expect(answer).toMatchObject({ status: 422, body: { message, errors: { [field]: [message] } } });
    expect(await load(row.id)).toMatchObject({ status: 'proses', verification: { state: 'pending' } });
    expect(await notices()).toEqual([]);
  });

  it('of a match that is told alone says that the record is not paid, and pays it later', async () => {
    const row = buildReport();
    const matched = await check(sari, versionOf(row), { result: 'matched', payment_date: '2025-08-03' });
    expect(matched.body.data).toMatchObject({ status: 'proses', payment_date: null });
    const paid = await check(sari, matched.body.data, { result: 'matched', ...PAID });
    expect(paid.body.data).toMatchObject({ ...PAID, verification: { state: 'matched' } });
    expect(await notices()).toEqual([`Pembayaran ${NAME} diperiksa kantor, belum lunas`, MARKED]);
  });

  it('serves neither users nor callers without a session', async () => {
    const row = buildReport();
    const body = { result: 'matched', ...PAID, updated_at: versionOf(row).updated_at };
    const path = `/admin/tax-records/${row.id}/verification`;
    expect((await test.call('POST', `/api${path}`, { body })).status).toBe(401);
    for (const who of [budi, buildTestUser(test)]) expect((await as(who, 'POST', path, { body })).status).toBe(403);
    expect(await load(row.id)).toMatchObject({ status: 'proses', verification: { state: 'pending' } });
  });
});

describe('an older client, which marks the record as paid and then sends the match', () => {
  it('changes and tells nothing with the second call, and its undo in two calls works', async () => {
    const row = buildReport();
    const { updated_at } = await mark(sari, versionOf(row));
    const version = { id: row.id, updated_at: updated_at ?? '' };
    const matched = await check(sari, version, { result: 'matched' });
    expect(matched).toMatchObject({ status: 200, body: { data: { ...PAID, updated_at } } });
    expect(await notices()).toEqual([MARKED]);
    expect(await auditOf(row.id)).toHaveLength(1);
    const waiting: TaxRecord = (await undo(sari, matched.body.data)).body.data;
    expect(waiting).toMatchObject({ status: 'proses', verification: { state: 'pending' } });
    expect(await mark(sari, waiting, { status: 'proses', payment_date: null })).toMatchObject({ changed: true });
    expect(await load(row.id)).toMatchObject({ status: 'proses', verification: { state: 'pending' } });
  });
});

describe('the undo of a bulk edit', () => {
  it('takes back the match that came with it, and matches nothing when it brings a payment back', async () => {
    const marked = buildReport();
    const claimed = buildReport({ status: 'lunas', paymentDate: '2025-08-03', proofFile: 'foto.png' });
    const plain = build({});
    const done = [
      await mark(sari, versionOf(marked)),
      await mark(sari, versionOf(claimed), { status: 'belum_lunas' }),
      await mark(sari, versionOf(plain)),
    ];
    const told = (await notices()).length;
    const results = await bulk(sari, [
      { id: marked.id, status: 'proses', undo: true, updated_at: done[0]?.updated_at },
      { id: claimed.id, ...PAID, undo: true, updated_at: done[1]?.updated_at },
      { id: plain.id, status: 'belum_lunas', undo: true, updated_at: done[2]?.updated_at },
    ]);
    expect(results.map(({ changed }) => changed)).toEqual([true, true, true]);
    expect(await load(marked.id)).toMatchObject({ status: 'proses', verification: { state: 'pending' } });
    expect(await load(claimed.id)).toMatchObject({ ...PAID, verification: { state: 'pending' } });
    expect(await load(plain.id)).toMatchObject({ status: 'belum_lunas', verification: { state: 'none' } });
    expect(await notices()).toHaveLength(told + 1);
    const [entry] = await auditOf(marked.id);
    expect(entry?.action).toBe('record.check_undone');
  });
});

describe('two admins at once', () => {
  it.each([
    ['two checks', (who: SignedInUser, version: Version) => check(who, version, { result: 'matched', ...PAID })],
    ['two edits', (who: SignedInUser, { id, updated_at }: Version) => put(who, id, { ...PAID, updated_at })],
  ])('mark and match one record once, with %s', async (_way, run) => {
    const row = buildReport();
    const answers = await Promise.all([run(sari, versionOf(row)), run(wati, versionOf(row))]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe(CONFLICT);
    const winner = answers[0]?.status === 200 ? 'Sari' : 'Wati';
    expect(await load(row.id)).toMatchObject({ ...PAID, verification: { state: 'matched', by_name: winner } });
    expect(await notices()).toEqual([MARKED]);
    expect(await auditOf(row.id)).toHaveLength(1);
  });

  it('mark and match one record once, with a bulk edit and a check', async () => {
    const row = buildReport();
    const [marked, checked] = await Promise.all([
      mark(sari, versionOf(row)),
      check(wati, versionOf(row), { result: 'matched', ...PAID }),
    ]);
    expect([marked.changed, checked.status]).toEqual(marked.changed ? [true, 409] : [false, 200]);
    expect(marked.changed ? checked.body.message : marked.message).toBe(CONFLICT);
    expect(await notices()).toEqual([MARKED]);
    expect(await auditOf(row.id)).toHaveLength(1);
  });
});

describe('a user', () => {
  const edit = (id: string, body: object) => as(budi, 'PUT', `/tax-records/${id}`, { body });

  it('who undoes a report has the rejection of the office again, and its photo is gone', async () => {
    const report = buildReport();
    await check(sari, versionOf(report), { result: 'rejected', reason: 'Buram', status: 'belum_lunas' });
    const rejected = await load(report.id);
    const told = await notices();
    const paid = await edit(report.id, PAID);
    expect(paid.body.data).toMatchObject({ ...PAID, verification: { state: 'pending' } });
    const photo = await as(
      budi,
      'POST',
      `/tax-records/${report.id}/payment-proof`,
      buildForm({}, { bytes: buildImage() }),
    );
    const { updated_at }: TaxRecord = photo.body.data;
    const back = { status: 'belum_lunas', payment_date: null, remove_payment_proof: true, updated_at, undo: true };
    const undone = await edit(report.id, back);
    expect(undone.body.data).toMatchObject({
      status: 'belum_lunas',
      payment_date: null,
      payment_proof: null,
      verification: rejected.verification,
    });
    expect((await edit(report.id, back)).status).toBe(409);
    expect(await notices()).toEqual(told);
    const [entry] = await auditOf(report.id);
    expect(entry).toMatchObject({ action: 'record.updated', actor: { name: 'Budi' } });
  });

  it('who undoes a report of a matched record tells nobody that the office matched it again', async () => {
    const report = buildReport();
    const matched: TaxRecord = (await check(sari, versionOf(report), { result: 'matched' })).body.data;
    const told = await notices();
    await edit(report.id, PAID);
    const undone = await edit(report.id, { status: 'proses', payment_date: null, undo: true });
    expect(undone.body.data).toMatchObject({ status: 'proses', verification: matched.verification });
    expect(await notices()).toEqual(told);
    expect((await auditOf(report.id))[0]).toMatchObject({ action: 'record.updated', actor: { name: 'Budi' } });
  });

  it('who sends no `undo`, or undoes a change of the office, reports again', async () => {
    const report = buildReport({ status: 'lunas', paymentDate: '2025-08-03' });
    await check(sari, versionOf(report), { result: 'matched' });
    await edit(report.id, { payment_date: '2025-08-04' });
    const again = await edit(report.id, PAID);
    expect(again.body.data).toMatchObject({ ...PAID, verification: { state: 'pending' } });
    const written = build({ status: 'lunas', paymentDate: '2025-08-03' });
    await put(sari, written.id, { status: 'belum_lunas' });
    const claimed = await edit(written.id, { ...PAID, undo: true });
    expect(claimed.body.data).toMatchObject({ ...PAID, verification: { state: 'pending' } });
  });

  it('who sets an own record to lunas is matched by nobody, and reaches no record of another user', async () => {
    const row = buildReport();
    const own = await as(budi, 'PUT', `/tax-records/${row.id}`, { body: PAID });
    expect(own.body.data).toMatchObject({ ...PAID, verification: { state: 'pending' } });
    const other = buildTestUser(test);
    expect((await as(other, 'PUT', `/tax-records/${row.id}`, { body: PAID })).status).toBe(404);
    expect((await fileFromMessage(other, row.id)).status).toBe(404);
    expect((await put(budi, row.id, PAID)).status).toBe(403);
    expect((await as(budi, 'POST', '/admin/tax-records/bulk', { body: { changes: [] } })).status).toBe(403);
    expect(await notices()).toEqual([]);
  });
});
