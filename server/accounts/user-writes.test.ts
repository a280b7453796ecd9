import { describe, expect, it } from 'vitest';
import type { SystemInfo } from '#shared/api/system.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { createUserWrites } from './user-writes.ts';

const GB = 1024 ** 3;
const budi = { id: 'budi', isAdmin: false };
const ratna = { id: 'ratna', isAdmin: true };

function buildUserWrites({ rateLimits = true, freeBytes = 100 * GB, totalBytes = 200 * GB } = {}) {
  let nowMs = 0;
  const space = { freeBytes, totalBytes };
  const userWrites = createUserWrites({ monotonicNow: () => nowMs, rateLimits, readSpace: () => space });
  return { ...userWrites, space, advance: (ms: number) => void (nowMs += ms) };
}
const statusOf = (write: () => void): number => {
  try {
    write();
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
};
const countPassed = (write: () => void, tries: number): number =>
  Array.from({ length: tries }, () => statusOf(write)).filter((status) => status === 200).length;

describe('what one user may write', () => {
  it('ends at 600 changes in ten minutes and 2,000 in a day, for each user apart', () => {
    const { countChange, advance } = buildUserWrites();
    const change = () => countChange(budi);
    expect(countPassed(change, 700)).toBe(600);
    expect(countPassed(() => countChange({ ...budi, id: 'siti' }), 700)).toBe(600);
    for (const expected of [600, 600, 200, 0]) {
      advance(10 * MINUTE_MS);
      expect(countPassed(change, 700)).toBe(expected);
    }
    advance(24 * 60 * MINUTE_MS);
    expect(countPassed(change, 700)).toBe(600);
  });

  it('ends at 2,000 messages in a day', () => {
    const { countMessage, countChange } = buildUserWrites();
    expect(countPassed(() => countMessage(budi), 2100)).toBe(2000);
    expect(statusOf(() => countMessage(budi))).toBe(429);
    expect(statusOf(() => countChange(budi))).toBe(200);
  });

  it('knows no bound for admins, and none without rate limits', () => {
    const { countMessage, countChange } = buildUserWrites();
    expect(countPassed(() => countMessage(ratna), 2100)).toBe(2100);
    expect(countPassed(() => countChange(ratna), 2100)).toBe(2100);
    const unlimited = buildUserWrites({ rateLimits: false });
    expect(countPassed(() => unlimited.countChange(budi), 2100)).toBe(2100);
  });
});

it.each([
  ['a large disk', 256 * 1024 * 1024, 200 * GB],
  ['a small disk', 0.025 * GB, GB],
])('users leave the last part of %s to admins, also without rate limits', (_, reservedBytes, totalBytes) => {
  const { space, requireSpace, countMessage, countChange, advance } = buildUserWrites({
    rateLimits: false,
    freeBytes: reservedBytes,
    totalBytes,
  });
  const writes = [() => countMessage(budi), () => countChange(budi), () => requireSpace(null)];
  expect(writes.map(statusOf)).toEqual([200, 200, 200]);
  space.freeBytes -= 1;
  // The disk is asked every five seconds.
  advance(5000);
  expect(writes.map(statusOf)).toEqual([507, 507, 507]);
  expect(statusOf(() => countMessage(ratna))).toBe(200);
  expect(statusOf(() => countChange(ratna))).toBe(200);
  space.freeBytes += 1;
  advance(5000);
  expect(writes.map(statusOf)).toEqual([200, 200, 200]);
});

it('answers users with 507 while the disk is nearly full, stores nothing of theirs, and goes on for admins', async () => {
  const readDiskSpace = () => ({ freeBytes: 100 * 1024 * 1024, totalBytes: 100 * GB });
  const { test, send, post } = await buildChatApp({ readDiskSpace });
  const admin = buildAdmin(test);
  const user = buildTestUser(test);
  const { id } = buildRecord(test, user.id);
  const tables = ['messages', 'attachments', 'tax_records', 'audit_entries', 'users'];
  const countRows = () =>
    tables.map((table) => test.database.sqlite.prepare(`select count(*) from ${table}`).pluck().get());
  const before = countRows();
  const body = {
    name: 'Budi Baru',
    spt_number: '1',
    address: 'Jalan Melati 1',
    property_type: 'toko',
    amount: 1000,
    due_date: '2026-09-30',
  };
  const photo = buildForm({}, { bytes: buildImage() });
  const account = { email: 'baru@contoh.id', password: 'rahasia-baru', password_confirmation: 'rahasia-baru' };
  const writes: [string, string, object][] = [
    ['POST', '/api/messages/send', { body: { to_user_id: admin.id, content: 'Halo' } }],
    ['POST', '/api/messages/attachments', photo],
    ['POST', '/api/tax-records', { body }],
    ['PUT', `/api/tax-records/${id}`, { body }],
    ['POST', `/api/tax-records/${id}/payment-proof`, photo],
    ['POST', `/api/tax-records/${id}/payment-proof/from-message`, { body: { attachment_id: 'x' } }],
    ['DELETE', `/api/tax-records/${id}`, {}],
    ['POST', '/api/tax-records/auto-create', { body: {} }],
    ['PUT', '/api/auth/user', { body }],
    ['POST', '/api/auth/register', { body: { name: 'Baru', ...account } }],
  ];
  for (const [method, path, options] of writes) {
    const { status, body: answer } = await test.call(method, path, { token: user.token, ...options });
    expect([path, status, answer]).toEqual([
      path,
      507,
      { success: false, message: 'Penyimpanan server penuh. Hubungi administrator.' },
    ]);
  }
  expect(countRows()).toEqual(before);
  // Reading goes on for everybody.
  expect((await test.call('GET', '/api/tax-records', { token: user.token })).status).toBe(200);
  await send(admin, user, 'Kami bantu');
  expect((await post(admin, { to_user_id: user.id, content: 'Lagi' })).status).toBe(201);
  const asAdmin = { token: admin.token };
  expect((await test.call('PUT', `/api/admin/tax-records/${id}`, { ...asAdmin, body: { notes: 'x' } })).status).toBe(
    200,
  );
  const proof = await test.call('POST', `/api/admin/tax-records/${id}/payment-proof`, { ...asAdmin, ...photo });
  expect(proof.status).toBe(200);
});

it('tells admins on the system page whether users are refused for lack of disk space', async () => {
  const space = { freeBytes: 256 * 1024 * 1024, totalBytes: 100 * GB };
  const test = await buildTestApp({ readDiskSpace: () => space });
  const admin = buildAdmin(test);
  const readDisk = async () => {
    const info: SystemInfo = (await test.call('GET', '/api/admin/system', { token: admin.token })).body.data;
    return info.disk;
  };
  expect(await readDisk()).toEqual({
    free_bytes: space.freeBytes,
    total_bytes: space.totalBytes,
    users_refused: false,
  });
  space.freeBytes -= 1;
  expect(await readDisk()).toMatchObject({ users_refused: true });
});

it('answers the change of a user beyond the limit with 429, and leaves audit and record as they were', async () => {
  const test = await buildTestApp();
  const user = buildTestUser(test);
  const admin = buildAdmin(test);
  const { id } = buildRecord(test, user.id);
  const edit = async (number: number, { token }: { token: string } = user, path = '/api/tax-records') =>
    test.call('PUT', `${path}/${id}`, { token, body: { notes: `ke-${number}` } });
  const countEntries = () => test.database.sqlite.prepare('select count(*) from audit_entries').pluck().get();
  const answers = await Promise.all(Array.from({ length: 600 }, async (_, index) => edit(index)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const entries = countEntries();
  expect(await edit(601)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '600' },
    body: { success: false, message: 'Terlalu banyak percobaan. Coba lagi dalam 600 detik.' },
  });
  expect((await test.call('DELETE', `/api/tax-records/${id}`, { token: user.token })).status).toBe(429);
  expect((await test.call('PUT', '/api/auth/user', { token: user.token, body: { name: 'Lain' } })).status).toBe(429);
  expect(countEntries()).toBe(entries);
  expect((await edit(602, admin, '/api/admin/tax-records')).status).toBe(200);
  test.clock.advance(10 * MINUTE_MS);
  expect((await edit(603)).status).toBe(200);
});

it('stores 2,000 messages of a user in a day, answers a repeat of one of them, and refuses the next one', async () => {
  const { test, send, post } = await buildChatApp();
  const admin = buildAdmin(test);
  const user = buildTestUser(test);
  const body = { to_user_id: admin.id, content: 'Halo', client_id: 'a-1' };
  expect((await post(user, body)).status).toBe(201);
  for (let sent = 1; sent < 2000; sent += 1) {
    if (sent % 50 === 0) test.clock.advance(10_000);
    await send(user, admin, String(sent));
  }
  test.clock.advance(10_000);
  expect((await post(user, body)).status).toBe(200);
  expect(await post(user, { ...body, client_id: 'a-2' })).toMatchObject({
    status: 429,
    body: { message: expect.stringMatching(/^Terlalu banyak percobaan\. Coba lagi dalam 86\d{3} detik\.$/) },
  });
  await send(admin, user, 'Kami jawab');
  test.clock.advance(24 * 60 * MINUTE_MS);
  expect((await post(user, { ...body, client_id: 'a-2' })).status).toBe(201);
});
