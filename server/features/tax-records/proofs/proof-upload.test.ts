import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

/** Over real connections, because injected requests do not show what a form does to a connection. */
async function listenForUploads(trustedProxies: string[] | null = null) {
  const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies, rateLimits: true };
  const test = await buildTestApp({ settings });
  const url = await test.server.listen({ host: '127.0.0.1', port: 0 });
  const user = buildTestUser(test);
  const record = buildRecord(test, user.id);
  const path = `/api/tax-records/${record.id}/payment-proof`;
  const authorization = `Bearer ${user.token}`;

  const send = async (body: FormData | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, { method: 'POST', body, headers: { authorization, ...headers } });
    return { status: answer.status, body: await answer.json() };
  };
  const upload = (sizeBytes: number) => {
    const form = new FormData();
    form.append('payment_proof', new Blob([buildImage('png', sizeBytes)], { type: 'image/png' }), 'a.png');
    return send(form);
  };
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const requestHead = ({ payload, headers }: ReturnType<typeof buildForm>): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`;
  return { test, send, upload, open, head: requestHead, stored: () => readdirSync(test.proofsDir) };
}

const tooLarge = { status: 413, body: { success: false, message: 'Ukuran file maksimal 5MB' } };

it('accepts an image of exactly 5,242,880 bytes and refuses one byte more', async () => {
  const { upload, stored } = await listenForUploads();
  expect(await upload(5_242_881)).toEqual(tooLarge);
  expect(stored()).toEqual([]);
  expect((await upload(5_242_880)).status).toBe(200);
  expect(stored()).toHaveLength(1);
});

it('answers an upload of 20 MB with 413 instead of letting the client wait', async () => {
  const { upload, stored } = await listenForUploads();
  expect(await upload(20 * 1024 * 1024)).toEqual(tooLarge);
  expect(await upload(20 * 1024 * 1024)).toEqual(tooLarge);
  expect(stored()).toEqual([]);
  expect((await upload(100)).status).toBe(200);
});

it('keeps a connection usable after forms that were too large', async () => {
  const { open, head: requestHead } = await listenForUploads();
  const socket = await open();
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  const manyFields = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 'x'.repeat(50_000)]));
  const forms = [
    buildForm(manyFields),
    buildForm({ notes: 'x'.repeat(200_000) }, { bytes: buildImage('png', 9_000_000) }),
    buildForm({}, { bytes: buildImage() }),
  ];
  for (const form of forms) socket.write(Buffer.concat([Buffer.from(requestHead(form)), form.payload]));
  await expect.poll(() => received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 413', 'HTTP/1.1 200']);
  expect(received).toContain('"message":"Data terlalu besar"');
  socket.destroy();
});

it('stores nothing of an upload that is interrupted', async () => {
  const { test, open, head: requestHead, upload, stored } = await listenForUploads();
  const form = buildForm({}, { bytes: buildImage('png', 500_000) });
  const brokenOff = new Promise<void>((resolve) => {
    test.server.server.once('request', (request) => request.once('close', () => resolve()));
  });
  const socket = await open();
  socket.write(requestHead(form));
  socket.write(form.payload.subarray(0, 300_000), () => socket.destroy());
  await brokenOff;
  await expect.poll(stored).toEqual([]);
  expect((await upload(100)).status).toBe(200);
  expect(stored()).toHaveLength(1);
});

it('refuses a malformed form', async () => {
  const { send, stored } = await listenForUploads();
  const { payload, headers } = buildForm({ notes: 'x' }, { bytes: buildImage() });
  const badFormat = { status: 400, body: { success: false, message: 'Format data tidak valid' } };
  expect(await send(payload.subarray(0, payload.length - 20), headers)).toEqual(badFormat);
  expect(await send(payload, { 'content-type': 'multipart/form-data' })).toEqual(badFormat);
  expect(await send(payload, { 'content-type': 'multipart/form-data; boundary=other' })).toEqual(badFormat);
  expect(await send(Buffer.from('{}'), { 'content-type': 'multipart/form-data; boundary=b' })).toEqual(badFormat);
  expect(await send(buildForm({ __proto__x: 'x', constructor: 'x' }).payload, headers)).toEqual(badFormat);
  expect(stored()).toEqual([]);
});

it('writes an upload to the disk while it arrives, not into memory', async () => {
  const { test, open, head: requestHead, stored } = await listenForUploads();
  const { payload, headers } = buildForm({}, { bytes: buildImage('png', 4_000_000) });
  const socket = await open();
  socket.write(requestHead({ payload, headers }));
  socket.write(payload.subarray(0, 3_000_000));
  const storedBytes = () => stored().map((name) => statSync(join(test.proofsDir, name)).size);
  await expect.poll(() => storedBytes()[0] ?? 0).toBeGreaterThan(2_900_000);
  expect(stored()).toEqual([expect.stringMatching(/\.part$/)]);
  socket.write(payload.subarray(3_000_000));
  await expect.poll(stored).toEqual([expect.stringMatching(/\.png$/)]);
  expect(storedBytes()).toEqual([4_000_000]);
  socket.destroy();
});

it('skips files under names that the form does not have, before and after the image', async () => {
  const { send, stored } = await listenForUploads();
  const other = { bytes: Buffer.alloc(2_000_000), field: 'lampiran' };
  const image = { bytes: buildImage() };
  const { payload, headers } = buildForm({ a: 'b' }, other, other, image, other);
  expect((await send(payload, headers)).status).toBe(200);
  expect(stored()).toEqual([expect.stringMatching(/\.png$/)]);
});

it('takes four files and forty fields of a form, and no more', async () => {
  const { send, stored } = await listenForUploads();
  const tooMuch = { status: 413, body: { success: false, message: 'Data terlalu besar' } };
  const sendForm = ({ fields, files }: { fields: number; files: number }) => {
    const texts = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, 'x']));
    const others = Array.from({ length: files - 1 }, () => ({ bytes: buildImage(), field: 'lampiran' }));
    const { payload, headers } = buildForm(texts, { bytes: buildImage() }, ...others);
    return send(payload, headers);
  };
  expect(await sendForm({ fields: 41, files: 1 })).toEqual(tooMuch);
  expect(await sendForm({ fields: 1, files: 5 })).toEqual(tooMuch);
  expect(stored()).toEqual([]);
  expect((await sendForm({ fields: 40, files: 4 })).status).toBe(200);
});

it('removes the temporary file of an upload with its answer', async () => {
  const { open, head: requestHead, stored } = await listenForUploads();
  const { payload, headers } = buildForm({ name: '' }, { bytes: buildImage('png', 1_000_000) });
  const socket = await open();
  socket.write(requestHead({ payload, headers }).replace(/tax-records\S+/, 'tax-records'));
  socket.write(payload.subarray(0, 500_000));
  await expect.poll(stored).toEqual([expect.stringMatching(/\.part$/)]);
  socket.write(payload.subarray(500_000));
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 422 /);
  expect(stored()).toEqual([]);
  socket.destroy();
});

it('refuses a form with two images and stores neither', async () => {
  const { send, stored } = await listenForUploads();
  const { payload, headers } = buildForm({}, { bytes: buildImage() }, { bytes: buildImage('gif') });
  const answer = { status: 413, body: { success: false, message: 'Data terlalu besar' } };
  expect(await send(payload, headers)).toEqual(answer);
  expect(stored()).toEqual([]);
});

it('refuses a form that announces more than it may have before it is sent', async () => {
  const { open, head: requestHead } = await listenForUploads();
  const { payload, headers } = buildForm({}, { bytes: buildImage('png', 7_000_000) });
  const socket = await open();
  socket.write(requestHead({ payload, headers }));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [^]*Ukuran file maksimal 5MB/);
  socket.destroy();
});

it('answers 429 to an account with too many unfinished uploads, and lets other accounts upload', async () => {
  const { test, open, head: requestHead, upload, stored } = await listenForUploads();
  const form = buildForm({}, { bytes: buildImage('png', 500_000) });
  const silent = await Promise.all(Array.from({ length: 6 }, open));
  for (const socket of silent)
    socket.write(Buffer.concat([Buffer.from(requestHead(form)), form.payload.subarray(0, 300_000)]));
  // Two are read and four wait for them.
  await expect.poll(() => stored().length).toBe(2);
  expect(await upload(100)).toEqual({
    status: 429,
    body: { success: false, message: 'Terlalu banyak percobaan. Coba lagi dalam 5 detik.' },
  });
  const other = buildTestUser(test);
  const { id } = buildRecord(test, other.id);
  const { payload, headers } = buildForm({}, { bytes: buildImage() });
  const answer = await test.call('POST', `/api/tax-records/${id}/payment-proof`, {
    token: other.token,
    payload,
    headers,
  });
  expect(answer.status).toBe(200);

  for (const socket of silent) socket.destroy();
  await expect.poll(() => stored().length).toBe(1);
  expect((await upload(100)).status).toBe(200);
});

it.each([
  ['an upload', 'multipart/form-data; boundary=b'],
  ['a JSON body', 'application/json'],
])('ends a connection that stops sending %s', async (_, contentType) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { test, open, head: requestHead, stored } = await listenForUploads();
  const requestStarted = once(test.server.server, 'request');
  const socket = await open();
  const form = { payload: Buffer.alloc(5000), headers: { 'content-type': contentType } };
  socket.write(requestHead(form));
  await requestStarted;
  const answer = once(socket, 'data');
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(10_000);
  expect(String((await answer)[0])).toMatch(
    /^HTTP\/1\.1 400 [^]*Pengiriman data terhenti\. Periksa koneksi, lalu coba lagi\./,
  );
  await closed;
  await expect.poll(stored).toEqual([]);
});

it('ends a connection that brings less than 1,024 bytes of a body in ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { test, open, head: requestHead } = await listenForUploads();
  const requestStarted = once(test.server.server, 'request') as Promise<[IncomingMessage]>;
  const socket = await open();
  socket.write(requestHead({ payload: Buffer.alloc(5000), headers: { 'content-type': 'application/json' } }));
  const [{ socket: received }] = await requestStarted;
  const sendWithinTenSeconds = async (sizeBytes: number): Promise<void> => {
    const before = received.bytesRead;
    socket.write(Buffer.alloc(sizeBytes));
    await expect.poll(() => received.bytesRead).toBe(before + sizeBytes);
    vi.advanceTimersByTime(10_000);
  };
  await sendWithinTenSeconds(1024);
  await sendWithinTenSeconds(1024);
  expect(received.destroyed).toBe(false);
  await sendWithinTenSeconds(1023);
  expect(received.destroyed).toBe(true);
  socket.destroy();
});

it.each([
  ['trickles', 20, 1, 0],
  ['is of an account with two, bringing 3,400 bytes a second', 10, 1, 8 * 3400],
  ['is one of five at each of four addresses, bringing 3,400 bytes a second', 20, 4, 8 * 3400],
])(
  'ends an upload that %s when another account waits, and never lets an admin wait',
  async (_, accounts, addresses, moreBytes) => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { test, open, upload, stored } = await listenForUploads(['127.0.0.1']);
    const form = buildForm({}, { bytes: buildImage('png', addresses > 1 ? 110_000 : 500_000) });
    const owners = Array.from({ length: accounts }, () => buildTestUser(test));
    const slow = await Promise.all(
      [...owners, ...owners].slice(0, 20).map(async ({ id, token }, index) => {
        const record = buildRecord(test, id);
        const socket = await open();
        socket.write(
          `POST /api/tax-records/${record.id}/payment-proof HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.${index % addresses}\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${form.headers['content-type']}\r\nContent-Length: ${form.payload.length}\r\n\r\n`,
        );
        socket.write(form.payload.subarray(0, 3000));
        return socket;
      }),
    );
    await expect.poll(() => stored().length).toBe(20);
    for (const socket of slow) socket.write(form.payload.subarray(3000, 3000 + moreBytes));
    const smallestOf = (names: string[]) => Math.min(...names.map((name) => statSync(join(test.proofsDir, name)).size));
    await expect.poll(() => smallestOf(stored())).toBeGreaterThanOrEqual(moreBytes);
    const admin = buildAdmin(test);
    const { id } = buildRecord(test, admin.id);
    const ofAdmin = { token: admin.token, ...buildForm({}, { bytes: buildImage() }) };
    expect((await test.call('POST', `/api/admin/tax-records/${id}/payment-proof`, ofAdmin)).status).toBe(200);
    const ended = Promise.race(slow.map(async (socket) => String((await once(socket, 'data'))[0])));
    vi.advanceTimersByTime(8000);
    expect((await upload(100)).status).toBe(200);
    expect(await ended).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5\r\n[^]*Server sedang sibuk\. Coba lagi\./);
    for (const socket of slow) socket.destroy();
  },
);
