import { expect, it } from 'vitest';
import type { Call } from '#shared/api/calls/call.ts';
import { calls } from '#shared/api/calls.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { AdminAccountAnswer } from '#shared/api/users.ts';
import { giveCard, makeAssisted } from '#server/testing/cards.ts';
import { cellsOf, nopOf } from '#server/testing/dhkp.ts';
import { buildRecord } from '#server/testing/factories.ts';
import { buildLinkApp } from '#server/testing/linked-objects.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';

/*
 * Earlier clients find a valid address in every answer, and newer ones know by `has_email` that nobody reads mail there. The test
 * makes a person without an address who has something of everything, and walks through every answer of the table of calls.
 */

/** Every object with an address, however deep. */
function findAddressed(value: unknown): { email: string; has_email?: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'email' in value && typeof value.email === 'string' ? [value as { email: string }] : [];
  return [...own, ...Object.values(value).flatMap(findAddressed)];
}

it('every answer and event with an e-mail address says whether it is one', async () => {
  const app = await buildLinkApp();
  const { test, admin, asUser, asAdmin } = app;
  const tab = await openTab(test, admin);
  await app.importList([cellsOf(1, { amount: '40000' }), cellsOf(2, { amount: '50000' })]);
  const { id: assessmentId } = await app.assessmentOf(nopOf(1));
  const fields = { phone: '0812-3456-7890', assessment_ids: [assessmentId] };
  const karto = (await makeAssisted(test, admin, fields)).body.data as AdminAccountAnswer;
  const { token, code } = await giveCard(test, admin, karto.id);
  const holder = { ...app.user, id: karto.id, token };
  const record = buildRecord(test, karto.id);
  const message = { to_user_id: admin.id, content: 'Selamat pagi', client_id: '0196f1f0-0000-7000-8000-000000000001' };
  expect((await asUser('POST', '/messages/send', message, holder)).status).toBe(201);
  expect((await asUser('POST', '/tax-records/claims', { nop: nopOf(2) }, holder)).status).toBe(201);
  await test.call('POST', '/api/auth/recovery', { body: { identifier: code } });
  await asAdmin('PUT', `/admin/users/${karto.id}`, { name: 'Mbah Karto Wiryo' });
  const claims = (await asAdmin('GET', '/admin/claims')).body.data as { data: { id: string }[] };
  const ids = [karto.id, record.id, assessmentId, ...claims.data.map(({ id }) => id)];

  const places = new Set<string>();
  for (const [key] of Object.entries<Call>(calls).filter(([name]) => name.startsWith('GET '))) {
    const path = key.slice('GET '.length);
    const urls = path.includes('{')
      ? ids.map((id) => path.replaceAll(/\{\w+\}/g, id))
      : [path, `${path}?search=karto&q=karto`];
    for (const url of urls) {
      for (const caller of [admin, holder]) {
        const answer = await test.call('GET', `/api${url}`, { token: caller.token });
        if (answer.status !== 200 || !String(answer.headers['content-type']).includes('json')) continue;
        for (const one of findAddressed(answer.body)) {
          expect(one.has_email, `${url}: ${one.email}`).toBe(hasEmail(one.email));
          if (!hasEmail(one.email)) places.add(key);
        }
      }
    }
  }
  expect([...places].toSorted()).toEqual([
    'GET /admin/claims',
    'GET /admin/conversations/{userId}/transcript',
    'GET /admin/recoveries',
    'GET /admin/tax-records',
    'GET /admin/tax-records/{id}',
    'GET /admin/users',
    'GET /admin/users/{id}',
    'GET /auth/user',
    'GET /messages/conversations',
    'GET /tax-records',
    'GET /tax-records/outstanding',
    'GET /tax-records/{id}',
  ]);
  await waitForPendingEvents(test, tab);
  const told = tab.received().flatMap(findAddressed);
  expect(told.some(({ email }) => email === karto.email)).toBe(true);
  for (const one of told) expect(one.has_email, JSON.stringify(one)).toBe(hasEmail(one.email));
});
