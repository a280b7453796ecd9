import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PushService, startPushService } from '#server/testing/network/push-service.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';

const password = 'rahasia-kantor';
const admin = { email: 'ratna@kantor.id', password };
type SignedIn = { token: string; user: { id: string } };

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

async function call(url: string, method: string, path: string, token: string | null, body: unknown): Promise<never> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  expect(response.ok, `${path}: ${response.status}`).toBe(true);
  return ((await response.json()) as { data: never }).data;
}

it('the program sends what it owed before it was killed, signed with the same key', async () => {
  const settings = {
    DATA_DIR: tempDataDir(),
    PUSH_ALLOW: service.origin,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: password,
    RATE_LIMITS: 'off',
  };
  const first = startServerProcess(settings);
  const { url } = await first.ready();
  const ratna: SignedIn = await call(url, 'POST', '/auth/login', null, admin);
  const person = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };
  const budi: SignedIn = await call(url, 'POST', '/auth/register', null, person);
  const phone = service.subscribe();
  await call(url, 'PUT', '/push/subscription', budi.token, phone);
  const send = (content: string): Promise<never> =>
    call(url, 'POST', '/messages/send', ratna.token, { to_user_id: budi.user.id, content });
  await send('satu');
  await expect.poll(() => service.payloadsOf(phone)).toHaveLength(1);
  service.setDefaultAnswer('reset');
  await send('dua');
  // At once, whether or not the push was tried.
  first.child.kill('SIGKILL');
  await first.exit();

  service.setDefaultAnswer({ status: 201 });
  const second = startServerProcess(settings);
  await second.ready();
  const accepted = () => service.received.filter(({ status }) => status === 201);
  await expect.poll(() => accepted().at(-1)?.payload.body).toBe('dua');
  const [before] = accepted();
  const after = accepted().at(-1);
  expect(after?.payload).toMatchObject({ body: 'dua', user_id: budi.user.id, unread: 2 });
  expect(after?.vapid.publicKey).toBe(before?.vapid.publicKey);
  expect(service.refused).toEqual([]);
  second.child.kill('SIGTERM');
  expect(await second.exit()).toBe(0);
});
