import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import { buildAdmin, buildTestUser, buildRecord, type SignedInUser, ownPassword } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { presentList } from '#server/http/answers/present.ts';
import { buildTestApp, type Answer, type TestApp } from '#server/testing/test-app.ts';
import { readAudit, type AuditFilter, type AuditRow } from './queries.ts';
import { describeOnSqlite } from '#server/testing/on-sqlite.ts';

const rowsOf = (answer: Answer): AuditEntry[] => {
  const page: { data: AuditEntry[] } = answer.body.data;
  return page.data;
};

/** Stores an entry as a change does. */
function writeEntry({ database }: TestApp, entry: Partial<AuditRow> = {}): void {
  const row = {
    at: 0,
    action: 'record.updated',
    actorId: 'a',
    actorName: 'Ratna',
    actorIsAdmin: 1,
    subjectId: 's',
    subjectLabel: 'x',
    ...entry,
  };
  database.sqlite
    .prepare(
      `insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
       values (@at, @action, @actorId, @actorName, @actorIsAdmin, @subjectId, @subjectLabel, '[]')`,
    )
    .run({ ...row });
}

async function buildAppWithAdmin() {
  const test = await buildTestApp();
  const ratna = buildAdmin(test);
  const list = (query = '') => test.call('GET', `/api/admin/audit${query}`, { token: ratna.token });
  const labels = async (query = '') => rowsOf(await list(query)).map(({ subject }) => subject.label);
  return { test, ratna, list, labels };
}

describe('the access to the audit', () => {
  it.each(['/api/admin/audit', '/api/admin/tax-records/x/history'])(
    'GET %s answers 403 to a user and 401 without a session',
    async (url) => {
      const test = await buildTestApp();
      const ended = { status: 401, body: { message: 'Sesi Anda telah berakhir. Silakan login kembali.' } };
      expect(await test.call('GET', url)).toMatchObject(ended);
      expect(await test.call('GET', url, { token: buildAdmin(test, { isActive: false }).token })).toMatchObject(ended);
      expect(await test.call('GET', url, { token: buildTestUser(test).token })).toMatchObject({
        status: 403,
        body: { success: false, message: 'Anda tidak memiliki akses' },
      });
      expect((await test.call('GET', url, { token: buildAdmin(test).token })).status).toBe(200);
    },
  );

  it('GET /tax-records/:id/history answers the owner, and 404 to everyone else', async () => {
    const { test, ratna } = await buildAppWithAdmin();
    const [budi, wati] = [buildTestUser(test), buildTestUser(test)];
    const { id } = buildRecord(test, budi.id);
    await test.call('PUT', `/api/admin/tax-records/${id}`, { token: ratna.token, body: { status: 'proses' } });
    const read = ({ token }: { token?: string }, recordId = id) =>
      test.call('GET', `/api/tax-records/${recordId}/history`, { token });
    expect((await read({})).status).toBe(401);
    const own = await read(budi);
    expect(own).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Riwayat perubahan',
        data: { total: 1, per_page: 50, current_page: 1, last_page: 1 },
      },
    });
    expect(rowsOf(own)).toEqual([
      {
        id: expect.any(String) as string,
        _id: expect.any(String) as string,
        created_at: '2026-06-10T05:00:00.000Z',
        createdAt: '2026-06-10T05:00:00.000Z',
        action: 'record.updated',
        actor: { id: ratna.id, name: ratna.name, role: 'admin' },
        subject: { id, label: expect.stringContaining('2025') as string },
        changes: [{ field: 'status', from: 'belum_lunas', to: 'proses' }],
      },
    ]);
    const missing = { success: false, message: 'Data PBB tidak ditemukan' };
    const calls: [SignedInUser, string][] = [
      [wati, id],
      [ratna, id],
      [budi, 'x'],
      [budi, ''],
      [budi, budi.id],
    ];
    for (const [user, recordId] of calls)
      expect(await read(user, recordId)).toMatchObject({ status: 404, body: missing });
    await test.call('DELETE', `/api/tax-records/${id}`, { token: budi.token });
    expect(await read(budi)).toMatchObject({ status: 404, body: missing });
  });
});

describe('the audit of a record', () => {
  it('stays after the record, its owner and its editor are deleted', async () => {
    const { test, ratna } = await buildAppWithAdmin();
    const [dewi, budi] = [buildAdmin(test, { name: 'Dewi' }), buildTestUser(test, { name: 'Budi' })];
    const { id } = buildRecord(test, budi.id);
    const { id: other } = buildRecord(test, budi.id);
    for (const record of [id, other]) {
      const body = { notes: 'dari Dewi' };
      await test.call('PUT', `/api/admin/tax-records/${record}`, { token: dewi.token, body });
    }
    await test.call('DELETE', `/api/tax-records/${id}`, { token: budi.token });
    for (const user of [budi, dewi]) {
      expect(
        (await test.call('DELETE', `/api/admin/users/${user.id}`, { token: ratna.token, body: ownPassword })).status,
      ).toBe(200);
    }
    const history = async (recordId: string) =>
      rowsOf(await test.call('GET', `/api/admin/tax-records/${recordId}/history`, { token: ratna.token }));
    expect((await history(id)).map(({ action, actor }) => `${actor.name} ${action}`)).toEqual([
      'Budi record.deleted',
      'Dewi record.updated',
    ]);
    expect((await history(other)).map(({ action, actor }) => `${actor.name} ${action}`)).toEqual([
      'Ibu Ratna record.deleted',
      'Dewi record.updated',
    ]);
    // The id of an account is no record, and an unknown id must not list everything.
    expect(await history(budi.id)).toEqual([]);
    expect(await history('')).toEqual([]);
  });

  it('comes in pages, newest first', async () => {
    const { test, ratna } = await buildAppWithAdmin();
    for (let at = 1; at <= 5; at += 1) writeEntry(test, { subjectId: 'r', subjectLabel: `${at}` });
    writeEntry(test, { subjectId: 'other' });
    const answer = await test.call('GET', '/api/admin/tax-records/r/history?limit=2&page=2', { token: ratna.token });
    expect(rowsOf(answer).map(({ subject }) => subject.label)).toEqual(['3', '2']);
    expect(answer.body.data).toMatchObject({ total: 5, per_page: 2, current_page: 2, last_page: 3 });
  });
});

describe('GET /api/admin/audit', () => {
  it('lists newest first, 50 by default and 200 at most', async () => {
    const { test, list, labels } = await buildAppWithAdmin();
    for (let at = 1; at <= 201; at += 1) writeEntry(test, { subjectLabel: `L${at}` });
    const first = await list();
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Riwayat perubahan',
        data: { total: 201, per_page: 50, current_page: 1, last_page: 5 },
      },
    });
    expect((await labels()).slice(0, 2)).toEqual(['L201', 'L200']);
    expect(await labels('?page=5')).toEqual(['L1']);
    expect((await list('?page=5')).body.data).toMatchObject({ total: 201 });
    expect((await list('?limit=999')).body.data).toMatchObject({ per_page: 200, last_page: 2 });
    expect((await list('?limit=67&page=3')).body.data).toMatchObject({ total: 201, last_page: 3 });
    for (const page of ['999999999999999', '1000000000000000', '9'.repeat(40)]) {
      expect((await list(`?page=${page}&limit=200`)).body.data, page).toMatchObject({ data: [], total: 201 });
    }
    expect((await list('?limit=0&page=x')).body.data).toMatchObject({ per_page: 50, current_page: 1 });
  });

  it.each([
    ['?action=user.deleted', 'c'],
    ['?actor_id=u1', 'c a'],
    ['?subject_id=s2', 'd b'],
    ['?actor_id=u2&action=record.updated', 'b'],
    ['?actor_id=u2&subject_id=s2&action=record.deleted', 'd'],
    ['?actor_id=u1&subject_id=s2', ''],
    ['?actor_id=siapa', ''],
    ['?search=b', 'b'],
    ['?search=B&actor_id=u2', 'b'],
    ['?action=&actor_id=&subject_id=&search=', 'd c b a'],
    ['?action=apa', ''],
    ['?action=user.deleted&action=user.deleted', ''],
    ['?search=a&search=b', ''],
    [`?search=${'a'.repeat(201)}`, ''],
    [`?actor_id=${'u'.repeat(65)}`, ''],
    ['?subject_id=s1&subject_id=s1', ''],
  ])('filters by %s', async (query, expected) => {
    const { test, list, labels } = await buildAppWithAdmin();
    writeEntry(test, { subjectLabel: 'a', actorId: 'u1', subjectId: 's1' });
    writeEntry(test, { subjectLabel: 'b', actorId: 'u2', subjectId: 's2' });
    writeEntry(test, { subjectLabel: 'c', actorId: 'u1', subjectId: 's1', action: 'user.deleted' });
    writeEntry(test, { subjectLabel: 'd', actorId: 'u2', subjectId: 's2', action: 'record.deleted' });
    const found = expected === '' ? [] : expected.split(' ');
    expect(await labels(query)).toEqual(found);
    expect((await list(query)).body.data).toMatchObject({ total: found.length });
  });

  it.each([
    ['?from=2026-03-02&to=2026-03-02', 'last-of-2 first-of-2'],
    ['?from=2026-03-02', 'first-of-3 last-of-2 first-of-2'],
    ['?to=2026-03-01', 'last-of-1'],
    ['?from=2026-03-03&to=2026-03-01', ''],
    ['?from=&to=', 'first-of-3 last-of-2 first-of-2 last-of-1'],
    ['?from=0001-01-01&to=9999-12-31', 'first-of-3 last-of-2 first-of-2 last-of-1'],
    ['?from=2026-02-30', ''],
    ['?to=besok', ''],
    ['?from=2026-3-2', ''],
    ['?from=2026-03-02T00:00:00Z', ''],
    ['?to=2026-03-02&to=2026-03-02', ''],
    ['?from=2026-03-02&search=first', 'first-of-3 first-of-2'],
  ])('finds the days of %s in the time zone of the server, both included', async (query, expected) => {
    const { test, list, labels } = await buildAppWithAdmin();
    // Jakarta is 7 hours ahead of UTC.
    writeEntry(test, { subjectLabel: 'last-of-1', at: Date.parse('2026-03-01T16:59:59.999Z') });
    writeEntry(test, { subjectLabel: 'first-of-2', at: Date.parse('2026-03-01T17:00:00.000Z') });
    writeEntry(test, { subjectLabel: 'last-of-2', at: Date.parse('2026-03-02T16:59:59.999Z') });
    writeEntry(test, { subjectLabel: 'first-of-3', at: Date.parse('2026-03-02T17:00:00.000Z') });
    const found = expected === '' ? [] : expected.split(' ');
    expect(await labels(query)).toEqual(found);
    expect((await list(query)).body.data).toMatchObject({ total: found.length });
  });

  it.each([
    ['BUDI', ['32.01 · 2025 · Budi']],
    ['32.0', ['32.01 · 2025 · Budi']],
    ['dewi', ['O_x', '100%']],
    ['%', ['100%']],
    ['_', ['O_x']],
    ['é', ['JOSÉ']],
    ['\\', []],
  ])('finds %j literally in subject and actor', async (search, found) => {
    const { test, labels } = await buildAppWithAdmin();
    writeEntry(test, { subjectLabel: '32.01 · 2025 · Budi' });
    writeEntry(test, { subjectLabel: '100%', actorName: 'Dewi' });
    writeEntry(test, { subjectLabel: 'O_x', actorName: 'Bu Dewi' });
    writeEntry(test, { subjectLabel: 'JOSÉ' });
    expect(await labels(`?search=${encodeURIComponent(search)}`)).toEqual(found);
  });

  it('shows and finds the NOP of a record with and without its signs', async () => {
    const { test, labels } = await buildAppWithAdmin();
    writeEntry(test, { action: 'record.updated', subjectLabel: '351518001200100340 · 2025 · Budi' });
    const found = ['35.15.180.012.001-0034.0 · 2025 · Budi'];
    expect(await labels('?search=35.15.180.012.001-0034.0')).toEqual(found);
    expect(await labels('?search=351518001200100340')).toEqual(found);
  });

  it('runs in the query worker, also for single records', async () => {
    const calls: unknown[] = [];
    const run = async (name: string, args: unknown) => {
      calls.push([name, args]);
      return new TextEncoder().encode(JSON.stringify(presentList('Kosong', [], 0, 50, 1))) as never;
    };
    const test = await buildTestApp({ queryWorker: { run, close: async () => {} } });
    const { token } = buildAdmin(test);
    await test.call('GET', '/api/admin/audit?action=user.deleted&page=2', { token });
    await test.call('GET', '/api/admin/tax-records/r/history', { token });
    const actions = ['record.created', 'record.updated', 'record.deleted', 'record.checked', 'record.check_undone'];
    expect(calls).toEqual([
      ['audit', { filter: { action: 'user.deleted', limit: 50, offset: 50 }, page: 2, acceptsGzip: false }],
      ['audit', { filter: { subject_id: 'r', actions, limit: 50, offset: 0 }, page: 1, acceptsGzip: false }],
    ]);
  });
});

describe('the audit table', () => {
  it.each([
    ['update audit_entries set actor_name = ? where id = 1'],
    ['update audit_entries set changes = ?'],
    ['delete from audit_entries where actor_name <> ?'],
    ['delete from audit_entries where actor_name <> ? or true'],
  ])('refuses %s, because entries are never changed', async (statement) => {
    const { test, list } = await buildAppWithAdmin();
    writeEntry(test);
    writeEntry(test);
    const before = (await list()).body;
    const { sqlite } = test.database;
    expect(() => sqlite.prepare(statement).run('Orang Lain')).toThrow('audit entries are append-only');
    await expect(test.context.write(() => sqlite.prepare(statement).run('x'))).rejects.toThrow('append-only');
    expect((await list()).body).toEqual(before);
  });

  it('holds no entry of a change that was not stored, and no change goes without its entry', async () => {
    const { test, ratna, list } = await buildAppWithAdmin();
    const budi = buildTestUser(test);
    const { id } = buildRecord(test, budi.id);
    test.expectErrorLog(/disk is tired/);
    test.database.sqlite.exec(
      `create trigger tired before insert on audit_entries begin select raise(abort, 'disk is tired'); end`,
    );
    const url = `/api/admin/tax-records/${id}`;
    const failed = await test.call('PUT', url, { token: ratna.token, body: { name: 'Lain' } });
    expect(failed.status).toBe(500);
    // A change whose entry cannot be stored is not stored either.
    expect((await test.call('GET', url, { token: ratna.token })).body.data).toMatchObject({ name: 'Budi Santoso' });
    expect((await list()).body.data).toMatchObject({ total: 0 });
  });
});

describeOnSqlite('the queries of the audit', () => {
  const records = ['record.created', 'record.updated', 'record.deleted'] as const;
  const bySubject = 'SEARCH audit_entries USING INDEX audit_subject (subject_id=?)';
  const byActor = 'SEARCH audit_entries USING INDEX audit_actor (actor_id=?)';

  it.each<[Partial<AuditFilter>, string]>([
    [{}, 'SCAN audit_entries'],
    [{ search: 'budi' }, 'SCAN audit_entries'],
    [{ fromMs: 1, endMs: 2 }, 'SCAN audit_entries'],
    [{ subject_id: 's', fromMs: 1 }, bySubject],
    [{ actions: ['user.deleted'] }, 'SEARCH audit_entries USING INDEX audit_action (action=?)'],
    [{ actor_id: 'a' }, byActor],
    [{ actor_id: 'a', actions: ['user.deleted'] }, byActor],
    [{ subject_id: 's' }, bySubject],
    [{ subject_id: 's', actions: records }, bySubject],
    [{ subject_id: 's', actor_id: 'a', actions: ['user.deleted'] }, bySubject],
  ])('read the page for %o in order, by the index of the rarest filter', async (filter, plan) => {
    const test = await buildTestApp();
    const [rows] = await queryPlans(test, (orm) => readAudit(orm, { ...filter, limit: 50, offset: 0 }));
    expect(rows).toBe(plan);
  });

  it('count all entries on an index alone', async () => {
    const test = await buildTestApp();
    // The total of a first page that is empty or not full is known. The second query asks for the newest entry.
    const [, , total] = await queryPlans(test, (orm) => readAudit(orm, { limit: 50, offset: 50 }));
    expect(total).toMatch(/^SCAN audit_entries USING COVERING INDEX/);
  });
});
