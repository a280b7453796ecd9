import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import type { Message } from '#shared/api/chat/chat.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { BulkResult, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { accountDeletions } from '#server/db/schema.ts';
import {
  buildAdmin,
  buildRecord,
  buildTestUser,
  type RecordRow,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { preparedTexts, queryPlans } from '#server/testing/query-plan.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { type Answer, buildTestApp, type CallOptions, type TestApp } from '#server/testing/test-app.ts';
import { readVerifications } from './verification-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const fields = { name: 'Budi', address: 'Jl. Melati 1', spt_number: '32.71', amount: 45_000 };
const texts = (more: Record<string, string> = {}) => ({ ...fields, amount: '45000', ...more });
const proof = { bytes: buildImage() };

let test: TestApp;
let sari: SignedInUser;
let budi: SignedInUser;
beforeEach(async () => {
  test = await buildTestApp();
  sari = buildAdmin(test, { name: 'Sari' });
  budi = buildTestUser(test, { name: 'Budi' });
  test.clock.advance(1000);
});

const as = (who: SignedInUser, method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  test.call(method, `/api${path}`, { token: who.token, ...options });
const post = (who: SignedInUser, path: string, body: unknown): Promise<Answer> => as(who, 'POST', path, { body });
function recordOf({ status, body }: Answer): TaxRecord {
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
}
const pageOf = <T>({ body }: Answer): Page<T> => body.data;
const load = async (id: string): Promise<TaxRecord> => recordOf(await as(sari, 'GET', `/admin/tax-records/${id}`));
const stateOf = async (id: string): Promise<string> => (await load(id)).verification.state;
const loadedAt = ({ updatedAt }: Pick<RecordRow, 'updatedAt'>): string => new Date(updatedAt).toISOString();

/** A record that waits for a check. */
const buildReport = (ownerId: string, overrides: Partial<RecordRow> = {}): RecordRow =>
  buildRecord(test, ownerId, { status: 'proses', reportedAt: test.clock.now(), ...overrides });
const check = (who: SignedInUser, row: { id: string; updated_at: string }, more: object = { result: 'matched' }) =>
  post(who, `/admin/tax-records/${row.id}/verification`, { ...more, updated_at: row.updated_at });
const undo = (who: SignedInUser, row: { id: string; updated_at: string }) =>
  as(who, 'DELETE', `/admin/tax-records/${row.id}/verification`, { body: { updated_at: row.updated_at } });
const list = async (query = ''): Promise<Page<TaxRecord>> =>
  pageOf(await as(sari, 'GET', `/admin/verifications${query}`));
const notices = async (who: SignedInUser): Promise<Message[]> => {
  const answer = await as(who, 'GET', `/messages/conversation/${who.isAdmin ? budi.id : sari.id}`);
  const { messages }: { messages: Message[] } = answer.body.data;
  return messages.filter(({ kind }) => kind === 'notice');
};

describe('every call that writes a record', () => {
  it('of its owner reports what it says was paid', async () => {
    const created = async (options: CallOptions) => recordOf(await as(budi, 'POST', '/tax-records', options));
    expect((await created({ body: fields })).verification.state).toBe('none');
    const inProcess = await created({ body: { ...fields, status: 'proses' } });
    const at = new Date(test.clock.now()).toISOString();
    expect(inProcess.verification).toEqual({ state: 'pending', at, by_name: null, reason: null });
    const withProof = await created(buildForm(texts(), proof));
    expect(withProof.verification.state).toBe('pending');

    const path = `/tax-records/${withProof.id}`;
    const edit = async (options: CallOptions) => recordOf(await as(budi, 'PUT', path, options)).verification.state;
    expect(await edit({ body: { remove_payment_proof: true } })).toBe('none');
    expect(await edit({ body: { notes: 'Halo' } })).toBe('none');
    expect(recordOf(await as(budi, 'POST', `${path}/payment-proof`, buildForm({}, proof))).verification.state).toBe(
      'pending',
    );
    expect(await edit(buildForm(texts({ status: 'belum_lunas', remove_payment_proof: 'true' })))).toBe('none');
    expect(await edit(buildForm(texts({ status: 'lunas' })))).toBe('pending');
  });

  it('of the office reports nothing, and makes a check outdated', async () => {
    const body = { ...fields, user_id: budi.id, status: 'lunas', payment_date: '2026-06-01' };
    expect(recordOf(await post(sari, '/admin/tax-records', body)).verification.state).toBe('none');

    const ways: [string, (id: string, updated_at: string) => Promise<Answer>][] = [
      ['an edit', (id) => as(sari, 'PUT', `/admin/tax-records/${id}`, { body: { amount: 1 } })],
      [
        'a form',
        (id) =>
          as(
            sari,
            'PUT',
            `/admin/tax-records/${id}`,
            buildForm(texts({ status: 'proses', year: '2025', tax_type: 'PBB' }), proof),
          ),
      ],
      ['a proof', (id) => as(sari, 'POST', `/admin/tax-records/${id}/payment-proof`, buildForm({}, proof))],
      [
        'a bulk edit',
        (id, updated_at) =>
          post(sari, '/admin/tax-records/bulk', {
            changes: [{ id, updated_at, status: 'lunas', payment_date: '2026-06-02' }],
          }),
      ],
    ];
    for (const [way, change] of ways) {
      const { id, ...row } = buildReport(budi.id, { status: 'lunas', paymentDate: '2026-06-01' });
      expect((await change(id, loadedAt(row))).status, way).toBe(200);
      expect(await stateOf(id), way).toBe('pending');
      const matched = recordOf(await check(sari, await load(id)));
      expect(matched.verification.state, way).toBe('matched');
      const touched = recordOf(await as(sari, 'PUT', `/admin/tax-records/${id}`, { body: { notes: 'Diterima' } }));
      expect(touched.verification, way).toEqual(matched.verification);
      const { updated_at } = await load(id);
      if (way === 'a bulk edit') {
        const changes = [{ id, updated_at, status: 'proses' }];
        const answer = await post(sari, '/admin/tax-records/bulk', { changes });
        const { results }: { results: BulkResult[] } = answer.body.data;
        expect(results).toMatchObject([{ changed: true }]);
      } else if (way === 'an edit') {
        await as(sari, 'PUT', `/admin/tax-records/${id}`, { body: { status: 'belum_lunas' } });
      } else {
        await change(id, updated_at);
      }
      expect(await stateOf(id), way).toBe('outdated');
    }
  });

  it('leaves the copies of a new year unchecked', async () => {
    buildReport(budi.id, { year: 2025, createdAt: 0 });
    const answer = await post(budi, '/tax-records/auto-create', { year: 2026 });
    expect(answer.body).toMatchObject({ count: 1 });
    const copies = pageOf<TaxRecord>(await as(budi, 'GET', '/tax-records/year/2026')).data;
    expect(copies.map(({ verification }) => verification)).toEqual([
      { state: 'none', at: null, by_name: null, reason: null },
    ]);
  });
});

describe('a check', () => {
  it('tells the owner, the admins and the audit, and changes neither status nor sums', async () => {
    const row = buildReport(budi.id, { sptNumber: '32.71', year: 2026 });
    const [ownTab, otherTab] = [await openTab(test, budi), await openTab(test, buildTestUser(test))];
    const adminTab = await openTab(test, buildAdmin(test));
    test.clock.advance(1000);
    const at = new Date(test.clock.now()).toISOString();

    const before = await load(row.id);
    const rejected = await check(sari, before, { result: 'rejected', reason: '  Foto buram ' });
    expect(rejected.body.message).toBe('Hasil pencocokan disimpan');
    expect(recordOf(rejected)).toEqual({
      ...before,
      verification: { state: 'rejected', at, by_name: 'Sari', reason: 'Foto buram' },
      updated_at: at,
      updatedAt: at,
    });
    expect(recordOf(await as(budi, 'GET', `/tax-records/${row.id}`)).verification).toEqual(
      recordOf(rejected).verification,
    );
    const text =
      'Pembayaran PBB 2026 · SPT 32.71 ditolak kantor: Foto buram. Unggah bukti pada data itu atau balas di sini.';
    for (const who of [budi, sari]) {
      expect(await notices(who)).toMatchObject([
        { content: text, sender_id: sari.id, record: { id: row.id, now: { verification: { state: 'rejected' } } } },
      ]);
    }

    const undone = recordOf(await undo(sari, recordOf(rejected)));
    expect(undone.verification).toEqual({
      state: 'pending',
      at: new Date(row.updatedAt).toISOString(),
      by_name: null,
      reason: null,
    });
    const matched = recordOf(await check(sari, undone, { result: 'matched', reason: 'tidak disimpan' }));
    expect(matched.verification).toMatchObject({ state: 'matched', by_name: 'Sari', reason: null });
    expect((await notices(budi)).map(({ content }) => content)).toEqual([
      text,
      'Hasil pemeriksaan PBB 2026 · SPT 32.71 dibatalkan. Pembayaran menunggu diperiksa kantor lagi.',
      'Pembayaran PBB 2026 · SPT 32.71 diperiksa kantor, belum lunas',
    ]);

    await waitForPendingEvents(test, ownTab, otherTab, adminTab);
    const changed = { id: row.id, user_id: budi.id, change: 'updated' };
    for (const tab of [ownTab, adminTab]) {
      expect(tab.payloadsOf('tax-record:changed')).toEqual([changed, changed, changed]);
      expect(tab.payloadsOf('message:new')).toHaveLength(3);
    }
    expect(otherTab.received().map(({ event }) => event)).not.toContain('tax-record:changed');
    expect(otherTab.payloadsOf('message:new')).toEqual([]);

    const audit = pageOf<AuditEntry>(await as(sari, 'GET', `/admin/audit?subject_id=${row.id}`)).data;
    expect(audit.map(({ action, actor, changes }) => [action, actor.name, changes])).toEqual([
      ['record.checked', 'Sari', [{ field: 'verification', from: 'pending', to: 'matched' }]],
      [
        'record.check_undone',
        'Sari',
        [
          { field: 'verification', from: 'rejected', to: 'pending' },
          { field: 'verification_reason', from: 'Foto buram', to: null },
        ],
      ],
      [
        'record.checked',
        'Sari',
        [
          { field: 'verification', from: 'pending', to: 'rejected' },
          { field: 'verification_reason', from: null, to: 'Foto buram' },
        ],
      ],
    ]);
  });

  it('fails without a session, for users, without a record, without a reason, and for another version', async () => {
    const row = buildReport(budi.id);
    const updated_at = loadedAt(row);
    const path = `/admin/tax-records/${row.id}/verification`;
    const unknown = '/admin/tax-records/tidak-ada/verification';
    const invalid = { result: 'rejected', updated_at };
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await test.call(method, `/api${unknown}`, { body: {} })).status).toBe(401);
      expect((await as(budi, method, unknown, { body: {} })).status).toBe(403);
      expect((await as(budi, method, path, { body: { result: 'matched', updated_at } })).status).toBe(403);
      expect((await as(sari, method, unknown, { body: { result: 'matched', updated_at } })).status).toBe(404);
      const stale = { result: 'matched', updated_at: '2020-01-01T00:00:00.000Z' };
      expect((await as(sari, method, path, { body: stale })).status).toBe(409);
      expect((await as(sari, method, path, { body: { result: 'matched' } })).status).toBe(422);
    }
    expect((await test.call('GET', '/api/admin/verifications')).status).toBe(401);
    expect((await as(budi, 'GET', '/admin/verifications')).status).toBe(403);
    for (const reason of [undefined, null, '  ']) {
      const answer = await post(sari, path, { ...invalid, reason });
      expect(answer).toMatchObject({ status: 422, body: { errors: { reason: ['Alasan wajib diisi'] } } });
    }
    expect((await post(sari, path, { ...invalid, reason: 'a'.repeat(501) })).status).toBe(422);
    expect((await post(sari, path, { result: 'cocok', updated_at })).body.errors).toEqual({
      result: ['Hasil pencocokan tidak valid'],
    });

    const unreported = buildRecord(test, budi.id, { status: 'lunas' });
    expect(await check(sari, await load(unreported.id))).toMatchObject({
      status: 409,
      body: { message: 'Tidak ada laporan pembayaran yang perlu dicocokkan untuk data ini' },
    });
    expect(await undo(sari, await load(row.id))).toMatchObject({
      status: 409,
      body: { message: 'Laporan pembayaran ini belum dicocokkan' },
    });
    expect(await stateOf(row.id)).toBe('pending');
    expect(await notices(budi)).toEqual([]);
    expect(pageOf(await as(sari, 'GET', '/admin/audit')).total).toBe(0);
  });

  it('of two admins at once counts once, and so does one beside an edit of the owner', async () => {
    const wati = buildAdmin(test, { name: 'Wati' });
    const first = await load(buildReport(budi.id).id);
    const answers = await Promise.all([
      check(sari, first),
      check(wati, first, { result: 'rejected', reason: 'Buram' }),
      check(sari, first),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await load(first.id)).verification).toEqual(winner && recordOf(winner).verification);
    expect(await notices(budi)).toHaveLength(1);

    const second = await load(buildReport(budi.id).id);
    const body = { amount: 1, updated_at: second.updated_at };
    const [checked, edited] = await Promise.all([
      check(sari, second),
      as(budi, 'PUT', `/tax-records/${second.id}`, { body }),
    ]);
    expect([checked.status, edited.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await stateOf(second.id)).toBe(checked.status === 200 ? 'matched' : 'pending');
  });

  it.each<[string, number]>([
    ['update users set is_active = 0 where id = ?', 401],
    ['update users set is_admin = 0 where id = ?', 403],
    ['delete from sessions where user_id = ?', 401],
  ])('is not stored when the admin loses the right while it is sent: %s', async (statement, status) => {
    const row = buildReport(budi.id);
    const path = `/api/admin/tax-records/${row.id}/verification`;
    for (const method of ['POST', 'DELETE']) {
      const admin = buildAdmin(test);
      const text = Buffer.from(JSON.stringify({ result: 'matched', updated_at: loadedAt(row) }));
      async function* slowly() {
        yield text.subarray(0, 5);
        test.database.sqlite.prepare(statement).run(admin.id);
        yield text.subarray(5);
      }
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const payload = Readable.from(slowly());
      expect((await test.call(method, path, { token: admin.token, headers, payload })).status).toBe(status);
    }
    expect(await stateOf(row.id)).toBe('pending');
    expect(await notices(budi)).toEqual([]);
  });

  it('of a record of an admin writes no notice', async () => {
    const row = buildReport(buildAdmin(test).id);
    expect(recordOf(await check(sari, await load(row.id))).verification.state).toBe('matched');
    expect(test.database.sqlite.prepare('select count(*) from messages').pluck().get()).toBe(0);
  });
});

describe('GET /admin/verifications', () => {
  it('lists what waits, the oldest report first, in pages with a total', async () => {
    const wati = buildTestUser(test, { name: 'Wati' });
    const at = test.clock.now();
    const rows = [3, 1, 2].map((order) =>
      buildReport(order === 1 ? wati.id : budi.id, { reportedAt: at + order, amountSen: 100 }),
    );
    buildRecord(test, budi.id, { status: 'lunas' });
    const [third, first, second] = rows.map(({ id }) => id);
    expect(await list()).toMatchObject({
      data: [{ id: first, user: { name: 'Wati' } }, { id: second }, { id: third }],
      total: 3,
      per_page: 50,
      current_page: 1,
      last_page: 1,
    });
    expect(await list('?limit=2&page=2')).toMatchObject({ data: [{ id: third }], total: 3, per_page: 2, last_page: 2 });
    expect((await list('?state=apa')).total).toBe(3);

    // An account whose deletion still runs, and one that is gone.
    test.database.direct
      .insert(accountDeletions)
      .values({ userId: wati.id, actorId: sari.id, actorName: 'Sari', createdAt: at })
      .run();
    expect((await list()).data.map(({ id }) => id)).toEqual([second, third]);
    test.database.direct.delete(accountDeletions).run();
    expect((await as(sari, 'DELETE', `/admin/users/${wati.id}`)).status).toBe(200);
    expect((await list()).data.map(({ id }) => id)).toEqual([second, third]);
  });

  it('lists each state, the newest check first, and counts as the statistics do', async () => {
    const ids: Record<string, string[]> = { pending: [], matched: [], rejected: [], outdated: [], none: [] };
    const place = async (state: string): Promise<void> => {
      const { id } = state === 'none' ? buildRecord(test, budi.id) : buildReport(budi.id);
      const result = state === 'rejected' ? { result: 'rejected', reason: 'Buram' } : { result: 'matched' };
      if (state !== 'none' && state !== 'pending') await check(sari, await load(id), result);
      if (state === 'outdated') await as(sari, 'PUT', `/admin/tax-records/${id}`, { body: { status: 'belum_lunas' } });
      test.clock.advance(1000);
      ids[state]?.push(id);
    };
    for (const state of ['pending', 'matched', 'rejected', 'outdated', 'none', 'outdated', 'rejected', 'matched'])
      await place(state);
    for (const state of ['matched', 'rejected', 'outdated']) {
      expect((await list(`?state=${state}`)).data.map(({ id }) => id)).toEqual(ids[state]?.toReversed());
    }
    const { data } = await list('?state=pending');
    expect(data.map(({ id }) => id)).toEqual(ids['pending']);
    const reports = (count: number) => ({ count, amount: count * 100_000 });
    for (const query of ['?limit=1', '?state=matched&page=9']) {
      expect(await list(query)).toMatchObject({
        sums: {
          pending: reports(1),
          matched: { ...reports(2), unpaid: reports(2) },
          rejected: reports(2),
          outdated: reports(2),
        },
      });
    }
    buildReport(budi.id, { status: 'lunas', checkState: 'matched' });
    expect(await list()).toMatchObject({ sums: { matched: { ...reports(3), unpaid: reports(2) } } });
    const statistics = await as(sari, 'GET', '/admin/statistics');
    expect(statistics.body.data).toMatchObject({ tasks: { to_check: { count: 1, amount: 100_000 } } });
    const [waiting] = data;
    if (waiting) await check(sari, waiting);
    const later = await as(sari, 'GET', '/admin/statistics');
    expect(later.body.data).toMatchObject({ tasks: { to_check: { count: 0, amount: 0 } } });
  });

  itOnSqlite.each(['pending', 'matched', 'rejected', 'outdated'] as const)(
    'reads %s from an index without sorting, and the sums that are kept',
    async (state) => {
      const query = { state, limit: 50, offset: 0 };
      const [, ids] = await queryPlans(test, (orm) => readVerifications(orm, query));
      expect(ids).toContain(`COVERING INDEX tax_records_${state === 'pending' ? 'pending' : 'checked'}`);
      expect(ids).not.toContain('TEMP B-TREE');
      const prepared = await preparedTexts(test, (orm) => readVerifications(orm, query));
      expect(prepared.some((text) => text.includes('from "record_sums" "tax_records"'))).toBe(true);
    },
  );
});
