import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createInlineQueryWorker, type QueryCaller } from '#server/db/query-worker.ts';
import { QueryRefusedError } from '#server/db/abandoned-query.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import type { AppDeps } from '#server/app.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { workerQueries } from '#server/worker-queries.ts';

/** The real app with a query worker that records its calls and can be told to refuse. */
async function buildAppWithObservedWorker() {
  const database = openTestDatabase();
  const inline = createInlineQueryWorker(workerQueries, database.orm);
  const calls: { name: string; caller: QueryCaller; value: unknown }[] = [];
  const state = { isRefusing: false };
  const queryWorker: AppDeps['queryWorker'] = {
    ...inline,
    run: async (name, args, caller) => {
      if (state.isRefusing) throw new QueryRefusedError('too many queries wait');
      const value = await inline.run(name, args, caller);
      calls.push({ name, caller, value });
      return value as never;
    },
  };
  const test = await buildTestApp({ database, queryWorker });
  return { test, calls, state, user: buildTestUser(test), admin: buildAdmin(test) };
}

const userLists = ['/api/tax-records', '/api/tax-records/outstanding', '/api/tax-records/year/2025'];
const adminLists = [
  '/api/admin/tax-records',
  '/api/admin/users',
  '/api/admin/audit',
  '/api/admin/tax-records/x/history',
  '/api/messages/conversations',
  '/api/messages/conversation/USER?limit=51',
];
const allLists = [...userLists, ...adminLists];

it.each(allLists)('sends %s as the query worker encoded it', async (path) => {
  const { test, calls, user, admin } = await buildAppWithObservedWorker();
  buildRecord(test, user.id);
  const { token } = userLists.includes(path) ? user : admin;
  const answer = await test.call('GET', path.replace('USER', user.id), { token });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(calls).toHaveLength(1);
  expect(Buffer.from(calls[0]?.value as Uint8Array).equals(answer.raw)).toBe(true);
});

it('names the account, and ends the wait for the answer when it was sent', async () => {
  const { test, calls, user } = await buildAppWithObservedWorker();
  await test.call('GET', '/api/tax-records', { token: user.token });
  const [call] = calls;
  expect(call?.caller.account).toBe(user.id);
  await expect.poll(() => call?.caller.closed?.aborted).toBe(true);
});

it.each([
  ['/api/admin/tax-records', 'search=x'],
  ['/api/admin/users', 'search=x'],
  ['/api/admin/audit', 'search=x'],
  ['/api/messages/conversations', 'search=x'],
])('runs %s with a search apart from short queries', async (path, search) => {
  const { test, calls, admin } = await buildAppWithObservedWorker();
  await test.call('GET', path, { token: admin.token });
  await test.call('GET', `${path}?${search}`, { token: admin.token });
  expect(calls.map(({ caller }) => caller.isSlow)).toEqual([false, true]);
});

it('gets an answer compressed in the worker, if the client accepts that', async () => {
  const { test, calls, user } = await buildAppWithObservedWorker();
  for (let index = 0; index < 20; index += 1) buildRecord(test, user.id);
  const get = (acceptEncoding: string) =>
    test.call('GET', '/api/tax-records', { token: user.token, headers: { 'accept-encoding': acceptEncoding } });
  const plain = await get('identity');
  const refused = await get('gzip;q=0, br');
  const compressed = await test.server.inject({
    url: '/api/tax-records',
    headers: { authorization: `Bearer ${user.token}`, 'accept-encoding': 'br, gzip;q=0.8' },
  });
  expect(plain.body.data).toMatchObject({ total: 20 });
  expect(refused.headers['content-encoding']).toBeUndefined();
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: expect.stringContaining('accept-encoding'),
  });
  expect(Buffer.from(calls[2]?.value as Uint8Array).equals(compressed.rawPayload)).toBe(true);
  expect(gunzipSync(compressed.rawPayload).equals(plain.raw)).toBe(true);
});

it.each(allLists)('answers %s with 503 while the query worker refuses, without an error in the log', async (path) => {
  const { test, state, user, admin } = await buildAppWithObservedWorker();
  state.isRefusing = true;
  const { token } = userLists.includes(path) ? user : admin;
  const answer = await test.call('GET', path.replace('USER', user.id), { token });
  expect([answer.status, answer.body]).toEqual([503, { success: false, message: 'Server sedang sibuk. Coba lagi.' }]);
});
