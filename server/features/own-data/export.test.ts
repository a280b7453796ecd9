import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { buildAdmin, buildSession, buildTestUser, cheapHash, type SignedInUser } from '#server/testing/factories.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { askForExport, readExport, waitForExport } from '#server/testing/own-data.ts';
import { changeUser } from '#server/testing/rows.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp, type TestOverrides } from '#server/testing/test-app.ts';
import type { StartExport } from './export-thread.ts';

const PASSWORD = 'rahasia-1';
const HASH = cheapHash(PASSWORD);
const person = (test: TestApp, name: string): SignedInUser => buildTestUser(test, { name, passwordHash: HASH });
const ask = (test: TestApp, caller: { token: string }, password: unknown = PASSWORD) =>
  askForExport(test, caller, password);
const folderOf = (test: TestApp): string => join(dirname(test.proofsDir), 'exports');
const filesOf = (test: TestApp): string[] => (existsSync(folderOf(test)) ? readdirSync(folderOf(test)) : []);
const download = async (test: TestApp, url: string | null) => (await test.call('GET', url ?? '')).status;

type Making = { userId: string; onPercent: (percent: number) => void; end: (error?: Error) => Promise<void> };

/** An app whose copies are made by the test, each when it says so. */
async function buildSlowApp(overrides: TestOverrides = {}) {
  const making: Making[] = [];
  const startExport: StartExport = ({ userId, path }, onPercent) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    writeFileSync(path, 'begun');
    const end = async (error?: Error): Promise<void> => {
      if (error) return reject(error);
      await writeFile(path, 'a whole copy');
      resolve('a whole copy'.length);
    };
    making.push({ userId, onPercent, end });
    return { bytes: promise, stop: async () => reject(new Error('stopped')) };
  };
  const test = await buildTestApp({ startExport, ...overrides });
  const [budi, wati] = [person(test, 'Budi'), person(test, 'Wati')];
  /** Ends the copy that is being made, as soon as it is. */
  const endOne = async (of: SignedInUser, error?: Error): Promise<void> => {
    await expect.poll(() => making.at(-1)?.userId).toBe(of.id);
    await making.at(-1)?.end(error);
  };
  return { test, budi, wati, making, endOne };
}

describe('a copy of the own data', () => {
  it('needs the own password, becomes ready, and its link needs no header', async () => {
    const test = await buildTestApp();
    const budi = person(test, 'Budi');
    const none = { state: 'none', percent: null, ahead: null, url: null, expires_at: null, bytes: null };
    expect(await readExport(test, budi)).toEqual(none);
    expect(await ask(test, budi, '')).toMatchObject({ status: 422, body: { message: 'Masukkan password Anda' } });
    expect(await ask(test, budi, 'salah')).toMatchObject({ status: 422, body: { message: 'Password salah' } });
    expect(await readExport(test, budi)).toEqual(none);
    const asked = await ask(test, budi);
    expect(asked).toMatchObject({ status: 202, body: { data: { ...none, state: 'running', percent: 0, ahead: 0 } } });
    const ready = await waitForExport(test, budi);
    expect(ready).toMatchObject({ state: 'ready', expires_at: '2026-06-11T05:00:00.000Z' });
    const file = await test.call('GET', ready.url ?? '');
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(ready.bytes),
      'content-disposition': expect.stringContaining('filename="data-saya-2026-06-10.zip"') as string,
      'cache-control': 'no-store',
    });
    expect(file.raw.subarray(0, 2).toString()).toBe('PK');
  });

  it('answers 401 without a session', async () => {
    const test = await buildTestApp();
    expect((await test.call('POST', '/api/auth/export', { body: {} })).status).toBe(401);
    expect((await test.call('GET', '/api/auth/export')).status).toBe(401);
  });

  it('answers 429 to the right password after five wrong ones', async () => {
    const { test, budi } = await buildSlowApp({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false },
    });
    for (let count = 0; count < 5; count += 1) expect((await ask(test, budi, 'salah')).status).toBe(422);
    expect((await ask(test, budi)).status).toBe(429);
  });
});

describe('the link of a copy', () => {
  it('dies after ten minutes, and with its session; a new answer has a new one', async () => {
    const test = await buildTestApp();
    const budi = person(test, 'Budi');
    const phone = buildSession(test, budi.id);
    await ask(test, budi);
    const { url } = await waitForExport(test, budi);
    const { url: urlOfPhone } = await readExport(test, phone);
    test.clock.advance(10 * MINUTE_MS - 1);
    expect(await download(test, url)).toBe(200);
    test.clock.advance(1);
    expect(await download(test, url)).toBe(404);
    const { url: fresh } = await readExport(test, budi);
    expect(await download(test, fresh)).toBe(200);
    const { url: freshOfPhone } = await readExport(test, phone);
    await test.call('POST', '/api/auth/logout', { token: budi.token });
    expect(await download(test, fresh)).toBe(404);
    expect(await download(test, freshOfPhone)).toBe(200);
    expect(await download(test, urlOfPhone)).toBe(404);
    changeUser(test, budi.id, { mustChangePassword: true });
    expect(await download(test, freshOfPhone)).toBe(404);
    changeUser(test, budi.id, { mustChangePassword: false, isActive: false });
    expect(await download(test, freshOfPhone)).toBe(404);
  });

  it('opens nothing for another account, an admin, or a changed ticket', async () => {
    const test = await buildTestApp();
    const [budi, wati, ratna] = [person(test, 'Budi'), person(test, 'Wati'), buildAdmin(test)];
    await ask(test, budi);
    const { url } = await waitForExport(test, budi);
    for (const other of [wati, ratna]) {
      expect(await readExport(test, other)).toMatchObject({ state: 'none', url: null });
      const [path = '', content = ''] = /^(.*\/)([^.]+)\./.exec(url ?? '')?.slice(1) ?? [];
      const [name, , expires] = Buffer.from(content, 'base64url').toString().split('\n');
      const forged = Buffer.from(`${name}\n${other.sessionId}\n${expires}`).toString('base64url');
      const signature = url?.split('.').at(-1) ?? '';
      expect(await download(test, `${path}${forged}.${signature}`)).toBe(404);
    }
    // A session that has a copy of its own opens that one alone.
    await ask(test, wati);
    await waitForExport(test, wati);
    expect(await download(test, url?.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) ?? '')).toBe(404);
    expect(await download(test, '/api/auth/export-files/x')).toBe(404);
  });
});

describe('the limits of copies', () => {
  it('take one of 50 simultaneous calls', async () => {
    const { test, budi, making } = await buildSlowApp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(test, budi)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(new Set(statuses.filter((status) => status !== 202))).toEqual(new Set([409]));
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe('Salinan data Anda sedang dibuat');
    await expect.poll(() => making.length).toBe(1);
  });

  it('give three in a day', async () => {
    const { test, budi, endOne, making } = await buildSlowApp();
    for (let count = 1; count <= 3; count += 1) {
      expect((await ask(test, budi)).status).toBe(202);
      await expect.poll(() => making.length).toBe(count);
      await endOne(budi);
      await waitForExport(test, budi);
    }
    const message = 'Salinan data dapat dibuat 3 kali sehari. Coba lagi besok.';
    expect(await ask(test, budi)).toMatchObject({ status: 429, body: { message } });
    expect(filesOf(test)).toHaveLength(1);
    test.clock.advance(DAY_MS + 1);
    expect((await ask(test, budi)).status).toBe(202);
  });

  it('give as many as are asked for with RATE_LIMITS=off', async () => {
    const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };
    const { test, budi, endOne, making } = await buildSlowApp({ settings });
    for (let count = 1; count <= 4; count += 1) {
      expect((await ask(test, budi)).status).toBe(202);
      await expect.poll(() => making.length).toBe(count);
      await endOne(budi);
      await waitForExport(test, budi);
    }
  });

  it('refuse one that the disk has no space for', async () => {
    const { test, budi } = await buildSlowApp({
      readDiskSpace: () => ({ freeBytes: 300 * 2 ** 20, totalBytes: 2 ** 40 }),
    });
    expect(await ask(test, budi)).toMatchObject({ status: 507 });
    expect(await readExport(test, budi)).toMatchObject({ state: 'none' });
  });

  it('make one after the other, and say how many are before', async () => {
    const { test, budi, wati, making, endOne } = await buildSlowApp();
    const [tab, tabOfWati] = [await openTab(test, budi), await openTab(test, wati)];
    await ask(test, budi);
    expect((await ask(test, wati)).body.data).toMatchObject({ state: 'running', percent: 0, ahead: 1 });
    await expect.poll(() => making.length).toBe(1);
    making[0]?.onPercent(40);
    expect(await readExport(test, budi)).toMatchObject({ state: 'running', percent: 40, ahead: 0 });
    expect(await tab.next('export:changed')).toEqual({ state: 'running', percent: 40, ahead: 0 });
    await endOne(budi);
    expect(await tab.next('export:changed')).toEqual({ state: 'ready', percent: null, ahead: null });
    expect(await tabOfWati.next('export:changed')).toEqual({ state: 'running', percent: 0, ahead: 0 });
    await endOne(wati);
    expect(await tabOfWati.next('export:changed')).toEqual({ state: 'ready', percent: null, ahead: null });
    expect(tab.payloadsOf('export:changed')).toHaveLength(2);
  });
});

describe('the file of a copy', () => {
  it('goes after a day of operating time, whatever the clock of the computer says', async () => {
    const { test, budi, wati, endOne } = await buildSlowApp();
    await ask(test, budi);
    await endOne(budi);
    await waitForExport(test, budi);
    test.clock.jump(30 * DAY_MS);
    expect(await readExport(test, budi)).toMatchObject({ state: 'ready' });
    test.clock.jump(-30 * DAY_MS);
    test.clock.advance(DAY_MS - MINUTE_MS);
    const { url } = await readExport(test, budi);
    test.clock.advance(MINUTE_MS);
    expect(await readExport(test, budi)).toMatchObject({ state: 'none' });
    expect(await download(test, url)).toBe(404);
    // The sweep runs with each deletion of an account too.
    await test.call('DELETE', `/api/admin/users/${wati.id}`, { token: buildAdmin(test).token, body: {} });
    expect(filesOf(test)).toEqual([]);
  });

  it('goes with the account, also while it is being made', async () => {
    const { test, budi, wati, making, endOne } = await buildSlowApp();
    const ratna = buildAdmin(test);
    await ask(test, budi);
    await endOne(budi);
    await waitForExport(test, budi);
    await ask(test, wati);
    await expect.poll(() => making.length).toBe(2);
    expect(filesOf(test)).toHaveLength(2);
    for (const { id } of [budi, wati])
      expect((await test.call('DELETE', `/api/admin/users/${id}`, { token: ratna.token, body: {} })).status).toBe(200);
    await expect.poll(() => filesOf(test)).toEqual([]);
    expect(test.database.sqlite.prepare('select count(*) from data_exports').pluck().get()).toBe(0);
  });

  it('goes after an error, and its owner may ask again', async () => {
    const { test, budi, endOne } = await buildSlowApp();
    test.expectErrorLog(/a copy of own data was not made/);
    await ask(test, budi);
    await endOne(budi, new Error('ENOSPC'));
    expect(await waitForExport(test, budi)).toMatchObject({ state: 'failed', url: null, percent: null });
    expect(filesOf(test)).toEqual([]);
    expect((await ask(test, budi)).status).toBe(202);
  });

  it('goes at the start after a crash, and the copy has failed; one that was ready stays', async () => {
    const database = openTestDatabase();
    const test = await buildTestApp({ database });
    const [budi, wati, dewi] = [person(test, 'Budi'), person(test, 'Wati'), person(test, 'Dewi')];
    const folder = folderOf(test);
    mkdirSync(folder);
    const nameOf = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000.zip`;
    const insert = database.sqlite.prepare('insert into data_exports values (?, ?, ?, ?, 0)');
    insert.run(budi.id, 'running', nameOf(1), null);
    insert.run(wati.id, 'ready', nameOf(2), 5);
    // A power cut took the end of its file.
    insert.run(dewi.id, 'ready', nameOf(3), 5);
    for (const [name, text] of [
      [`${nameOf(1)}.part`, 'half'],
      [nameOf(2), 'whole'],
      [nameOf(3), 'who'],
      [nameOf(4), 'of nobody'],
      ['catatan.txt', 'of somebody else'],
    ] as const)
      writeFileSync(join(folder, name), text);
    // The first call starts the app.
    expect(await readExport(test, budi)).toMatchObject({ state: 'failed' });
    expect(await readExport(test, wati)).toMatchObject({ state: 'ready', bytes: 5 });
    expect(await readExport(test, dewi)).toMatchObject({ state: 'none' });
    expect(filesOf(test).toSorted()).toEqual([nameOf(2), 'catatan.txt']);
  });
});
