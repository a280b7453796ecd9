import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

const fields = { name: 'Siti', address: 'Jl. Mawar 2', spt_number: '32', amount: '1000' };
const MB = 1_048_576;

async function buildAppWithQuota(quota: { records?: number; proofBytes?: number }) {
  const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true };
  const test = await buildTestApp({ settings: { ...settings, quota: { records: null, proofBytes: null, ...quota } } });
  const [budi, siti, ratna] = [buildTestUser(test), buildTestUser(test), buildAdmin(test)];
  const send = (method: string, url: string, form: ReturnType<typeof buildForm>, { token } = budi) =>
    test.call(method, `/api${url}`, { token, ...form });
  const create = (body: object = {}, { token } = budi) =>
    test.call('POST', '/api/tax-records', { token, body: { ...fields, amount: 1000, ...body } });
  const use = async ({ token } = budi) => (await test.call('GET', '/api/tax-records/quota', { token })).body.data;
  const idOf = ({ body }: { body: { data: unknown } }) => (body.data as { id: string }).id;
  return { test, budi, siti, ratna, send, create, use, idOf };
}

describe('the quota of records', () => {
  const full = {
    status: 422,
    body: {
      message:
        'Jumlah data PBB Anda sudah mencapai batas (2 data). Hapus data yang tidak dipakai atau hubungi administrator.',
    },
  };

  it('refuses one record more, also for many at once, until one is deleted; others are not affected', async () => {
    const { test, budi, siti, create, idOf } = await buildAppWithQuota({ records: 2 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(3);
    expect(await create()).toMatchObject(full);
    expect((await create({}, siti)).status).toBe(201);
    const stored = answers.find(({ status }) => status === 201);
    if (!stored) throw new Error('No record');
    const url = `/api/tax-records/${idOf(stored)}`;
    expect((await test.call('PUT', url, { token: budi.token, body: { notes: 'masih bisa' } })).status).toBe(200);
    await test.call('DELETE', url, { token: budi.token });
    expect((await create()).status).toBe(201);
  });

  it('counts what an admin makes for the owner, and tells the admin which setting decides', async () => {
    const { test, budi, ratna } = await buildAppWithQuota({ records: 1 });
    const body = { ...fields, amount: 1000, user_id: budi.id, year: 2025 };
    const make = () => test.call('POST', '/api/admin/tax-records', { token: ratna.token, body });
    expect((await make()).status).toBe(201);
    expect(await make()).toMatchObject({
      status: 422,
      body: {
        message:
          'Akun ini sudah mencapai batas (1 data PBB). Hapus data yang tidak dipakai, atau minta pengelola server menaikkan batasnya.',
      },
    });
  });

  it('leaves an account that has more than it may as it is', async () => {
    const { test, budi, create, use } = await buildAppWithQuota({ records: 2 });
    const rows = Array.from({ length: 4 }, () => buildRecord(test, budi.id));
    expect(await create()).toMatchObject(full);
    expect(await use()).toEqual({ records: 4, records_max: 2, proof_bytes: 0, proof_bytes_max: null });
    const answer = await test.call('PUT', `/api/tax-records/${rows[0]?.id}`, {
      token: budi.token,
      body: { notes: 'a' },
    });
    expect(answer.status).toBe(200);
  });
});

describe('the quota of images', () => {
  it('refuses an image beyond it in its field, keeps the old one, and stores no file', async () => {
    const { test, send, create, use, idOf } = await buildAppWithQuota({ proofBytes: 2 * MB });
    const first = idOf(await send('POST', '/tax-records', buildForm(fields, { bytes: buildImage('png', MB) })));
    const second = idOf(await create());
    const image = (bytes: number) => buildForm({}, { bytes: buildImage('jpg', bytes) });
    const refused = await send('POST', `/tax-records/${second}/payment-proof`, image(MB + 1));
    const message = 'Ruang foto bukti Anda penuh (2 MB). Hapus foto lama atau hubungi administrator.';
    expect(refused).toMatchObject({ status: 422, body: { message, errors: { payment_proof: [message] } } });
    expect((await send('POST', '/tax-records', buildForm(fields, { bytes: buildImage('png', MB + 1) }))).status).toBe(
      422,
    );
    expect(readdirSync(test.proofsDir)).toHaveLength(1);
    // A replaced image gives its room back.
    expect((await send('POST', `/tax-records/${first}/payment-proof`, image(2 * MB))).status).toBe(200);
    expect(await use()).toEqual({ records: 2, records_max: null, proof_bytes: 2 * MB, proof_bytes_max: 2 * MB });
    expect((await send('POST', `/tax-records/${second}/payment-proof`, image(100))).status).toBe(422);
    await send('PUT', `/tax-records/${first}`, buildForm({ ...fields, remove_payment_proof: 'true' }));
    expect((await send('POST', `/tax-records/${second}/payment-proof`, image(100))).status).toBe(200);
    expect(await use()).toMatchObject({ proof_bytes: 100 });
  });

  it('counts what an admin uploads for the owner', async () => {
    const { test, budi, ratna, send } = await buildAppWithQuota({ proofBytes: 1000 });
    const { id } = buildRecord(test, budi.id);
    const answer = await send(
      'POST',
      `/admin/tax-records/${id}/payment-proof`,
      buildForm({}, { bytes: buildImage('png', 1001) }),
      ratna,
    );
    expect(answer).toMatchObject({
      status: 422,
      body: {
        message:
          'Ruang foto bukti akun ini penuh (0 MB). Hapus foto lama, atau minta pengelola server menaikkan batasnya.',
      },
    });
  });

  it('counts images of version 1.0.0, whose size is measured at the start', async () => {
    const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true };
    const test = await buildTestApp({ settings });
    const proofFile = `${randomUUID()}.png`;
    writeFileSync(join(test.proofsDir, proofFile), Buffer.alloc(700));
    const userId = randomUUID();
    test.database.sqlite.exec(
      `insert into users (id, name, email, password_hash, created_at, updated_at) values ('${userId}', 'Lama', 'lama@contoh.id', '', 1, 1)`,
    );
    buildRecord(test, userId, { proofFile });
    buildRecord(test, userId, { proofFile: `${randomUUID()}.png` });
    const { token } = buildAdmin(test);
    expect((await test.call('GET', `/api/admin/users/${userId}/quota`, { token })).body.data).toMatchObject({
      proof_bytes: 700,
    });
    const sizes = test.database.sqlite
      .prepare('select proof_bytes from tax_records order by proof_bytes')
      .pluck()
      .all();
    expect(sizes).toEqual([0, 700]);
  });
});

describe('the use of the quota', () => {
  it('reaches its owner and admins, and no other user', async () => {
    const { test, budi, siti, ratna } = await buildAppWithQuota({ records: 5 });
    buildRecord(test, budi.id);
    const url = `/api/admin/users/${budi.id}/quota`;
    const get = async (path: string, token?: string) => await test.call('GET', path, { token });
    const expected = { records: 1, records_max: 5, proof_bytes: 0, proof_bytes_max: null };
    expect((await get('/api/tax-records/quota', budi.token)).body.data).toEqual(expected);
    expect((await get('/api/tax-records/quota', siti.token)).body.data).toMatchObject({ records: 0 });
    expect((await get(url, ratna.token)).body.data).toEqual(expected);
    expect((await get(url, siti.token)).status).toBe(403);
    expect((await get(url)).status).toBe(401);
    expect((await get('/api/tax-records/quota')).status).toBe(401);
    expect((await get('/api/admin/users/x/quota', ratna.token)).status).toBe(404);
  });
});

describe('the rollover of an account with little room', () => {
  it('makes the copies that fit, says how many it left out, and makes those when there is room', async () => {
    const { test, budi, ratna } = await buildAppWithQuota({ records: 5 });
    test.clock.set('2025-06-10T05:00:00.000Z');
    for (const sptNumber of ['a', 'b', 'c']) buildRecord(test, budi.id, { year: 2025, sptNumber });
    test.clock.set('2026-06-10T05:00:00.000Z');
    const check = async () => (await test.call('GET', '/api/tax-records/check-year', { token: budi.token })).body;
    const leftOut =
      '1 data PBB tahun 2026 belum dibuat karena batas jumlah data akun ini tercapai. Hubungi administrator.';
    expect(await check()).toMatchObject({
      autoCreated: true,
      count: 2,
      leftOutCount: 1,
      data: { leftOutCount: 1 },
      message: `Berhasil membuat 2 data PBB untuk tahun 2026 (2 tunggakan, 0 data baru). ${leftOut}`,
    });
    const full = { autoCreated: false, count: 0, leftOutCount: 1, message: leftOut };
    expect(await check()).toMatchObject(full);
    const { body } = await test.call('POST', '/api/tax-records/auto-create', {
      token: budi.token,
      body: { year: 2026 },
    });
    expect(body).toMatchObject({ year: 2026, count: 0, leftOutCount: 1, message: leftOut });

    const { id } = test.database.sqlite
      .prepare("select id from tax_records where year = 2025 and spt_number = 'a'")
      .get() as { id: string };
    await test.call('DELETE', `/api/admin/tax-records/${id}`, { token: ratna.token });
    expect(await check()).toMatchObject({ autoCreated: true, count: 1, leftOutCount: 0 });
    expect(await check()).toMatchObject({
      autoCreated: false,
      count: 0,
      leftOutCount: 0,
      message: 'Data PBB tahun 2026 sudah lengkap',
    });
  });
});
