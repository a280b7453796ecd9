import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { listReferencedFiles } from '#server/db/referenced-files.ts';
import { buildListApp, cellsOf, LIST_YEAR, listText, nopOf, objectsFrom } from '#server/testing/dhkp.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildForm } from '#server/testing/multipart.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { putOrphanedFilesAside } from '#server/uploads/orphaned-files.ts';
import type { ListReader } from '../reading/list-reader.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';

const URL = '/api/admin/dhkp/batches';
const csv = (text: string) => ({ bytes: Buffer.from(text), field: 'file', filename: 'daftar.csv', type: 'text/csv' });
const CSV = listText(objectsFrom(3)).replaceAll('\t', ';');

function upload(test: TestApp, token: string, fields: Record<string, string>, file = csv(CSV)) {
  return test.call('POST', URL, { token, ...buildForm({ year: '2026', client_id: 'c1', ...fields }, file) });
}

describe('POST /admin/dhkp/batches', () => {
  it('answers 401 without a session and 403 for a user', async () => {
    const test = await buildTestApp();
    expect((await test.call('POST', URL, { body: {} })).status).toBe(401);
    expect((await test.call('POST', URL, { body: {}, token: buildTestUser(test).token })).status).toBe(403);
  });

  it('stores a file with its name, size and SHA-256, and reads it', async () => {
    const { test, admin, inState, call } = await buildListApp();
    const answer = await upload(test, admin.token, {});
    expect(answer.status).toBe(201);
    const batch: Batch = answer.body.data;
    expect(batch).toMatchObject({ state: 'reading', file_name: 'daftar.csv', bytes: CSV.length, preview_id: null });
    expect(batch.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await inState(batch.id, 'ready')).toMatchObject({ counts: { new: 3 }, has_file: true });
    const file = await call('GET', `/batches/${batch.id}/file`);
    expect(file).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="daftar.csv"; filename*=UTF-8''daftar.csv`,
      },
    });
    expect(file.raw.toString()).toBe(CSV);
  });

  it('answers the same client_id of the same admin with the first batch', async () => {
    const { test, admin } = await buildListApp();
    const answers = await Promise.all([1, 2, 3].map(() => upload(test, admin.token, {})));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => (body.data as Batch).id)).size).toBe(1);
    expect((await upload(test, buildAdmin(test).token, {})).status).toBe(201);
    expect(test.database.sqlite.prepare('select count(*) from dhkp_batches').pluck().get()).toBe(2);
  });

  it.each([
    ['no list', { year: 2026, client_id: 'a' }, 'Pilih berkas daftar'],
    ['an empty text', { year: 2026, client_id: 'a', text: ' \n' }, 'Pilih berkas daftar'],
    ['a year before 1994', { year: 1993, client_id: 'a', text: CSV }, 'Tahun pajak tidak valid'],
    ['a year after the next one', { year: 2028, client_id: 'a', text: CSV }, 'Tahun pajak tidak valid'],
    ['a year as a text', { year: '2026', client_id: 'a', text: CSV }, 'Tahun pajak tidak valid'],
    ['no client_id', { year: 2026, text: CSV }, 'client_id tidak valid'],
  ])('refuses %s with 422 and stores nothing', async (_what, body, message) => {
    const { test, admin } = await buildListApp();
    const answer = await test.call('POST', URL, { token: admin.token, body });
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect(test.database.sqlite.prepare('select count(*) from dhkp_batches').pluck().get()).toBe(0);
  });

  it.each([
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ])('refuses %s with 415', async (_what, bytes) => {
    const { test, admin } = await buildListApp();
    const answer = await upload(test, admin.token, {}, { ...csv(''), bytes });
    expect([answer.status, answer.body.message]).toEqual([
      415,
      'Berkas harus Excel (.xlsx, .xls, .xlsb), OpenDocument (.ods), atau CSV. Untuk PDF, minta berkas Excel-nya atau pakai "Tempel".',
    ]);
  });

  it('refuses a file over 20,971,520 bytes with 413', async () => {
    const { test, admin } = await buildListApp();
    const send = (bytes: number) =>
      upload(
        test,
        admin.token,
        {},
        { ...csv(''), bytes: Buffer.concat([Buffer.from(CSV), Buffer.alloc(bytes - CSV.length, 10)]) },
      );
    const answer = await send(20_971_521);
    expect([answer.status, answer.body.message]).toEqual([413, 'Ukuran berkas maksimal 20MB']);
    expect((await send(20_971_520)).status).toBe(201);
  });

  it('keeps three imports at most that are not applied', async () => {
    const { preview, applied, paste, call, batch } = await buildListApp();
    const first = await preview(listText(objectsFrom(2)));
    await paste('nothing of a list');
    await paste(listText(objectsFrom(3)));
    const refused = await call('POST', '/batches', { text: CSV, year: LIST_YEAR, client_id: 'fourth' });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Selesaikan atau buang impor yang belum diterapkan dulu.',
    ]);
    await applied(await batch(first.id));
    expect((await call('POST', '/batches', { text: CSV, year: LIST_YEAR, client_id: 'fourth' })).status).toBe(201);
  });
});

describe('a batch', () => {
  it('fails with words when the file has no list', async () => {
    const { paste, inState } = await buildListApp();
    const failed = await inState((await paste('Daftar hadir\nBudi\nSiti')).id, 'failed');
    expect(failed).toMatchObject({ message: 'Tidak ada tabel dengan kolom NOP.', preview_id: null });
  });

  it('fails when the reading ends with an error, and the next one is read', async () => {
    const calls: string[] = [];
    const listReader: ListReader = {
      read: async (source) => {
        calls.push('text' in source ? source.text : 'file');
        throw new Error('the thread ended');
      },
    };
    const { paste, inState } = await buildListApp({ listReader });
    const [first, second] = [await paste('a'), await paste('b')];
    expect(await inState(first.id, 'failed')).toMatchObject({ message: 'Berkas rusak atau tidak lengkap.' });
    await inState(second.id, 'failed');
    expect(calls).toEqual(['a', 'b']);
  });

  it('asks for columns that it does not recognise, and remembers the chosen ones once it is applied', async () => {
    const { paste, inState, change, applied, apply, preview } = await buildListApp();
    const text = (numbers: number[]) =>
      ['NOP\tNAMA\tBAYAR BERAPA', ...numbers.map((number) => `${nopOf(number)}\tSiti\t45.000`)].join('\n');
    const asking = await inState((await paste(text([1, 2]))).id, 'mapping');
    expect(asking).toMatchObject({ columns: { nop: 0, name: 1 }, headers: ['NOP', 'NAMA', 'BAYAR BERAPA'] });
    expect((await apply(asking)).status).toBe(422);
    expect((await apply({ ...asking, preview_id: 'x' })).status).toBe(409);
    // Discarded choices are not remembered.
    const chosen = await change(asking.id, { columns: { nop: 0, amount: 2 }, header_row: 1 });
    expect(chosen).toMatchObject({ columns: { nop: 0, amount: 2 }, counts: { new: 2 } });
    expect(await inState((await paste(text([3]))).id, 'mapping')).toMatchObject({ preview_id: null });
    await applied(chosen);
    expect(await preview(text([4]))).toMatchObject({ columns: { nop: 0, amount: 2 }, counts: { new: 1 } });
  });

  it('asks for the multiplier of a list in thousands', async () => {
    const { paste, inState, change, rows } = await buildListApp();
    const { id } = await paste(`NOP\tKETETAPAN (x 1.000)\n${nopOf(1)}\t45`);
    expect(await inState(id, 'mapping')).toMatchObject({ multiplier: null });
    const ready = await change(id, { multiplier: 1000 });
    expect(ready).toMatchObject({ multiplier: 1000 });
    expect((await rows(ready, 'new'))[0]?.values.amount).toBe(45_000);
  });

  it.each([
    ['an unknown field', { columns: { foo: 1 } }, 'Kolom tidak valid'],
    ['a column that the file lacks', { columns: { nop: 0, amount: 90 } }, 'Kolom tidak valid'],
    ['a column as a text', { columns: { nop: 0, amount: '4' } }, 'Kolom tidak valid'],
    ['no column of amounts', { columns: { nop: 0 } }, 'Pilih kolom NOP dan kolom ketetapan'],
    ['no column of NOPs', { columns: { amount: 4 } }, 'Pilih kolom NOP dan kolom ketetapan'],
    ['an unknown sheet', { sheets: [7] }, 'Kolom tidak valid'],
    ['no sheet', { sheets: [] }, 'Kolom tidak valid'],
    ['a short prefix', { prefix: '351518' }, 'Awalan NOP harus 10 angka'],
  ])('refuses %s with 422', async (_what, choices, message) => {
    const { preview, call, batch } = await buildListApp();
    const before = await preview(listText(objectsFrom(3)));
    const answer = await call('PUT', `/batches/${before.id}`, choices);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect(await batch(before.id)).toEqual(before);
  });

  it('gets another preview with other choices', async () => {
    const { preview, change, call, apply, rows } = await buildListApp();
    const before = await preview(listText([...objectsFrom(2), cellsOf(3, { nop: '351518099900100030' })]));
    expect(before).toMatchObject({ counts: { new: 2, other_village: 1 }, control: { computed: { objects: 2 } } });
    const after = await change(before.id, { include_other_village: true });
    expect(after).toMatchObject({ counts: { new: 3, other_village: 0 }, include_other_village: true });
    expect(after.preview_id).not.toBe(before.preview_id);
    expect(await rows(after, 'new')).toHaveLength(3);
    const answer = await apply(before);
    expect([answer.status, answer.body.message]).toEqual([409, 'Daftar berubah sejak diperiksa. Periksa lagi.']);
    expect((await apply(after)).status).toBe(200);
    const refused = await call('PUT', `/batches/${after.id}`, {});
    expect([refused.status, refused.body.message]).toEqual([409, 'Impor ini tidak dapat diubah lagi']);
  });

  it('can be discarded with its rows and its file until it is applied', async () => {
    const { test, preview, applied, call } = await buildListApp();
    const [gone, kept] = [await preview(listText(objectsFrom(3))), await preview(listText(objectsFrom(4)))];
    expect((await call('DELETE', `/batches/${gone.id}`)).status).toBe(200);
    for (const path of ['', '/rows', '/file']) {
      const answer = await call('GET', `/batches/${gone.id}${path}`);
      expect([answer.status, answer.body.message]).toEqual([404, 'Impor tidak ditemukan']);
    }
    const count = (table: string) => test.database.sqlite.prepare(`select count(*) from ${table}`).pluck().get();
    await expect.poll(() => count('dhkp_batch_rows')).toBe(4);
    await applied(kept);
    const answer = await call('DELETE', `/batches/${kept.id}`);
    expect([answer.status, answer.body.message]).toEqual([409, 'Impor yang sudah diterapkan tidak dapat dibuang']);
  });

  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/rows'],
    ['GET', '/file'],
    ['POST', '/apply'],
    ['POST', '/revert'],
  ])('answers %s of an unknown one%s with 404', async (method, path) => {
    const { call } = await buildListApp();
    const body = { '/apply': { preview_id: 'x' }, '/revert': { reason: 'salah berkas' } }[path];
    const answer = await call(method, `/batches/unknown${path}`, body ?? (method === 'PUT' ? {} : undefined));
    expect([answer.status, answer.body.message]).toEqual([404, 'Impor tidak ditemukan']);
  });

  it('becomes ready after a restart that broke its reading off', async () => {
    const hanging: ListReader = {
      read: (_source, _choices, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    };
    const file = join(mkdtempSync(join(tmpdir(), 'pbb-dhkp-')), 'pbb.sqlite');
    onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
    const first = await buildListApp({ listReader: hanging, database: openTestDatabase(file) });
    const { id } = await first.paste(listText(objectsFrom(3)));
    await first.test.server.close();
    const database = openTestDatabase(file);
    const stateOf = database.sqlite.prepare('select state from dhkp_batches where id = ?').pluck();
    expect(stateOf.get(id)).toBe('reading');
    const rowsOf = database.sqlite.prepare("select count(*) from dhkp_batch_rows where preview_id = 'left'").pluck();
    // As a kill leaves the rows of a preview that was not complete.
    database.sqlite.exec(`insert into dhkp_batch_rows (preview_id, position, status, has_warning, data)
      values ('left', 1, 'new', 0, '{}'), ('left', 2, 'new', 0, '{}')`);
    expect(rowsOf.get()).toBe(2);
    const second = await buildTestApp({ database, proofsDir: first.test.proofsDir });
    await second.server.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(() => stateOf.get(id)).toBe('ready');
    expect(rowsOf.get()).toBe(0);
  });

  it('names its file for archives, the running copy and the next start', async () => {
    const { test, preview } = await buildListApp();
    await preview(listText(objectsFrom(2)));
    const files = readdirSync(test.proofsDir);
    expect(files).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.list$/)]);
    // The archives that need this list are those of SQLite.
    if (testServer === '') expect(listReferencedFiles(test.database.sqlite)).toEqual(files);
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 0, returned: 0 });
    test.database.sqlite.exec('update dhkp_batches set file = null');
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 1, returned: 0 });
  });

  it('tells admins how far it is, at most twice a second, and users nothing', async () => {
    const { test, admin, preview, applied } = await buildListApp();
    const [adminTab, userTab] = [await openTab(test, admin), await openTab(test, buildTestUser(test))];
    await applied(await preview(listText(objectsFrom(900))));
    for (let progress = await adminTab.next('dhkp:batch'); progress.state !== 'applied';) {
      progress = await adminTab.next('dhkp:batch');
    }
    expect(adminTab.payloadsOf('dhkp:batch')[0]).toMatchObject({ state: 'reading', done: 0 });
    expect(await adminTab.next('dhkp:changed')).toEqual({ year: 2026 });
    await waitForPendingEvents(test, adminTab, userTab);
    expect(userTab.received().map(({ event }) => event)).not.toContain('dhkp:batch');
    expect(userTab.received().map(({ event }) => event)).not.toContain('dhkp:changed');
  });
});
