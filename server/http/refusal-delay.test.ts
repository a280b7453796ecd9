import { expect, it } from 'vitest';
import { SENDS_MAX } from '#shared/limits.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

it('answers a caller that sends too much later than others who ask after it', async () => {
  const test = await buildTestApp({ refusalDelayMs: 20 });
  const [admin, user] = [buildAdmin(test), buildTestUser(test)];
  const statuses: number[] = [];
  const send = async (): Promise<void> => {
    const body = { to_user_id: admin.id, content: 'Halo' };
    statuses.push((await test.call('POST', '/api/messages/send', { token: user.token, body })).status);
  };
  await Promise.all(Array.from({ length: SENDS_MAX }, send));
  statuses.length = 0;
  const refused = send();
  const other = test.call('GET', '/healthz').then(({ status }) => void statuses.push(status));
  await Promise.all([refused, other]);
  expect(statuses).toEqual([200, 429]);
});
