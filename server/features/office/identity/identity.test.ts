import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildExif, buildJpeg, buildWebp, jpegSegment } from '#server/testing/images.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { putOrphanedFilesAside } from '#server/uploads/orphaned-files.ts';

const URL = '/api/admin/office-identity';
const LOGO_URL = `${URL}/logo`;
const PUBLIC_URL = '/api/office-identity';
const EMPTY: OfficeIdentity = { name: '', address: '', phone: '', whatsapp: '', logo_url: null };
const FULL = {
  name: 'Kantor Desa Sukamaju',
  address: 'Jl. Raya Sukamaju No. 1\nKec. Cikole 40391',
  phone: '(022) 123-4567',
  whatsapp: '+62 812-3456-7890',
};

const save = (test: TestApp, token: string, body: unknown) => test.call('PUT', URL, { token, body });
const sendLogo = (test: TestApp, token: string | undefined, bytes: Buffer, field = 'logo') =>
  test.call('POST', LOGO_URL, { token, ...buildForm({}, { bytes, field }) });
const readPublic = async (test: TestApp): Promise<OfficeIdentity> => (await test.call('GET', PUBLIC_URL)).body.data;
async function storeLogo(test: TestApp, token: string, bytes = buildImage()): Promise<string> {
  const answer = await sendLogo(test, token, bytes);
  expect(answer).toMatchObject({ status: 200, body: { message: 'Logo berhasil disimpan' } });
  const { logo_url: url }: OfficeIdentity = answer.body.data;
  return url ?? '';
}
const filesOf = ({ proofsDir }: TestApp): string[] => readdirSync(proofsDir);

describe('GET and PUT /admin/office-identity', () => {
  it.each([
    ['GET', URL],
    ['PUT', URL],
    ['POST', LOGO_URL],
    ['DELETE', LOGO_URL],
  ])('%s %s answers 401 without a session and 403 to users', async (method, url) => {
    const test = await buildTestApp();
    const form = method === 'POST' ? buildForm({}, { bytes: buildImage(), field: 'logo' }) : {};
    expect((await test.call(method, url, form)).status).toBe(401);
    const answer = await test.call(method, url, { token: buildTestUser(test).token, ...form });
    expect(answer).toMatchObject({ status: 403, body: { message: 'Anda tidak memiliki akses' } });
    expect(filesOf(test)).toEqual([]);
  });

  it('start empty, store what is sent and leave the rest', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    expect((await test.call('GET', URL, { token })).body.data).toEqual(EMPTY);
    const stored = await save(test, token, { ...FULL, name: `  ${FULL.name} `, logo_url: '/uploads/logo/x.png' });
    expect(stored).toMatchObject({ status: 200, body: { message: 'Identitas kantor berhasil disimpan' } });
    expect(stored.body.data).toEqual({ ...FULL, logo_url: null });
    expect((await save(test, token, { phone: '' })).body.data).toEqual({ ...FULL, phone: '', logo_url: null });
    expect((await save(test, token, {})).body.data).toEqual({ ...FULL, phone: '', logo_url: null });
    expect((await test.call('GET', URL, { token })).body.data).toEqual({ ...FULL, phone: '', logo_url: null });
  });

  it.each([
    ['name', 'x'.repeat(101), 'Nama kantor maksimal 100 karakter'],
    ['name', 5, 'Nama kantor maksimal 100 karakter'],
    ['address', 'x'.repeat(301), 'Alamat kantor maksimal 300 karakter'],
    ['phone', '1'.repeat(31), 'Telepon kantor maksimal 30 karakter'],
    ['whatsapp', '0812 abc', 'Nomor WhatsApp tidak valid'],
    ['whatsapp', '(0812)', 'Nomor WhatsApp tidak valid'],
    ['whatsapp', '1'.repeat(21), 'Nomor WhatsApp tidak valid'],
    ['whatsapp', '+ -', 'Nomor WhatsApp tidak valid'],
  ])('refuses a %s of %j with 422', async (field, value, message) => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const answer = await save(test, token, { name: 'Desa', [field]: value });
    expect(answer).toMatchObject({ status: 422, body: { message, errors: { [field]: [message] } } });
    expect(await readPublic(test)).toEqual(EMPTY);
  });

  it('takes the longest texts, and a name on one line without invisible characters', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const longest = {
      name: 'x'.repeat(100),
      address: 'x'.repeat(300),
      phone: '1'.repeat(30),
      whatsapp: '1'.repeat(20),
    };
    expect((await save(test, token, longest)).body.data).toEqual({ ...longest, logo_url: null });
    expect((await save(test, token, { name: 'Desa\n\u202EMaju\u0000' })).body.data).toMatchObject({
      name: 'Desa Maju',
    });
  });

  it('names the changed fields in the audit, and of the logo only whether there is one', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    await save(test, token, { name: 'Desa A', phone: '022' });
    await save(test, token, { name: 'Desa B', phone: '022' });
    await save(test, token, { name: 'Desa B' });
    await storeLogo(test, token);
    await storeLogo(test, token);
    await test.call('DELETE', LOGO_URL, { token });
    const answer = await test.call('GET', '/api/admin/audit?action=settings.identity', { token });
    const { data }: { data: AuditEntry[] } = answer.body.data;
    expect(data.map(({ changes }) => changes)).toEqual([
      [{ field: 'logo', from: 'ada', to: null }],
      [{ field: 'logo', from: 'ada', to: 'diganti' }],
      [{ field: 'logo', from: null, to: 'ada' }],
      [{ field: 'name', from: 'Desa A', to: 'Desa B' }],
      [
        { field: 'name', from: null, to: 'Desa A' },
        { field: 'phone', from: null, to: '022' },
      ],
    ]);
    expect(data[0]?.subject).toEqual({ id: 'office', label: 'identitas kantor' });
  });

  it('tells every open page of users and admins', async () => {
    const test = await buildTestApp();
    const [ratna, sari, budi] = [buildAdmin(test), buildAdmin(test), buildTestUser(test)];
    const tabs = await Promise.all([ratna, sari, budi].map((user) => openTab(test, user)));
    await save(test, ratna.token, { name: 'Desa' });
    for (const tab of tabs) expect(await tab.next('office:identity')).toEqual({ ...EMPTY, name: 'Desa' });
    const logo = await storeLogo(test, ratna.token);
    for (const tab of tabs)
      expect(await tab.next('office:identity')).toEqual({ ...EMPTY, name: 'Desa', logo_url: logo });
  });
});

describe('GET /office-identity', () => {
  it('answers without a session, with these fields only', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test, { name: 'Ibu Ratna' });
    expect(await readPublic(test)).toEqual(EMPTY);
    await save(test, token, FULL);
    const logo = await storeLogo(test, token);
    const answer = await test.call('GET', PUBLIC_URL);
    expect(answer.body).toEqual({
      success: true,
      message: 'Identitas kantor',
      data: { ...FULL, logo_url: logo },
    });
    expect(answer.raw.toString()).not.toMatch(/Ratna|updated|id"/);
    expect(answer.headers).toMatchObject({ 'cache-control': 'public, no-cache', 'x-content-type-options': 'nosniff' });
  });

  it('answers 304 to a browser that has the answer, until it changes', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    await save(test, token, FULL);
    const etag = String((await test.call('GET', PUBLIC_URL)).headers['etag']);
    const again = () => test.call('GET', PUBLIC_URL, { headers: { 'if-none-match': `"x", W/${etag}` } });
    const unchanged = await again();
    expect(unchanged).toMatchObject({ status: 304, headers: { etag } });
    expect(unchanged.raw).toHaveLength(0);
    await save(test, token, { name: 'Desa lain' });
    expect((await again()).body.data).toMatchObject({ name: 'Desa lain' });
  });

  it('may be read 60 times a minute by one address, and by another one still; a browser that has it asks as often as it likes', async () => {
    const test = await buildTestApp({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: [], rateLimits: true },
    });
    const read = (address: string) => test.call('GET', PUBLIC_URL, { headers: { 'x-forwarded-for': address } });
    for (let attempt = 0; attempt < 60; attempt += 1) expect((await read('203.0.113.7')).status).toBe(200);
    const refused = await read('203.0.113.7');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(refused.body.message).toBe('Terlalu banyak percobaan. Coba lagi dalam 60 detik.');
    expect((await read('203.0.113.8')).status).toBe(200);
    const kept = {
      'x-forwarded-for': '203.0.113.7',
      'if-none-match': String((await read('203.0.113.8')).headers['etag']),
    };
    for (let reload = 0; reload < 61; reload += 1)
      expect((await test.call('GET', PUBLIC_URL, { headers: kept })).status).toBe(304);
    expect((await read('203.0.113.7')).status).toBe(429);
    test.clock.advance(60_000);
    expect((await read('203.0.113.7')).status).toBe(200);
  });
});

describe('the logo', () => {
  it.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['gif', 'image/gif'],
  ] as const)('opens for everybody as a %s', async (kind, type) => {
    const test = await buildTestApp();
    const bytes = buildImage(kind, 3000);
    const url = await storeLogo(test, buildAdmin(test).token, bytes);
    expect(url).toMatch(new RegExp(`^/uploads/logo/[0-9a-f-]{36}\\.${kind}$`));
    expect(await readPublic(test)).toEqual({ ...EMPTY, logo_url: url });
    const answer = await test.call('GET', url);
    expect(answer.raw.equals(bytes)).toBe(true);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=86400',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
      },
    });
    const etag = String(answer.headers['etag']);
    expect((await test.call('GET', url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('gets another path with each upload; the path before answers 404 and its file is gone', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const first = await storeLogo(test, token);
    const second = await storeLogo(test, token);
    expect(second).not.toBe(first);
    expect(await test.call('GET', first)).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
    expect((await test.call('GET', second)).status).toBe(200);
    expect(filesOf(test)).toEqual([second.split('/').at(-1)]);
    expect(await test.call('DELETE', LOGO_URL, { token })).toMatchObject({
      status: 200,
      body: { message: 'Logo berhasil dihapus', data: EMPTY },
    });
    expect((await test.call('GET', second)).status).toBe(404);
    expect(filesOf(test)).toEqual([]);
    expect((await test.call('DELETE', LOGO_URL, { token })).status).toBe(200);
  });

  it('opens no other file of the folder', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    await storeLogo(test, token);
    const other = '11111111-1111-4111-8111-111111111111.png';
    writeFileSync(join(test.proofsDir, other), 'rahasia');
    for (const name of [other, 'x', '..%2f..%2fsecret', `${other}.part`])
      expect((await test.call('GET', `/uploads/logo/${name}`)).status).toBe(404);
    expect((await test.call('GET', `/uploads/${other}`)).status).toBe(404);
  });

  it('may have 1,048,576 bytes at most, else 413, and nothing is stored', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const url = await storeLogo(test, token, buildImage('png', 1_048_576));
    for (const bytes of [1_048_577, 3_000_000]) {
      expect(await sendLogo(test, token, buildImage('png', bytes))).toMatchObject({
        status: 413,
        body: { message: 'Ukuran logo maksimal 1MB' },
      });
    }
    expect(filesOf(test)).toEqual([url.split('/').at(-1)]);
  });

  it('must be there, as a JPG, PNG or GIF', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const missing = {
      status: 422,
      body: { message: 'Pilih gambar logo', errors: { logo: ['Pilih gambar logo'] } },
    };
    expect(await sendLogo(test, token, buildImage(), 'foto')).toMatchObject(missing);
    expect(await test.call('POST', LOGO_URL, { token, body: {} })).toMatchObject(missing);
    for (const bytes of [Buffer.from('<svg onload="alert(1)"/>'), buildWebp()]) {
      expect(await sendLogo(test, token, bytes)).toMatchObject({
        status: 415,
        body: { message: 'File harus berupa gambar JPG, PNG, atau GIF' },
      });
    }
    expect(filesOf(test)).toEqual([]);
  });

  it('keeps nothing but the picture', async () => {
    const test = await buildTestApp();
    const photo = buildJpeg({
      before: [jpegSegment(0xe1, buildExif(1)), jpegSegment(0xfe, Buffer.from('rumah saya'))],
    });
    const url = await storeLogo(test, buildAdmin(test).token, photo);
    expect((await test.call('GET', url)).raw.toString('latin1')).not.toMatch(/Exif|rumah saya/);
  });

  it('of two uploads at once leaves one, with its file', async () => {
    const test = await buildTestApp();
    const admins = [buildAdmin(test), buildAdmin(test)];
    const urls = await Promise.all(admins.map(({ token }) => storeLogo(test, token)));
    const { logo_url: url } = await readPublic(test);
    expect(urls).toContain(url);
    expect(filesOf(test)).toEqual([url?.split('/').at(-1)]);
  });

  it('stays when the change cannot be stored, and leaves no file behind', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const url = await storeLogo(test, token);
    test.database.sqlite.exec(
      "create trigger full before update on office_identity begin select raise(abort, 'no'); end",
    );
    test.expectErrorLog(/request failed/);
    expect((await sendLogo(test, token, buildImage('gif'))).status).toBe(500);
    expect(filesOf(test)).toEqual([url.split('/').at(-1)]);
    expect((await test.call('GET', url)).status).toBe(200);
  });

  it('does not count as an orphan at the next start', async () => {
    const test = await buildTestApp();
    const url = await storeLogo(test, buildAdmin(test).token);
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 0, returned: 0 });
    expect((await test.call('GET', url)).status).toBe(200);
  });
});
