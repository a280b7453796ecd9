import { callAs, expect, type TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';

type Batch = { id: string; state: string; preview_id: string };

/** Applies a pasted list over REST. @returns the id of the import, and `settled`, which waits until it has a state */
export async function applyList(testServer: TestServer, admin: TestUser, year: number, text: string) {
  const call = async (method: string, path: string, body?: unknown): Promise<Batch> =>
    (await callAs<{ data: Batch }>(testServer, admin, method, path, body)).data;
  const { id } = await call('POST', '/admin/dhkp/batches', { year, text, client_id: crypto.randomUUID() });
  const path = `/admin/dhkp/batches/${id}`;
  const settled = (state: string) => expect.poll(async () => (await call('GET', path)).state).toBe(state);
  await settled('ready');
  await call('POST', `${path}/apply`, { preview_id: (await call('GET', path)).preview_id });
  await settled('applied');
  return { id, settled };
}
