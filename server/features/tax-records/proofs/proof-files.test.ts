import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildAdmin, buildTestUser, buildRecord } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';
import { putOrphanedFilesAside } from '#server/uploads/orphaned-files.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const fields = { name: 'Siti', address: 'Jl. Mawar 2', spt_number: '32', amount: '1000' };
const recordOf = (answer: Answer): TaxRecord => answer.body.data;
const fileOf = ({ payment_proof }: TaxRecord): string | undefined => /uploads\/(.+)\?/.exec(payment_proof ?? '')?.[1];

async function buildAppWithUsers() {
  const test = await buildTestApp();
  const owner = buildTestUser(test);
  const admin = buildAdmin(test);
  const files = (): string[] => readdirSync(test.proofsDir);
  const send = (method: string, url: string, form: ReturnType<typeof buildForm>, { token } = owner) =>
    test.call(method, `/api${url}`, { token, ...form });
  const create = async (bytes = buildImage()) =>
    recordOf(await send('POST', '/tax-records', buildForm(fields, { bytes })));
  return { test, owner, admin, files, send, create };
}

describe('the type of an image is judged by its bytes', () => {
  const notImage = { status: 415, body: { success: false, message: 'File harus berupa gambar JPG, PNG, atau GIF' } };

  it.each([
    ['a page that calls itself an image', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a drawing that can hold scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an empty file', Buffer.alloc(0)],
  ])('and refuses %s', async (_, bytes) => {
    const { test, owner, admin, files, send } = await buildAppWithUsers();
    const row = buildRecord(test, owner.id);
    const upload = { bytes, filename: 'foto.png', type: 'image/png' };
    expect(await send('POST', '/tax-records', buildForm(fields, upload))).toMatchObject(notImage);
    expect(await send('PUT', `/tax-records/${row.id}`, buildForm(fields, upload))).toMatchObject(notImage);
    expect(await send('POST', `/tax-records/${row.id}/payment-proof`, buildForm({}, upload))).toMatchObject(notImage);
    const adminUrl = `/admin/tax-records/${row.id}/payment-proof`;
    expect(await send('POST', adminUrl, buildForm({}, upload), admin)).toMatchObject(notImage);
    expect(files()).toEqual([]);
  });

  it('and not by name or header', async () => {
    const { test, files, send } = await buildAppWithUsers();
    const upload = { bytes: buildImage('jpg'), filename: '../../x.html', type: 'text/html' };
    const answer = await send('POST', '/tax-records', buildForm(fields, upload));
    expect(answer.status).toBe(201);
    expect(files()).toEqual([fileOf(recordOf(answer))]);
    expect(files()[0]).toMatch(/^[0-9a-f-]{36}\.jpg$/);
    // Other accounts of the computer must not read the proofs.
    expect(statSync(join(test.proofsDir, files()[0] ?? '')).mode & 0o777).toBe(0o600);
  });
});

describe('no image file is left behind', () => {
  it('by replacing, removing and deleting', async () => {
    const { test, owner, admin, files, send, create } = await buildAppWithUsers();
    const record = await create();
    const url = `/tax-records/${record.id}`;
    const replaced = recordOf(await send('PUT', url, buildForm(fields, { bytes: buildImage('gif') })));
    expect(files()).toEqual([fileOf(replaced)]);
    const again = recordOf(await send('POST', `${url}/payment-proof`, buildForm({}, { bytes: buildImage('jpg') })));
    expect(files()).toEqual([fileOf(again)]);
    const byAdmin = recordOf(
      await send('POST', `/admin${url}/payment-proof`, buildForm({}, { bytes: buildImage() }), admin),
    );
    expect(files()).toEqual([fileOf(byAdmin)]);
    // A new image in the same form wins over the removal of the old one.
    const both = buildForm({ ...fields, remove_payment_proof: 'true' }, { bytes: buildImage('gif') });
    const newestProof = recordOf(await send('PUT', url, both));
    expect(files()).toEqual([fileOf(newestProof)]);
    expect(fileOf(newestProof)).toMatch(/gif$/);
    const removed = recordOf(await send('PUT', url, buildForm({ ...fields, remove_payment_proof: 'true' })));
    expect(removed.payment_proof).toBeNull();
    expect(files()).toEqual([]);
    const [first, second] = [await create(), await create()];
    await test.call('DELETE', `/api/tax-records/${first.id}`, { token: owner.token });
    expect(files()).toEqual([fileOf(second)]);
    await test.call('DELETE', `/api/admin/tax-records/${second.id}`, { token: admin.token });
    expect(files()).toEqual([]);
  });

  it('by a change that is refused', async () => {
    const { test, owner, admin, files, send } = await buildAppWithUsers();
    const row = buildRecord(test, owner.id);
    const upload = { bytes: buildImage() };
    const status = async (method: string, url: string, change: Record<string, string>, currentUser = owner) =>
      (await send(method, url, buildForm({ ...fields, ...change }, upload), currentUser)).status;
    expect(await status('PUT', `/tax-records/${row.id}`, { updated_at: '2000-01-01T00:00:00.000Z' })).toBe(409);
    expect(await status('PUT', `/tax-records/${row.id}`, { name: '' })).toBe(422);
    expect(await status('PUT', '/tax-records/x', {})).toBe(404);
    expect(await status('PUT', `/tax-records/${row.id}`, {}, buildTestUser(test))).toBe(404);
    expect(await status('POST', '/tax-records', { amount: '1.000.000' })).toBe(422);
    const adminForm = { tax_type: 'PBB', year: '2025', status: 'lunas' };
    expect(await status('PUT', `/admin/tax-records/${row.id}`, adminForm, admin)).toBe(422);
    expect(await status('POST', '/admin/tax-records', { user_id: 'siapa' }, admin)).toBe(422);
    expect(files()).toEqual([]);
  });

  it('by a commit that fails, which also keeps the stored image', async () => {
    const { test, files, send, create } = await buildAppWithUsers();
    const record = await create();
    test.database.sqlite.exec(
      "create trigger broken before update on tax_records begin select raise(abort, 'no'); end",
    );
    test.expectErrorLog(/request failed/);
    const answer = await send('PUT', `/tax-records/${record.id}`, buildForm(fields, { bytes: buildImage('gif') }));
    expect(answer).toMatchObject({ status: 500, body: { message: 'Terjadi kesalahan pada server' } });
    expect(files()).toEqual([fileOf(record)]);
  });

  itOnSqlite('by a full disk', async () => {
    const { test, files, send } = await buildAppWithUsers();
    // The migrations leave free pages.
    test.database.sqlite.exec('vacuum');
    const pages = test.database.sqlite.pragma('page_count', { simple: true });
    test.database.sqlite.pragma(`max_page_count = ${String(pages)}`);
    test.expectErrorLog(/SQLITE_FULL/);
    const long = { ...fields, notes: 'x'.repeat(5000), description: 'x'.repeat(5000) };
    const answer = await send('POST', '/tax-records', buildForm(long, { bytes: buildImage() }));
    expect(answer).toMatchObject({
      status: 507,
      body: { message: 'Penyimpanan server penuh. Hubungi administrator.' },
    });
    expect(files()).toEqual([]);
  });

  it('by an upload whose session or role ended meanwhile', async () => {
    const { test, owner, admin, files } = await buildAppWithUsers();
    const row = buildRecord(test, owner.id);
    const callWhileChanging = (statement: string, url: string, { token }: { token: string }) => {
      const { payload, headers } = buildForm(fields, { bytes: buildImage() });
      async function* slowly() {
        yield payload.subarray(0, 40);
        test.database.sqlite.exec(statement);
        yield payload.subarray(40);
      }
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      return test.call('POST', url, { token, headers: chunked, payload: Readable.from(slowly()) });
    };
    const path = `tax-records/${row.id}/payment-proof`;
    expect(await callWhileChanging('update users set is_admin = 0', `/api/admin/${path}`, admin)).toMatchObject({
      status: 403,
      body: { message: 'Anda tidak memiliki akses' },
    });
    expect((await callWhileChanging('update users set is_active = 0', `/api/${path}`, owner)).status).toBe(401);
    const second = buildTestUser(test);
    expect((await callWhileChanging('delete from sessions', '/api/tax-records', second)).status).toBe(401);
    const third = buildTestUser(test);
    expect((await callWhileChanging('delete from users', '/api/tax-records', third)).status).toBe(401);
    expect(files()).toEqual([]);
  });
});

it('answers 422 when the call for a proof has no image', async () => {
  const { test, owner, admin, send } = await buildAppWithUsers();
  const row = buildRecord(test, owner.id);
  const missing = {
    status: 422,
    body: {
      message: 'Bukti pembayaran wajib diunggah',
      errors: { payment_proof: ['Bukti pembayaran wajib diunggah'] },
    },
  };
  const url = `/tax-records/${row.id}/payment-proof`;
  expect(await send('POST', url, buildForm({}))).toMatchObject(missing);
  expect(await send('POST', url, buildForm({ payment_proof: 'a.png' }))).toMatchObject(missing);
  expect(await send('POST', url, buildForm({}, { bytes: buildImage(), field: 'foto' }))).toMatchObject(missing);
  // A browser sends this for an empty file input.
  expect(await send('POST', url, buildForm({}, { bytes: Buffer.alloc(0), filename: '' }))).toMatchObject(missing);
  expect(await test.call('POST', `/api${url}`, { token: owner.token })).toMatchObject(missing);
  const json = { token: admin.token, body: { payment_proof: 'a.png' } };
  expect(await test.call('POST', `/api/admin${url}`, json)).toMatchObject(missing);
});

describe('putOrphanedFilesAside', () => {
  it('puts aside images that a crash left behind and no other file', async () => {
    const { test, files, create } = await buildAppWithUsers();
    const kept = [fileOf(await create()), fileOf(await create())];
    const orphan = '11111111-1111-4111-8111-111111111111.png';
    const foreign = ['catatan.txt', 'foto.png', '.gitkeep'];
    for (const name of [orphan, `${orphan}.part`, ...foreign]) writeFileSync(join(test.proofsDir, name), 'x');
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 2, returned: 0 });
    expect(new Set(files())).toEqual(new Set([...kept, ...foreign]));
    expect(readdirSync(join(test.proofsDir, '../disisihkan/2026-06-10'))).toEqual([orphan, `${orphan}.part`]);
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 0, returned: 0 });
  });

  it('brings an image back as soon as a record refers to it again', async () => {
    const { test, files, create } = await buildAppWithUsers();
    const proof = fileOf(await create()) ?? '';
    const bytes = readFileSync(join(test.proofsDir, proof));
    test.database.sqlite.exec('create temp table newer as select id, proof_file from tax_records');
    // An older database was put in by hand, and the newer one comes back on another day.
    test.database.sqlite.exec('update tax_records set proof_file = null');
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 1, returned: 0 });
    expect(files()).toEqual([]);
    test.clock.advance(5 * DAY_MS);
    test.database.sqlite.exec(
      'update tax_records set proof_file = (select proof_file from newer where newer.id = tax_records.id)',
    );
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 0, returned: 1 });
    expect(readFileSync(join(test.proofsDir, proof))).toEqual(bytes);
  });
});
