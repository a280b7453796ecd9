import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildTestUser } from '#server/testing/factories.ts';
import { connectRaw, type RawConnection } from '#server/testing/network/raw-http.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';
import { listen } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createBodyBudget } from './body-budget.ts';

const JSON_TYPE = 'Content-Type: application/json';

/** Announces a record of a megabyte and sends only a part of it. */
async function sendHalfRecord(
  test: TestApp,
  token: string,
  headers = `${JSON_TYPE}\r\nContent-Length: 1000000`,
  beginning: string | Buffer = '{"name":"',
): Promise<RawConnection> {
  const connection = await connectRaw(Number(new URL(await listen(test)).port));
  connection.send(`POST /api/tax-records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n\r\n`);
  connection.send(beginning);
  return connection;
}

// A body that is not counted yet would get no answer: the session must be read within one turn.
itOnSqlite('refuses further large bodies of an account whose others have not arrived, and nobody else', async () => {
  const test = await buildTestApp();
  const [budi, siti] = [buildTestUser(test), buildTestUser(test, { name: 'Siti' })];
  const arriving = [];
  for (let count = 0; count < 8; count += 1) arriving.push(await sendHalfRecord(test, budi.token));
  await expect.poll(async () => (await (await sendHalfRecord(test, budi.token)).answer()).status).toBe(503);
  expect(arriving.map(({ socket }) => socket.closed)).toEqual(arriving.map(() => false));
  const other = await sendHalfRecord(test, siti.token);
  const record = { name: 'Siti', address: 'Jl. Melati 1', spt_number: 'SPT-1', amount: 1000 };
  const call = { token: siti.token, body: record };
  expect((await test.call('POST', '/api/tax-records', call)).status).toBe(201);
  expect(other.socket.closed).toBe(false);
  for (const { socket } of arriving) socket.destroy();
  const large = { token: budi.token, body: { name: 'x'.repeat(900_000) } };
  await expect.poll(async () => (await test.call('POST', '/api/tax-records', large)).status).toBe(422);
});

itOnSqlite.each([
  ['without a content type', 'Content-Length: 1000000'],
  ['of an unknown length', 'Transfer-Encoding: chunked', '9\r\n{"name":"'],
  ['of another type', 'Content-Type: multipart/form-datax\r\nContent-Length: 1000000'],
  ['that are compressed', `${JSON_TYPE}\r\nContent-Encoding: gzip\r\nContent-Length: 30`, gzipSync('').subarray(0, 10)],
])('counts bodies %s', async (_which, headers, beginning?: string | Buffer) => {
  const test = await buildTestApp();
  const budi = buildTestUser(test);
  const send = () => sendHalfRecord(test, budi.token, headers, beginning);
  for (let count = 0; count < 8; count += 1) await send();
  await expect.poll(async () => (await (await send()).answer()).status).toBe(503);
});

itOnSqlite('counts no forms, which have the places of uploads', async () => {
  const test = await buildTestApp();
  const budi = buildTestUser(test);
  const headers = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000';
  for (let count = 0; count < 9; count += 1) await sendHalfRecord(test, budi.token, headers);
  const call = { token: budi.token, body: { name: 'x'.repeat(900_000) } };
  expect((await test.call('POST', '/api/tax-records', call)).status).toBe(422);
});

it('ends the oldest unfinished body of the sender with most when all together take too much', () => {
  const budget = createBodyBudget({ perSenderMax: 60, max: 100 });
  const ended: string[] = [];
  const take = (sender: string, bytes: number, isComplete = false) =>
    budget.take({ sender, bytes, isComplete: () => isComplete, end: () => ended.push(`${sender} ${bytes}`) });
  take('mallory', 20, true);
  take('mallory', 21);
  take('mallory', 19);
  const release = take('budi', 40);
  take('siti', 1);
  expect(ended).toEqual(['mallory 21']);
  expect(() => take('budi', 21)).toThrow(expect.objectContaining({ status: 503 }));
  release();
  take('budi', 60);
  expect(ended).toEqual(['mallory 21']);
  expect(() =>
    createBodyBudget({ max: 1 }).take({ sender: 'x', bytes: 2, isComplete: () => true, end: () => {} }),
  ).toThrow(expect.objectContaining({ status: 503 }));
});

it('holds 8 MiB of a sender, and 64 MiB in all', () => {
  const budget = createBodyBudget();
  const take = (sender: string, bytes: number) =>
    budget.take({ sender, bytes, isComplete: () => true, end: () => undefined });
  const busy = expect.objectContaining({ status: 503 });
  for (let sender = 0; sender < 8; sender += 1) {
    const release = take(`sender ${sender}`, 8 * 2 ** 20);
    expect(() => take(`sender ${sender}`, 1)).toThrow(busy);
    if (sender < 7) continue;
    expect(() => take('another', 1)).toThrow(busy);
    release();
    take('another', 1);
  }
});
