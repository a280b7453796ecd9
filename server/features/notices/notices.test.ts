import { describe, expect, it } from 'vitest';
import type { AdminNotice } from '#shared/api/notices.ts';
import { buildAdmin, buildSession, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { listUnseenNotices } from './queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const LIST = '/api/admin/notices';

async function buildOffice() {
  const test = await buildTestApp();
  const ratna = buildAdmin(test);
  const [dewi, wati] = [
    buildAdmin(test, { name: 'Dewi' }),
    buildAdmin(test, { name: 'Wati', email: 'wati@kantor.id' }),
  ];
  const budi = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id' });
  const byRatna = async (method: string, path: string, body: object = {}) => {
    const answer = await test.call(method, `/api/admin/users${path}`, {
      token: ratna.token,
      body: { ...body, ...ownPassword },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data as { id: string };
  };
  const noticesOf = async ({ token }: { token: string }): Promise<AdminNotice[]> =>
    (await test.call('GET', LIST, { token })).body.data;
  const textsOf = async (admin: { token: string }) => (await noticesOf(admin)).map(({ text }) => text);
  const markSeen = ({ token }: { token: string }, id: string) => test.call('POST', `${LIST}/${id}/seen`, { token });
  return { test, ratna, dewi, wati, budi, byRatna, noticesOf, textsOf, markSeen };
}

describe('a notice', () => {
  it('reaches every other admin at once and later, not the one who did it, and no user', async () => {
    const { test, ratna, dewi, wati, budi, byRatna, noticesOf } = await buildOffice();
    const siti = buildTestUser(test);
    const [dewisTab, watisTab, sitisTab, budisTab] = await Promise.all(
      [dewi, wati, siti, budi].map((user) => openTab(test, user)),
    );
    const otherRatna = buildSession(test, ratna.id);
    await byRatna('PUT', `/${budi.id}`, { is_admin: true });
    for (const tab of [dewisTab, watisTab]) expect(await tab?.next('notice:new')).toEqual({ actor_id: ratna.id });
    for (const admin of [dewi, wati, buildSession(test, wati.id)]) {
      expect(await noticesOf(admin)).toMatchObject([
        {
          kind: 'user.updated',
          actor: { id: ratna.id, name: 'Ibu Ratna' },
          text: 'Ibu Ratna menjadikan Budi (budi@contoh.id) admin',
          created_at: '2026-06-10T05:00:00.000Z',
        },
      ]);
    }
    for (const session of [ratna, otherRatna]) expect(await noticesOf(session)).toEqual([]);
    // Earlier changes are no news to the new admin.
    expect(await noticesOf(budi)).toEqual([]);
    expect((await test.call('GET', LIST, { token: siti.token })).status).toBe(403);
    expect((await test.call('GET', LIST)).status).toBe(401);
    expect((await test.call('POST', `${LIST}/1/seen`, { token: siti.token })).status).toBe(403);
    expect((await test.call('POST', `${LIST}/1/seen`)).status).toBe(401);
    for (const tab of [sitisTab, budisTab]) expect(tab?.payloadsOf('notice:new')).toEqual([]);
  });

  it('says in words what was done to whom', async () => {
    const { test, dewi, wati, byRatna, textsOf } = await buildOffice();
    const body = { name: 'Joko', email: 'joko@kantor.id', password: 'rahasia-joko', is_admin: true };
    const { id } = await byRatna('POST', '', body);
    await byRatna('PUT', `/${id}`, { email: 'j@kantor.id', is_active: false });
    await byRatna('PUT', `/${id}/toggle-status`);
    await byRatna('PUT', `/${id}/password`, { password: 'rahasia-lain' });
    await byRatna('PUT', `/${id}`, { is_admin: false });
    await byRatna('DELETE', `/${wati.id}`);
    expect(await textsOf(dewi)).toEqual([
      'Ibu Ratna menghapus akun admin Wati (wati@kantor.id)',
      'Ibu Ratna mencabut hak admin Joko (j@kantor.id)',
      'Ibu Ratna mengganti password admin Joko (j@kantor.id)',
      'Ibu Ratna mengaktifkan akun admin Joko (j@kantor.id)',
      'Ibu Ratna mengubah email admin Joko (joko@kantor.id) dari joko@kantor.id menjadi j@kantor.id, menonaktifkan akun admin Joko (joko@kantor.id)',
      'Ibu Ratna membuat akun admin Joko (joko@kantor.id)',
    ]);
    expect((await test.call('GET', LIST, { token: wati.token })).status).toBe(401);
  });

  it('does not follow a change that concerns users only, or the own password', async () => {
    const { test, dewi, wati, budi, byRatna, noticesOf } = await buildOffice();
    const tab = await openTab(test, dewi);
    await byRatna('PUT', `/${budi.id}`, { email: 'b@contoh.id' });
    await byRatna('PUT', `/${budi.id}/password`, { password: 'enam66' });
    await byRatna('PUT', `/${dewi.id}`, { name: 'Dewi B.' });
    await byRatna('DELETE', `/${budi.id}`);
    const change = { password: 'rahasia-baru', password_confirmation: 'rahasia-baru', ...ownPassword };
    expect((await test.call('PUT', '/api/auth/password', { token: wati.token, body: change })).status).toBe(200);
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('notice:new')).toEqual([]);
    expect(await noticesOf(dewi)).toEqual([]);
  });

  it('stays away once it was seen, for that admin only, and never hides a later one', async () => {
    const { test, dewi, wati, budi, byRatna, noticesOf, markSeen } = await buildOffice();
    await byRatna('PUT', `/${budi.id}`, { is_admin: true });
    await byRatna('PUT', `/${budi.id}`, { is_admin: false });
    const [newest, older] = await noticesOf(dewi);
    expect((await markSeen(dewi, 'x')).status).toBe(404);
    expect((await markSeen(dewi, older?.id ?? '')).status).toBe(200);
    expect(await noticesOf(dewi)).toEqual([newest]);
    // More than has happened yet.
    expect((await markSeen(dewi, '999999999')).status).toBe(200);
    expect(await noticesOf(dewi)).toEqual([]);
    expect(await noticesOf(buildSession(test, dewi.id))).toEqual([]);
    expect(await noticesOf(wati)).toHaveLength(2);
    await byRatna('PUT', `/${budi.id}`, { is_admin: true });
    expect(await noticesOf(dewi)).toHaveLength(1);
    expect((await markSeen(dewi, older?.id ?? '')).status).toBe(200);
    expect(await noticesOf(dewi)).toHaveLength(1);
  });

  it('disappears for an admin who was demoted, and comes again after another promotion, with what was done meanwhile', async () => {
    const { test, wati, budi, byRatna, textsOf } = await buildOffice();
    await byRatna('PUT', `/${budi.id}`, { is_admin: true });
    await byRatna('PUT', `/${wati.id}`, { is_admin: false });
    expect((await test.call('GET', LIST, { token: wati.token })).status).toBe(403);
    await byRatna('PUT', `/${budi.id}`, { email: 'b@contoh.id' });
    await byRatna('PUT', `/${wati.id}`, { is_admin: true });
    expect(await textsOf(wati)).toEqual([
      'Ibu Ratna menjadikan Wati (wati@kantor.id) admin',
      'Ibu Ratna mengubah email admin Budi (budi@contoh.id) dari budi@contoh.id menjadi b@contoh.id',
      'Ibu Ratna mencabut hak admin Wati (wati@kantor.id)',
      'Ibu Ratna menjadikan Budi (budi@contoh.id) admin',
    ]);
  });

  it('comes again for an admin who was deactivated and activated, and is not seen twice', async () => {
    const { test, wati, budi, byRatna, textsOf, noticesOf, markSeen } = await buildOffice();
    await byRatna('PUT', `/${budi.id}`, { is_admin: true });
    const [seen] = await noticesOf(wati);
    await markSeen(wati, seen?.id ?? '');
    await byRatna('PUT', `/${wati.id}/toggle-status`);
    await byRatna('PUT', `/${wati.id}/toggle-status`);
    expect(await textsOf(buildSession(test, wati.id))).toEqual([
      'Ibu Ratna mengaktifkan akun admin Wati (wati@kantor.id)',
      'Ibu Ratna menonaktifkan akun admin Wati (wati@kantor.id)',
    ]);
  });

  it('does not come from earlier days to an account that becomes an admin for the first time, new or inactive', async () => {
    const { test, budi, byRatna, noticesOf } = await buildOffice();
    await byRatna('PUT', `/${budi.id}`, { is_admin: true });
    const body = { name: 'Joko', email: 'joko@kantor.id', password: 'rahasia-joko', is_admin: true };
    const joko = await byRatna('POST', '', body);
    expect(await noticesOf(buildSession(test, joko.id))).toEqual([]);
    const sari = await byRatna('POST', '', { ...body, name: 'Sari', email: 'sari@kantor.id', is_active: false });
    await byRatna('PUT', `/${sari.id}/toggle-status`);
    expect(await noticesOf(buildSession(test, sari.id))).toEqual([]);
  });

  it('shows the ten oldest, the newest of them first, and the others when these were seen', async () => {
    const { test, dewi, budi, byRatna, noticesOf } = await buildOffice();
    for (let round = 0; round < 12; round += 1) await byRatna('PUT', `/${budi.id}`, { is_admin: round % 2 === 0 });
    const shown = (await noticesOf(dewi)).map(({ id }) => Number(id));
    expect(shown).toHaveLength(10);
    expect(shown).toEqual(shown.toSorted((a, b) => b - a));
    expect(shown[0]).toBe(10);
    await test.call('POST', `${LIST}/10/seen`, { token: dewi.token });
    expect((await noticesOf(dewi)).map(({ id }) => id)).toEqual(['12', '11']);
  });

  itOnSqlite('uses an index of its own, however long the audit is', async () => {
    const { test, ratna } = await buildOffice();
    const plans = await queryPlans(test, (orm) => listUnseenNotices(orm, ratna.id, 10));
    expect(plans.join('\n')).toContain('USING INDEX audit_notices (id>?)');
    expect(plans.join('\n')).not.toContain('TEMP B-TREE');
  });
});
