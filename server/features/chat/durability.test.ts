import { expect, it } from 'vitest';
import type { History, Message } from '#shared/api/chat/chat.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';

const password = 'rahasia-kantor';
const adminLogin = { email: 'ratna@kantor.id', password };
const userRegistration = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };

type SignedIn = { token: string; user: { id: string } };
/** The type of `data` is the caller's promise, as in the answers of the test app. */
type Answer = { status: number; data: never };

async function call(url: string, token: string | null, path: string, body?: unknown): Promise<Answer> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, data: ((await response.json()) as Answer).data };
}

async function readAll(url: string, token: string, adminId: string): Promise<Message[]> {
  const all: Message[] = [];
  for (let after = '0'; ; after = all.at(-1)?.id ?? after) {
    const path = `/messages/conversation/${adminId}?limit=200&after=${after}`;
    const { data }: { data: History } = await call(url, token, path);
    all.push(...data.messages);
    if (!data.has_more) return all;
  }
}

it('stores every acknowledged message despite kill -9, and the others can be sent again', async () => {
  const settings = {
    DATA_DIR: tempDataDir(),
    ADMIN_EMAIL: adminLogin.email,
    ADMIN_PASSWORD: password,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
  const first = startServerProcess(settings);
  const { url } = await first.ready();
  const admin: SignedIn = (await call(url, null, '/auth/login', adminLogin)).data;
  const budi: SignedIn = (await call(url, null, '/auth/register', userRegistration)).data;
  const send = async (to: string, clientId: string): Promise<{ status: number; data: Message }> => {
    const body = { to_user_id: admin.user.id, content: `Pesan ${clientId}`, client_id: clientId };
    return call(to, budi.token, '/messages/send', body);
  };

  // Ten at a time, so that the kill hits shared commits.
  const acknowledged = new Map<string, Message>();
  let sentCount = 0;
  async function sendOneAfterTheOther(): Promise<void> {
    for (;;) {
      sentCount += 1;
      const clientId = `n-${sentCount}`;
      const { status, data } = await send(url, clientId);
      expect(status).toBe(201);
      acknowledged.set(clientId, data);
      if (acknowledged.size === 200) first.child.kill('SIGKILL');
    }
  }
  const senders = await Promise.allSettled(Array.from({ length: 10 }, sendOneAfterTheOther));
  expect(senders.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
  expect(await first.exit()).toBe('SIGKILL');
  expect(acknowledged.size).toBeGreaterThanOrEqual(200);

  const second = startServerProcess(settings);
  const { url: secondUrl } = await second.ready();
  const stored = await readAll(secondUrl, budi.token, admin.user.id);
  const byClientId = new Map(stored.map((message) => [message.client_id, message]));
  for (const [clientId, message] of acknowledged) expect(byClientId.get(clientId)).toEqual(message);

  // Every message is sent again: a stored one is not stored twice, a missing one is stored now.
  const wanted = Array.from({ length: sentCount }, (_, at) => `n-${at + 1}`);
  const repeats = await Promise.all(wanted.map(async (clientId) => send(secondUrl, clientId)));
  expect(repeats.filter(({ status }) => status === 200)).toHaveLength(stored.length);
  const all = await readAll(secondUrl, budi.token, admin.user.id);
  expect(all).toHaveLength(wanted.length);
  expect(new Set(all.map(({ client_id }) => client_id))).toEqual(new Set(wanted));
  expect(all.map(({ prev_id }) => prev_id)).toEqual([null, ...all.slice(0, -1).map(({ id }) => id)]);
});
