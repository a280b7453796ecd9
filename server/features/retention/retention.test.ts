import { describe, expect, it } from 'vitest';
import type { AdminNotice } from '#shared/api/notices.ts';
import type { Retention } from '#shared/api/retention.ts';
import { DAY_MS } from '#shared/durations.ts';
import { buildAdmin, buildSession, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

/** The time for which the office keeps messages and unused accounts, and its announcement (R-ACCESS-91, R-ACCESS-92). */

const PATH = '/api/admin/retention';
const NOTICES = '/api/admin/notices';
type Caller = { token: string };

async function buildOffice() {
  const test = await buildTestApp();
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi', email: 'dewi@kantor.id' })];
  const budi = buildTestUser(test, { name: 'Budi' });
  const put = ({ token }: Caller, messages: unknown, accounts: unknown = 0, body: object = ownPassword) =>
    test.call('PUT', PATH, {
      token,
      body: { messages_months: messages, inactive_accounts_months: accounts, ...body },
    });
  const set = async (caller: Caller, messages: number, accounts = 0): Promise<Retention> => {
    const answer = await put(caller, messages, accounts);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  };
  const read = async ({ token }: Caller): Promise<Retention> => (await test.call('GET', PATH, { token })).body.data;
  const linesOf = async ({ token }: Caller): Promise<AdminNotice[]> =>
    ((await test.call('GET', NOTICES, { token })).body.data as AdminNotice[]).filter(
      ({ kind }) => kind === 'settings.retention',
    );
  const stop = ({ token }: Caller, id: string) => test.call('POST', `${NOTICES}/${id}/stop`, { token });
  const auditOf = async (action: string) =>
    (
      (await test.call('GET', `/api/admin/audit?action=${action}`, { token: ratna.token })).body.data as unknown as {
        data: { actor: { name: string }; changes: object[] }[];
      }
    ).data.map(({ actor, changes }) => [actor.name, changes]);
  return { test, ratna, dewi, budi, put, set, read, linesOf, stop, auditOf };
}

describe('the retention', () => {
  it('keeps everything for ever until an admin sets it', async () => {
    const { ratna, read, linesOf } = await buildOffice();
    const state = await read(ratna);
    expect(state).toMatchObject({
      messages_months: 0,
      inactive_accounts_months: 0,
      announced_at: null,
      announced_by: null,
      starts_at: null,
      has_started: false,
      last_run: null,
      archive_months: 12,
    });
    expect(state.older.map(({ months }) => months)).toEqual([12, 24, 36, 60, 120]);
    expect(await linesOf(ratna)).toEqual([]);
  });

  it('answers 401 and 403 to strangers and users, and takes nothing from an admin of today or without the own password', async () => {
    const { test, ratna, budi, put, read } = await buildOffice();
    const [method, body] = ['PUT', { messages_months: 12, inactive_accounts_months: 0, ...ownPassword }] as const;
    for (const [token, status] of [
      [undefined, 401],
      [budi.token, 403],
    ] as const) {
      expect((await test.call('GET', PATH, { token })).status).toBe(status);
      expect((await test.call(method, PATH, { token, body })).status).toBe(status);
    }
    const sari = buildAdmin(test, { adminSince: test.clock.now(), email: 'sari@kantor.id' });
    expect(await put(sari, 12)).toMatchObject({
      status: 403,
      body: { message: 'Anda baru dapat melakukan ini mulai 11 Juni 2026 pukul 12.00.' },
    });
    expect(await put(ratna, 12, 0, {})).toMatchObject({ status: 422, body: { message: 'Masukkan password Anda' } });
    expect(await put(ratna, 12, 0, { current_password: 'salah' })).toMatchObject({
      status: 422,
      body: { message: 'Password salah' },
    });
    expect(await read(ratna)).toMatchObject({ messages_months: 0 });
  });

  it.each([-1, 5, 601, 12.5, '12', null])('refuses %j months with 422', async (months) => {
    const { ratna, put } = await buildOffice();
    expect(await put(ratna, months)).toMatchObject({
      status: 422,
      body: { message: 'Masa simpan pesan harus 0 (selamanya) atau 6 sampai 600 bulan' },
    });
    expect(await put(ratna, 0, months)).toMatchObject({
      status: 422,
      body: { message: 'Masa simpan akun harus 0 (selamanya) atau 6 sampai 600 bulan' },
    });
  });

  it('tells every admin for 30 days of operating time, by a line that nobody puts away', async () => {
    const { test, ratna, dewi, budi, set, linesOf, auditOf } = await buildOffice();
    const tab = await openTab(test, dewi);
    expect(await set(ratna, 24, 36)).toMatchObject({
      messages_months: 24,
      inactive_accounts_months: 36,
      announced_at: '2026-06-10T05:00:00.000Z',
      announced_by: 'Ibu Ratna',
      starts_at: '2026-07-10T05:00:00.000Z',
      has_started: false,
    });
    expect(await tab.next('notice:new')).toEqual({ actor_id: ratna.id });
    for (const admin of [ratna, dewi])
      expect(await linesOf(admin)).toMatchObject([
        {
          id: 'r1',
          text: 'Mulai 10 Juli 2026 dihapus dari server: pesan chat yang lebih lama dari 2 tahun dan akun warga yang tidak dipakai selama 3 tahun. Diatur Ibu Ratna.',
          actions: ['stop'],
        },
      ]);
    expect((await test.call('GET', NOTICES, { token: budi.token })).status).toBe(403);
    expect((await test.call('POST', `${NOTICES}/r1/seen`, { token: dewi.token })).status).toBe(404);
    expect((await test.call('POST', `${NOTICES}/r1/revert`, { token: dewi.token })).status).toBe(404);
    expect(await auditOf('settings.retention')).toEqual([
      [
        'Ibu Ratna',
        [
          { field: 'messages_months', from: 0, to: 24 },
          { field: 'inactive_accounts_months', from: 0, to: 36 },
        ],
      ],
    ]);

    test.clock.advance(30 * DAY_MS - 1);
    const [ratnaLater, dewiLater] = [buildSession(test, ratna.id), buildSession(test, dewi.id)];
    expect(await linesOf(dewiLater)).toHaveLength(1);
    test.clock.advance(1);
    expect(await linesOf(dewiLater)).toEqual([]);
    expect(await linesOf(ratnaLater)).toEqual([]);
  });

  it('starts the 30 days anew with a smaller number or another part, and not with a larger number', async () => {
    const { test, ratna, set, linesOf } = await buildOffice();
    await set(ratna, 24);
    test.clock.advance(5 * DAY_MS);
    expect(await set(ratna, 36)).toMatchObject({ starts_at: '2026-07-10T05:00:00.000Z' });
    expect((await linesOf(ratna))[0]).toMatchObject({ id: 'r1' });
    expect(await set(ratna, 35)).toMatchObject({ starts_at: '2026-07-15T05:00:00.000Z' });
    expect((await linesOf(ratna))[0]).toMatchObject({ id: 'r2' });
    test.clock.advance(DAY_MS);
    expect(await set(ratna, 35, 60)).toMatchObject({ starts_at: '2026-07-16T05:00:00.000Z' });
    expect(await set(ratna, 35)).toMatchObject({ starts_at: '2026-07-16T05:00:00.000Z', inactive_accounts_months: 0 });
  });

  it('makes no entry and no announcement when nothing changed', async () => {
    const { test, ratna, set, auditOf } = await buildOffice();
    const first = await set(ratna, 24);
    test.clock.advance(DAY_MS);
    expect((await set(ratna, 24)).announced_at).toBe(first.announced_at);
    expect(await auditOf('settings.retention')).toHaveLength(1);
  });

  it('keeps everything again when any admin stops it, with an entry in the audit; an older line stops nothing', async () => {
    const { test, ratna, dewi, budi, set, read, linesOf, stop, auditOf } = await buildOffice();
    await set(ratna, 24);
    await set(ratna, 12);
    const sari = buildAdmin(test, { name: 'Sari', adminSince: test.clock.now(), email: 'sari@kantor.id' });
    expect((await test.call('POST', `${NOTICES}/r2/stop`)).status).toBe(401);
    expect((await stop(budi, 'r2')).status).toBe(403);
    for (const id of ['r1', 'r3', '1', 'a1', 'x'])
      expect(await stop(sari, id), id).toMatchObject({
        status: 404,
        body: { message: 'Pemberitahuan tidak ditemukan' },
      });
    const tab = await openTab(test, dewi);
    expect((await stop(sari, 'r2')).status).toBe(200);
    expect(await tab.next('notice:new')).toEqual({ actor_id: sari.id });
    expect(await read(ratna)).toMatchObject({ messages_months: 0, inactive_accounts_months: 0, starts_at: null });
    expect(await linesOf(dewi)).toEqual([]);
    expect((await stop(sari, 'r2')).status).toBe(404);
    expect((await auditOf('settings.retention'))[0]).toEqual(['Sari', [{ field: 'messages_months', from: 12, to: 0 }]]);
    expect(await set(ratna, 12)).toMatchObject({ starts_at: '2026-07-10T05:00:00.000Z' });
    expect((await linesOf(ratna))[0]).toMatchObject({ id: 'r3' });
  });
});
