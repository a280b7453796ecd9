import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const METRICS_TOKEN = 'a-token-for-metrics';

const scrape = async (test: TestApp): Promise<string> => {
  const answer = await test.call('GET', '/metrics', { token: METRICS_TOKEN });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  return answer.raw.toString();
};

/** The value of one metric line. */
function metricValue(text: string, line: string): number {
  const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
  expect(found, line).toBeDefined();
  return Number(found?.slice(line.length));
}

describe('GET /metrics', () => {
  it('does not exist without METRICS_TOKEN: the path gets the page of the client', async () => {
    const test = await buildTestApp();
    const client = await test.call('GET', '/whatever');
    const answer = await test.call('GET', '/metrics', { token: METRICS_TOKEN });
    expect([answer.status, answer.raw.toString()]).toEqual([client.status, client.raw.toString()]);
  });

  it('answers 401 without the right bearer token', async () => {
    const test = await buildTestApp({ metricsToken: METRICS_TOKEN });
    const { token: admin } = buildAdmin(test);
    for (const token of [
      undefined,
      '',
      `${METRICS_TOKEN}x`,
      METRICS_TOKEN.slice(0, -1),
      METRICS_TOKEN.toUpperCase(),
      admin,
    ]) {
      const { status, body } = await test.call('GET', '/metrics', { token });
      expect([status, body]).toEqual([
        401,
        { success: false, message: 'Sesi Anda telah berakhir. Silakan login kembali.' },
      ]);
    }
    const basic = await test.call('GET', '/metrics', { headers: { authorization: `Basic ${METRICS_TOKEN}` } });
    expect(basic.status).toBe(401);
  });

  it('counts answers by route and never by an unknown path', async () => {
    const test = await buildTestApp({ metricsToken: METRICS_TOKEN });
    const { token } = buildTestUser(test);
    await test.call('GET', '/api/auth/user', { token });
    await test.call('GET', '/api/auth/user', { token });
    await test.call('GET', '/api/auth/user');
    await test.call('GET', '/api/tax-records/rahasia-1', { token });
    await test.call('GET', '/rahasia-2');
    await test.call('GET', '/api/rahasia-3');
    const text = await scrape(test);
    const user = 'method="GET",route="/api/auth/user"';
    expect(metricValue(text, `pbb_http_requests_total{${user},status="200"}`)).toBe(2);
    expect(metricValue(text, `pbb_http_requests_total{${user},status="401"}`)).toBe(1);
    expect(metricValue(text, `pbb_http_request_seconds_count{${user}}`)).toBe(3);
    expect(metricValue(text, 'pbb_http_requests_total{method="GET",route="client",status="200"}')).toBe(1);
    expect(metricValue(text, 'pbb_http_requests_total{method="GET",route="/api/tax-records/:id",status="404"}')).toBe(
      1,
    );
    expect(text).not.toContain('rahasia');
  });

  it('reports sockets, messages, commits, memory and the event loop', async () => {
    const test = await buildTestApp({ metricsToken: METRICS_TOKEN });
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    await openTab(test, ratna);
    await openTab(test, budi);
    await openTab(test, budi);
    const body = { to_user_id: ratna.id, content: 'Selamat pagi' };
    for (let at = 0; at < 2; at += 1) await test.call('POST', '/api/messages/send', { token: budi.token, body });
    const text = await scrape(test);
    expect(metricValue(text, 'pbb_sockets{side="admin"}')).toBe(1);
    expect(metricValue(text, 'pbb_sockets{side="user"}')).toBe(2);
    expect(metricValue(text, 'pbb_messages_stored_total')).toBe(2);
    expect(metricValue(text, 'pbb_commit_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(metricValue(text, 'pbb_commit_changes_sum')).toBeGreaterThanOrEqual(2);
    expect(metricValue(text, 'pbb_database_bytes')).toBeGreaterThan(50_000);
    expect(metricValue(text, 'pbb_memory_bytes{kind="resident"}')).toBeGreaterThan(10_000_000);
    expect(metricValue(text, 'pbb_event_loop_delay_seconds{quantile="0.99"}')).toBeLessThan(60);
    expect(metricValue(text, 'pbb_cpu_seconds_total')).toBeGreaterThan(0);
    // Alone, it leads.
    expect([metricValue(text, 'pbb_leader'), metricValue(text, 'pbb_other_processes')]).toEqual([1, 0]);
    // A second scrape does not add the same messages again.
    expect(metricValue(await scrape(test), 'pbb_messages_stored_total')).toBe(2);
  });
});
