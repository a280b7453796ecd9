import { expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

it('tells every admin, and no user, about new, changed and deleted accounts', async () => {
  const test = await buildTestApp();
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' })];
  const [budi, siti] = [buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id' }), buildTestUser(test)];
  const [ratnaTab, dewiTab, sitiTab] = [
    await openTab(test, ratna),
    await openTab(test, dewi),
    await openTab(test, siti),
  ];
  const call = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, token = ratna.token) => {
    const answer = await test.call(method, url, { token, ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBeLessThan(300);
    return answer.body.data as { id: string };
  };
  const asUser = { has_email: true, is_admin: false, is_active: true };

  const registration = { name: 'Wati', email: 'wati@contoh.id', password: 'rahasia-wati-1' };
  await call('POST', '/api/auth/register', { ...registration, password_confirmation: registration.password });
  const created = await call('POST', '/api/admin/users', {
    name: 'Joko',
    email: 'joko@contoh.id',
    password: 'rahasia-joko-1',
  });
  await call('PUT', '/api/auth/user', { name: 'Budi Santoso' }, budi.token);
  await call('PUT', `/api/admin/users/${budi.id}/toggle-status`);
  await call('DELETE', `/api/admin/users/${budi.id}`);
  // A refused change is none.
  await test.call('DELETE', `/api/admin/users/${ratna.id}`, { token: ratna.token });
  await waitForPendingEvents(test, ratnaTab, dewiTab, sitiTab);

  const changes = dewiTab.payloadsOf('user:changed');
  expect(changes).toEqual([
    { change: 'created', user: { id: expect.any(String), name: 'Wati', email: 'wati@contoh.id', ...asUser } },
    { change: 'created', user: { id: created.id, name: 'Joko', email: 'joko@contoh.id', ...asUser } },
    { change: 'updated', user: { id: budi.id, name: 'Budi Santoso', email: 'budi@contoh.id', ...asUser } },
    {
      change: 'updated',
      user: { id: budi.id, name: 'Budi Santoso', email: 'budi@contoh.id', ...asUser, is_active: false },
    },
    {
      change: 'deleted',
      user: { id: budi.id, name: 'Budi Santoso', email: 'budi@contoh.id', ...asUser, is_active: false },
    },
  ]);
  expect(ratnaTab.payloadsOf('user:changed')).toEqual(changes);
  expect(sitiTab.payloadsOf('user:changed')).toEqual([]);
});
