import { expect, it } from 'vitest';
import type { Call } from '#shared/api/calls/call.ts';
import { calls } from '#shared/api/calls.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { connectErrorMessage, openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const TEXT = 'Ganti password Anda dulu.';
const given = { password: 'rahasia-kantor' };

async function resetAndSignIn(test: TestApp, ratna: SignedInUser, budi: SignedInUser, mustChange: boolean) {
  const body = { ...given, must_change: mustChange };
  const reset = await test.call('PUT', `/api/admin/users/${budi.id}/password`, { token: ratna.token, body });
  expect(reset.status).toBe(200);
  const login = await test.call('POST', '/api/auth/login', { body: { email: budi.email, ...given } });
  expect(login.status).toBe(200);
  return (login.body.data as { token: string }).token;
}

it('a password that must be changed opens nothing but its change, the own account and the logout', async () => {
  const test = await buildTestApp();
  const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
  const token = await resetAndSignIn(test, ratna, budi, true);
  const own = await test.call('GET', '/api/auth/user', { token });
  expect(own).toMatchObject({ status: 200, body: { data: { must_change_password: true } } });
  const open: string[] = [];
  for (const [key, { access }] of Object.entries<Call>(calls)) {
    if (access === 'public') continue;
    const [method = '', path = ''] = key.split(' ');
    if (key === 'POST /auth/logout') continue;
    const headers: Record<string, string> = method === 'GET' ? {} : { 'content-type': 'application/json' };
    const payload = method === 'GET' ? undefined : '{';
    const answer = await test.call(method, `/api${path.replaceAll(/\{\w+\}/g, 'x')}`, { token, headers, payload });
    if (answer.status !== 403 || answer.body.message !== TEXT) open.push(key);
  }
  expect(open).toEqual(['GET /auth/user', 'PUT /auth/password']);
  expect(await connectErrorMessage(test, { token })).toBe(TEXT);
  const same = { ...given, current_password: given.password, password_confirmation: given.password };
  expect(await test.call('PUT', '/api/auth/password', { token, body: same })).toMatchObject({
    status: 422,
    body: { errors: { password: ['Pilih password lain dari yang diberi kantor'] } },
  });
  const body = { current_password: given.password, password: 'rahasia-baru', password_confirmation: 'rahasia-baru' };
  expect((await test.call('PUT', '/api/auth/password', { token, body })).status).toBe(200);
  expect((await test.call('GET', '/api/auth/sessions', { token })).status).toBe(200);
  expect(await test.call('GET', '/api/auth/user', { token })).toMatchObject({
    body: { data: { must_change_password: false } },
  });
  await openTab(test, { token });
});

it('a session of such a password ends with the logout', async () => {
  const test = await buildTestApp();
  const token = await resetAndSignIn(test, buildAdmin(test), buildTestUser(test), true);
  expect((await test.call('POST', '/api/auth/logout', { token })).status).toBe(200);
  expect((await test.call('GET', '/api/auth/user', { token })).status).toBe(401);
});

it('a reset without must_change asks for nothing, also after one with it', async () => {
  const test = await buildTestApp();
  const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
  await resetAndSignIn(test, ratna, budi, true);
  const token = await resetAndSignIn(test, ratna, budi, false);
  expect((await test.call('GET', '/api/auth/sessions', { token })).status).toBe(200);
});
