import { describe, expect, it } from 'vitest';
import type { Access, Call } from '#shared/api/calls/call.ts';
import { calls } from '#shared/api/calls.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const table = Object.entries<Call>(calls);

/** The statuses of all calls of one kind for one caller, by call. Ids and bodies are wrong: a guard comes before both. */
async function callAll(test: TestApp, access: Access, token: string | undefined) {
  const statuses = new Map<string, number>();
  for (const [key] of table.filter(([, call]) => call.access === access)) {
    const [method = '', path = ''] = key.split(' ');
    const headers = method === 'GET' ? {} : { 'content-type': 'application/json' };
    const payload = method === 'GET' ? undefined : '{';
    const answer = await test.call(method, `/api${path.replaceAll(/\{\w+\}/g, 'x')}`, { token, headers, payload });
    statuses.set(key, answer.status);
  }
  return statuses;
}

const callsWithout = (statuses: Map<string, number>, expected: number): string[] =>
  [...statuses].filter(([, status]) => status !== expected).map(([key, status]) => `${key}: ${status}`);

describe('the table of calls', () => {
  it('contains exactly the routes of the server below /api, apart from the documentation', async () => {
    const test = await buildTestApp();
    // openapi.json describes the registered routes; api-docs.test.ts checks that it has all of them.
    const answer = await test.call('GET', '/api/docs/openapi.json');
    const { paths } = JSON.parse(answer.raw.toString()) as { paths: Record<string, object> };
    const registered = Object.entries(paths)
      .filter(([path]) => /^\/api\/(?!docs)/.test(path))
      .flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.slice('/api'.length)}`),
      );
    expect(registered.toSorted()).toEqual(Object.keys(calls).toSorted());
  });

  it('opens no call below /admin/ to others than admins, but the download that a ticket opens', () => {
    const others = table.filter(([key, { access }]) => key.includes(' /admin/') !== (access === 'admin'));
    expect(others.map(([key]) => key)).toEqual(['GET /admin/backup-files/{ticket}']);
  });
});

describe('the guard of every call', () => {
  it('refuses a caller without a session with 401 before it reads the body', async () => {
    const test = await buildTestApp();
    for (const access of ['session', 'admin'] as const) {
      const statuses = await callAll(test, access, undefined);
      expect(statuses.size).toBeGreaterThan(20);
      expect(callsWithout(statuses, 401)).toEqual([]);
    }
  });

  it('refuses a user at a call for admins with 403 before it reads the body', async () => {
    const test = await buildTestApp();
    const statuses = await callAll(test, 'admin', buildTestUser(test).token);
    expect(statuses.size).toBeGreaterThan(20);
    expect(callsWithout(statuses, 403)).toEqual([]);
  });

  it('lets an admin past at each call for admins', async () => {
    const test = await buildTestApp();
    const statuses = await callAll(test, 'admin', buildAdmin(test).token);
    // Other errors of the request are answered after the guard.
    expect([...statuses].filter(([, status]) => status === 401 || status === 403)).toEqual([]);
  });

  it('asks nobody for a session at a public call', async () => {
    const test = await buildTestApp();
    const statuses = await callAll(test, 'public', undefined);
    expect(statuses.size).toBeGreaterThan(3);
    expect([...statuses].filter(([, status]) => status === 401)).toEqual([]);
  });
});
