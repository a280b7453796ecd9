import { describe, expect, it } from 'vitest';
import { buildTestApp } from '#server/testing/test-app.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

describe('/healthz', () => {
  it('answers 200 without a session while the database answers', async () => {
    const test = await buildTestApp();
    const answer = await test.call('GET', '/healthz');
    expect([answer.status, answer.raw.toString()]).toEqual([200, '{"status":"ok"}']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await test.call('HEAD', '/healthz')).status).toBe(200);
  });

  itOnSqlite('answers 503 while the database does not answer', async () => {
    const test = await buildTestApp();
    test.expectErrorLog(/request failed/);
    // A start looks for imports that a crash interrupted.
    await test.server.ready();
    test.database.sqlite.close();
    const answer = await test.call('GET', '/healthz');
    expect(answer).toMatchObject({ status: 503, body: { success: false, message: 'Server sedang sibuk. Coba lagi.' } });
    expect(Object.keys(answer.body)).toEqual(['success', 'message']);
  });
});

describe('/readyz', () => {
  it('answers 200 without a session while the database takes writes', async () => {
    const test = await buildTestApp();
    const answer = await test.call('GET', '/readyz');
    expect([answer.status, answer.raw.toString()]).toEqual([200, '{"status":"ok"}']);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  itOnSqlite('answers 503 with a reason while the database takes none', async () => {
    const test = await buildTestApp();
    await test.server.ready();
    test.database.sqlite.close();
    const answer = await test.call('GET', '/readyz');
    expect([answer.status, answer.raw.toString()]).toEqual([503, '{"status":"down"}']);
  });
});
