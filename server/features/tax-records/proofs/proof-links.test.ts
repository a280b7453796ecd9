import { createHmac } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildAdmin, buildTestUser, buildRecord, buildSession, type SignedInUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { HOUR_MS } from '#shared/durations.ts';

const notFoundAnswer = { status: 404, body: { success: false, message: 'Halaman tidak ditemukan' } };

async function buildAppWithProof(kind: 'jpg' | 'png' | 'gif' = 'png') {
  const test = await buildTestApp();
  const owner = buildTestUser(test);
  const row = buildRecord(test, owner.id);
  const url = `/api/tax-records/${row.id}`;
  const upload = async (bytes: Buffer) => {
    const answer = await test.call('POST', `${url}/payment-proof`, {
      token: owner.token,
      ...buildForm({}, { bytes }),
    });
    const record: TaxRecord = answer.body.data;
    return record.payment_proof ?? '';
  };
  const bytes = buildImage(kind, 3000);
  const link = await upload(bytes);
  const linkFor = async ({ token, isAdmin }: Pick<SignedInUser, 'token' | 'isAdmin'>) => {
    const answer = await test.call('GET', isAdmin ? `/api/admin/tax-records/${row.id}` : url, { token });
    const record: TaxRecord = answer.body.data;
    return record.payment_proof ?? '';
  };
  const status = async (address: string) => (await test.call('GET', address)).status;
  return { test, owner, row, url, upload, bytes, link, linkFor, status };
}

describe('a signed link', () => {
  it.each([
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
    ['gif', 'image/gif'],
  ] as const)('shows a %s without any header of its own', async (kind, type) => {
    const { test, bytes, link } = await buildAppWithProof(kind);
    expect(link).toMatch(new RegExp(`^/uploads/[0-9a-f-]{36}\\.${kind}\\?s=[\\w-]+&e=\\d+&t=[\\w-]{43}$`));
    const answer = await test.call('GET', link);
    expect(answer.status).toBe(200);
    expect(answer.raw.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-length': '3000',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('answers HEAD, and 304 when the browser has the image already', async () => {
    const { test, link, status } = await buildAppWithProof();
    const head = await test.call('HEAD', link);
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '3000', 'content-type': 'image/png' } });
    expect(head.raw).toHaveLength(0);
    const etag = String(head.headers['etag']);
    const notModified = await test.call('GET', link, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect(notModified).toMatchObject({ status: 304, headers: { 'cache-control': 'private, no-cache', etag } });
    expect(notModified.raw).toHaveLength(0);
    // Knowing the name gives no access.
    const unsigned = link.replace(/\?.*/, '');
    expect((await test.call('GET', unsigned, { headers: { 'if-none-match': etag } })).status).toBe(404);
    expect(await status(link)).toBe(200);
  });

  it('works for at least one hour and at most a day, and stays the same for hours', async () => {
    for (const start of [
      '2026-06-10T00:00:00Z',
      '2026-06-10T10:59:59.999Z',
      '2026-06-10T11:00:00Z',
      '2026-06-10T23:30:00Z',
    ]) {
      const { test, owner, linkFor, status } = await buildAppWithProof();
      test.clock.set(start);
      const session = { ...buildSession(test, owner.id), isAdmin: false };
      const link = await linkFor(session);
      test.clock.advance(HOUR_MS);
      expect(await status(link)).toBe(200);
      test.clock.advance(23 * HOUR_MS);
      expect(await test.call('GET', link)).toMatchObject(notFoundAnswer);
      expect(await status(await linkFor(session))).toBe(200);
    }
    const { test, owner, link, linkFor } = await buildAppWithProof();
    test.clock.advance(2 * HOUR_MS);
    expect(await linkFor(owner)).toBe(link);
  });

  it('gets 404 when any part of it was changed', async () => {
    const { test, owner, link, linkFor } = await buildAppWithProof();
    const other = await linkFor({ ...buildSession(test, owner.id), isAdmin: false });
    const [file = '', query = ''] = link.split('?');
    const part = (address: string, name: string) => new URLSearchParams(address.split('?')[1]).get(name) ?? '';
    const changed = [
      file,
      `${file}?`,
      link.replace(/e=\d+/, `e=${Number(part(link, 'e')) + 43_200}`),
      link.replace(/e=/, 'e=0'),
      link.replace(part(link, 's'), part(other, 's')),
      link.replace(part(link, 't'), part(other, 't')),
      link.slice(0, -1),
      `${link}x`,
      `${link}&t=${part(link, 't')}`,
      link.replace('.png', '.jpg'),
      link.replace('/uploads/', '/uploads/..%2F'),
      `/uploads/..%2f..%2fetc%2fpasswd?${query}`,
      `/uploads/%00?${query}`,
      `/uploads/?${query}`,
      `/uploads?${query}`,
    ];
    for (const address of changed) {
      expect(await test.call('GET', address), address).toMatchObject({
        ...notFoundAnswer,
        headers: expect.not.objectContaining({ 'content-type': expect.stringContaining('image') }),
      });
    }
    expect((await test.call('GET', link)).status).toBe(200);
  });

  it('carries a signature with a key of its own', async () => {
    const { test, link } = await buildAppWithProof();
    const [, file, session, expiry] = /uploads\/(.+)\?s=(.+)&e=(\d+)/.exec(link) ?? [];
    const forged = createHmac('sha256', test.context.secret)
      .update(`${file}\n${session}\n${expiry}`)
      .digest('base64url');
    expect(await test.call('GET', link.replace(/t=.*/, `t=${forged}`))).toMatchObject(notFoundAnswer);
  });
});

describe('the right behind a link', () => {
  it('ends with its session, but not with another session of the same user', async () => {
    const { test, owner, link, linkFor } = await buildAppWithProof();
    const phone = await linkFor({ ...buildSession(test, owner.id), isAdmin: false });
    await test.call('POST', '/api/auth/logout', { token: owner.token });
    const answer = await test.call('GET', link);
    expect(answer).toMatchObject({ ...notFoundAnswer, headers: { 'cache-control': 'no-store' } });
    expect((await test.call('GET', phone)).status).toBe(200);
  });

  it('ends with the account', async () => {
    const { test, owner, link } = await buildAppWithProof();
    test.database.sqlite.prepare('update users set is_active = 0 where id = ?').run(owner.id);
    expect(await test.call('GET', link)).toMatchObject(notFoundAnswer);
  });

  it('lasts for admins as long as they have that role', async () => {
    const { test, linkFor } = await buildAppWithProof();
    const admin = buildAdmin(test);
    const link = await linkFor(admin);
    expect((await test.call('GET', link)).status).toBe(200);
    test.database.sqlite.prepare('update users set is_admin = 0 where id = ?').run(admin.id);
    expect(await test.call('GET', link)).toMatchObject(notFoundAnswer);
  });

  it('ends when the image is replaced or removed, or its record is deleted', async () => {
    const { test, owner, url, upload, link, status } = await buildAppWithProof();
    const second = await upload(buildImage('gif'));
    expect(await test.call('GET', link)).toMatchObject(notFoundAnswer);
    expect(await status(second)).toBe(200);
    await test.call('PUT', url, { token: owner.token, body: { remove_payment_proof: true } });
    expect(await test.call('GET', second)).toMatchObject(notFoundAnswer);
    const third = await upload(buildImage('jpg'));
    await test.call('DELETE', url, { token: owner.token });
    expect(await test.call('GET', third)).toMatchObject(notFoundAnswer);
  });

  it('ends when the record gets another owner and when the file is lost', async () => {
    const { test, row, link, linkFor } = await buildAppWithProof();
    const admin = buildAdmin(test);
    const adminLink = await linkFor(admin);
    test.database.sqlite.prepare('update tax_records set user_id = ? where id = ?').run(admin.id, row.id);
    expect(await test.call('GET', link)).toMatchObject(notFoundAnswer);
    const file = join(test.proofsDir, /uploads\/(.+)\?/.exec(link)?.[1] ?? '');
    expect(readFileSync(file)).toHaveLength(3000);
    rmSync(file);
    expect(await test.call('GET', adminLink)).toMatchObject(notFoundAnswer);
  });
});

it('lets pages of the allowed origins show the images', async () => {
  const test = await buildTestApp({
    settings: {
      timeZone: 'Asia/Jakarta',
      corsOrigins: ['https://pajak.example'],
      trustedProxies: null,
      rateLimits: true,
    },
  });
  const { id, token } = buildTestUser(test);
  const form = buildForm({ name: 'a', address: 'b', spt_number: 'c', amount: '1' }, { bytes: buildImage() });
  const answer = await test.call('POST', '/api/tax-records', { token, ...form });
  const record: TaxRecord = answer.body.data;
  expect(record.user_id).toBe(id);
  expect((await test.call('GET', record.payment_proof ?? '')).headers['cross-origin-resource-policy']).toBe(
    'cross-origin',
  );
});
