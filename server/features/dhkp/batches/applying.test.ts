import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import type { LinkedRecords } from '#server/records/linked-records.ts';
import { buildListApp, cellsOf, dumpList, LIST_YEAR, listText, nopOf, objectsFrom } from '#server/testing/dhkp.ts';
import { ADMIN_PASSWORD, buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { openTestDatabase, withDirectAccess } from '#server/testing/open-test-database.ts';
import { buildTestApp, type TestApp, type TestOverrides } from '#server/testing/test-app.ts';
import { createUploadFiles } from '#server/uploads/upload-files.ts';
import { applyNextRows, type Step } from './apply-steps.ts';
import { createApplying } from './applying.ts';
import { createPreviews } from './preview.ts';
import { revertNextRows } from './revert-steps.ts';

const sumOf = (count: number): number =>
  Array.from({ length: count }, (_, index) => 45_001 + index).reduce((a, b) => a + b);

/** No object of these lists is linked. */
const noLinkedRecords: LinkedRecords = { join: async () => [], undo: async () => [], publish: () => undefined };

const stateIn = (test: TestApp, id: string) =>
  test.database.sqlite.prepare('select state, done_rows as done from dhkp_batches where id = ?').get(id);

async function auditOf({ call }: TestApp, token: string, action: string): Promise<AuditEntry[]> {
  const answer = await call('GET', `/api/admin/audit?action=${action}`, { token });
  return (answer.body.data as { data: AuditEntry[] }).data;
}

describe('POST /admin/dhkp/batches/{id}/apply', () => {
  it('lets one of 50 parallel calls win', async () => {
    const { test, admin, preview, apply, inState, list } = await buildListApp();
    const batch = await preview(listText(objectsFrom(300)));
    const answers = await Promise.all(Array.from({ length: 50 }, () => apply(batch)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set(others.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
      new Set(['409 Impor ini sedang diterapkan']),
    );
    await inState(batch.id, 'applied');
    expect((await list()).total).toBe(300);
    expect(await auditOf(test, admin.token, 'dhkp.applied')).toHaveLength(1);
  });

  it('refuses a preview that was compared with an older list', async () => {
    const { preview, applied, apply, call, change } = await buildListApp();
    const [first, second, otherYear] = [
      await preview(listText(objectsFrom(3))),
      await preview(listText(objectsFrom(5))),
      await preview(listText(objectsFrom(5)), LIST_YEAR - 1),
    ];
    await applied(first);
    const answer = await apply(second);
    expect([answer.status, answer.body.message]).toEqual([409, 'Daftar berubah sejak diperiksa. Periksa lagi.']);
    expect((await apply(otherYear)).status).toBe(200);
    expect(await change(second.id, {})).toMatchObject({ counts: { new: 2, same: 3 } });
    expect((await call('GET', `/batches/${second.id}`)).body.data).toMatchObject({ state: 'ready' });
  });

  it('needs a reason when the sum of the file is 1,000 rupiah off', async () => {
    const { test, admin, preview, apply, inState } = await buildListApp();
    const batch = await preview(listText(objectsFrom(3), sumOf(3) + 1000));
    expect(batch.control).toMatchObject({ equal: false, file: [{ amount: sumOf(3) + 1000 }] });
    for (const others of [{}, { control_reason: 'abc' }]) {
      const answer = await apply(batch, others);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'Jumlah kontrol berbeda Rp 1.000. Periksa, atau terapkan dengan alasan.',
      ]);
    }
    const reason = 'Jumlah di berkas salah ketik';
    expect((await apply(batch, { control_reason: reason })).status).toBe(200);
    expect(await inState(batch.id, 'applied')).toMatchObject({ control_reason: reason });
    const [entry] = await auditOf(test, admin.token, 'dhkp.applied');
    expect(entry).toMatchObject({ actor: { name: 'Ibu Ratna' }, subject: { label: 'tempelan.tsv · 2026' } });
    expect(Object.fromEntries(entry?.changes.map(({ field, to }) => [field, to]) ?? [])).toMatchObject({
      rows_new: 3,
      rows_problem: 0,
      sha256: batch.sha256,
      reason,
    });
  });

  it('compares totals that were typed from paper, by book too', async () => {
    const { preview, change, apply } = await buildListApp();
    const before = await preview(listText([...objectsFrom(2), cellsOf(3, { amount: '600.000' })]));
    expect(before.control).toMatchObject({ equal: null, typed: null });
    const control = { objects: 3, amount: 690_003, books: [{ book: 3, amount: 600_000 }] };
    const equal = await change(before.id, { control });
    expect(equal.control).toMatchObject({ equal: true, typed: { objects: 3, amount: 690_003 } });
    const wrong = await change(before.id, { control: { ...control, books: [{ book: 1, objects: 3 }] } });
    expect(wrong.control.equal).toBe(false);
    const answer = await apply(wrong);
    expect(answer.body.message).toBe('Jumlah kontrol berbeda Rp 0. Periksa, atau terapkan dengan alasan.');
    expect(await change(before.id, { control: null })).toMatchObject({ control: { equal: null, typed: null } });
  });

  it('changes nothing when the same file comes again', async () => {
    const { test, preview, applied } = await buildListApp();
    const text = listText(objectsFrom(200, 1, { due: '31/08/2026', paid_on: '', paid: '' }));
    await applied(await preview(text));
    const before = dumpList(test);
    const again = await preview(text);
    expect(again).toMatchObject({ complete: true, counts: { new: 0, changed: 0, same: 200, gone: 0 } });
    await applied(again);
    expect(dumpList(test)).toBe(before);
  });

  it('leaves what a newer file lacks, and takes none of it as paid', async () => {
    const { preview, applied, change, list, rows } = await buildListApp();
    await applied(await preview(listText(objectsFrom(30))));
    const changed = [24, 25, 26].map((number) => cellsOf(number, { amount: '99.000' }));
    const second = await preview(listText([...objectsFrom(20), ...changed, ...objectsFrom(2, 500)]));
    expect(second).toMatchObject({ complete: false, counts: { new: 2, changed: 3, same: 20, gone: 7 } });
    expect(
      (await rows(second, 'changed')).map(({ before, values, differences }) => [before, values.amount, differences]),
    ).toEqual([24, 25, 26].map((number) => [{ amount: 45_000 + number }, 99_000, ['amount']]));
    expect((await rows(second, 'gone')).map(({ nop, row }) => [nop, row])).toEqual(
      [21, 22, 23, 27, 28, 29, 30].map((number) => [nopOf(number), null]),
    );
    await applied(second);
    expect(await list('&listed=1')).toMatchObject({ total: 32 });
    expect(await list('&paid=authority')).toMatchObject({ total: 0 });
    const third = await preview(listText([...objectsFrom(23), ...changed]));
    expect(third).toMatchObject({ complete: true, counts: { gone: 6 } });
    await applied(third);
    expect(await list('&listed=0')).toMatchObject({ total: 6 });
    expect(await list('&paid=authority')).toMatchObject({ total: 0 });
    const back = await preview(listText(objectsFrom(28)));
    expect((await rows(back, 'changed')).filter(({ differences }) => differences.includes('listed'))).toHaveLength(2);
    expect(await change(back.id, { complete: false })).toMatchObject({ complete: false });
  });

  it('keeps what is known where a newer file has a cell that cannot be read', async () => {
    const { preview, applied, list, rows } = await buildListApp();
    await applied(await preview(listText([cellsOf(1, { due: '31/08/2026' }), cellsOf(2, { due: '31/08/2026' })])));
    const second = await preview(listText([cellsOf(1, { due: '08/31/2026' }), cellsOf(2, { due: '' })]));
    expect(second).toMatchObject({ counts: { changed: 1, same: 1, warning: 1 } });
    expect((await rows(second, 'warning'))[0]).toMatchObject({ kind: 'same', values: { due_date: null } });
    await applied(second);
    expect((await list()).data.map(({ due_date }) => due_date)).toEqual(['2026-08-31', null]);
  });

  it('leaves out rows with problems and says so', async () => {
    const { preview, applied, rows, list } = await buildListApp();
    const bad = [
      cellsOf(4, { amount: '1.2E+05' }),
      cellsOf(5, { amount: '' }),
      cellsOf(6, { nop: '3,51518E+17' }),
      cellsOf(7),
      cellsOf(7, { amount: '99.000' }),
    ];
    const batch = await preview(listText([...objectsFrom(3), ...bad]));
    expect(batch).toMatchObject({ counts: { new: 3, problem: 5 }, control: { computed: { objects: 3 } } });
    expect((await rows(batch, 'problem')).map(({ nop, problems }) => [nop, problems[0]?.code])).toEqual([
      [nopOf(4), 'amount_invalid'],
      [nopOf(5), 'amount_missing'],
      [null, 'nop_lost'],
      [nopOf(7), 'nop_double'],
      [nopOf(7), 'nop_double'],
    ]);
    await applied(batch);
    expect((await list()).total).toBe(3);
  });

  it('remembers area and collector of an object for the next year', async () => {
    const { test, preview, applied, list, call } = await buildListApp();
    const collector = buildTestUser(test, { name: 'Pak Joko' });
    await applied(await preview(listText(objectsFrom(3))));
    const [first] = (await list()).data;
    expect((await call('PUT', `/${first?.id}`, { collector_id: collector.id, note: 'rumah kosong' })).status).toBe(200);
    await applied(await preview(listText(objectsFrom(3)), LIST_YEAR + 1));
    const { data } = await list(`&year=${LIST_YEAR + 1}`);
    expect(data[0]).toMatchObject({ collector: { id: collector.id, name: 'Pak Joko' }, note: null });
    expect(data[1]).toMatchObject({ collector: null });
  });
});

describe('payments in a list', () => {
  const paid = (number: number, cells: object) => cellsOf(number, { paid_on: '', paid: '', ...cells });

  it('store what the tax office says and never invent a date or an amount', async () => {
    const { preview, applied, list, rows } = await buildListApp();
    const batch = await preview(
      listText([
        paid(1, { paid_on: '04-MEI-26', paid: '45.001' }),
        paid(2, { paid: '45.002' }),
        paid(3, { paid: '0' }),
        paid(4, { paid: '99.000', paid_on: '31/08/2026' }),
        paid(5, {}),
      ]),
    );
    expect(batch).toMatchObject({ kind: 'list', counts: { new: 5, warning: 2 } });
    expect((await rows(batch, 'warning')).map(({ warnings }) => warnings[0]?.code)).toEqual(['paid_zero', 'paid_more']);
    await applied(batch);
    const { data } = await list();
    const authority = { fine: null, place: null, batch_id: batch.id };
    expect(data.map(({ authority_paid: said }) => said)).toEqual([
      { ...authority, on: '2026-05-04', amount: 45_001 },
      { ...authority, on: null, amount: 45_002 },
      null,
      { ...authority, on: '2026-08-31', amount: 99_000 },
      null,
    ]);
    expect(await list('&paid=authority')).toMatchObject({ total: 3 });
    expect(await list('&paid=no')).toMatchObject({ total: 2 });
    expect(await list('&paid=held')).toMatchObject({ total: 0 });
  });

  it('stay with a warning when a newer file lacks them', async () => {
    const { preview, applied, rows, list } = await buildListApp();
    const first = [paid(1, { paid_on: '04-MEI-26', paid: '45.001' }), paid(2, {})];
    const { id } = await applied(await preview(listText(first)));
    const empty = await preview(listText([paid(1, {}), paid(2, {})]));
    expect(empty).toMatchObject({ counts: { same: 2, warning: 1 } });
    expect((await rows(empty, 'warning'))[0]?.warnings).toMatchObject([{ code: 'payment_missing' }]);
    await applied(empty);
    const without = await preview(listText(objectsFrom(2)));
    expect(without).toMatchObject({ counts: { same: 2, warning: 0 }, warnings: [{ code: 'payments_missing' }] });
    expect((await list()).data[0]?.authority_paid).toMatchObject({ amount: 45_001, batch_id: id });
  });

  it('come alone when every row of the file has one', async () => {
    const { preview, applied, change, list, rows } = await buildListApp();
    await applied(await preview(listText(objectsFrom(10))));
    const both = [1, 2].map((number) => paid(number, { amount: '1', paid: '45.000', paid_on: '01/07/2026' }));
    const payments = await preview(listText(both));
    expect(payments).toMatchObject({ kind: 'payments', complete: false, counts: { changed: 2, gone: 8 } });
    const applying = await applied(payments);
    expect((await list('&paid=authority')).data.map(({ amount }) => amount)).toEqual([45_001, 45_002]);
    expect((await list('&listed=1')).total).toBe(10);
    expect(applying.kind).toBe('payments');
    const unknown = await preview(listText([...both, paid(99, { paid: '45.000' })]));
    expect(unknown).toMatchObject({ kind: 'list', counts: { new: 1 } });
    const forced = await change(unknown.id, { kind: 'payments', complete: true });
    expect(forced).toMatchObject({ kind: 'payments', complete: false, counts: { new: 0, problem: 1 } });
    expect((await rows(forced, 'problem'))[0]?.problems).toMatchObject([{ code: 'object_missing' }]);
  });
});

describe('POST /admin/dhkp/batches/{id}/revert', () => {
  it('answers 409 while rows were used since, and names them', async () => {
    const { test, admin, preview, applied, revert, list, call, batch } = await buildListApp();
    const one = await applied(await preview(listText(objectsFrom(5))));
    const { data } = await list();
    expect((await call('PUT', `/${data[1]?.id}`, { note: 'pindah rumah' })).status).toBe(200);
    const before = dumpList(test);
    const answer = await revert(one);
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        success: false,
        message: '1 baris sudah dipakai (titipan, hubungan, atau perubahan)',
        data: [{ id: data[1]?.id, nop: nopOf(2) }],
      },
    ]);
    expect(dumpList(test)).toBe(before);
    expect(await batch(one.id)).toMatchObject({ state: 'applied', progress: { done: 5, total: 5 } });
    expect(await auditOf(test, admin.token, 'dhkp.reverted')).toEqual([]);
  });

  it('answers 409 after an object was linked to an account, unless the link is older', async () => {
    const { test, preview, applied, revert, list, call } = await buildListApp();
    const budi = buildTestUser(test, { name: 'Budi' });
    const link = test.database.sqlite.prepare('update objects set user_id = ?, linked_at = ? where nop = ?');
    await applied(await preview(listText(objectsFrom(3))));
    link.run(budi.id, test.clock.now(), nopOf(1));
    test.clock.advance(1000);
    const second = await applied(await preview(listText(objectsFrom(3, 1, { amount: '99.000' }))));
    link.run(budi.id, test.clock.now() + 1, nopOf(2));
    expect((await revert(second)).body).toMatchObject({ data: [{ nop: nopOf(2) }] });
    expect((await list('&linked=1')).data.map(({ account }) => account?.name)).toEqual(['Budi', 'Budi']);
    expect((await list('&linked=0')).total).toBe(1);
    link.run(null, null, nopOf(2));
    expect((await revert(second)).status).toBe(200);
    // The deletion of an account leaves its objects.
    const admin = buildAdmin(test);
    const body = { current_password: ADMIN_PASSWORD };
    expect((await test.call('DELETE', `/api/admin/users/${budi.id}`, { token: admin.token, body })).status).toBe(200);
    expect((await list()).data.map(({ account }) => account)).toEqual([null, null, null]);
    expect((await call('GET', '/batches')).status).toBe(200);
  });

  it.each(['', 'abcd', 'a'.repeat(301)])('refuses the reason "%.5s" with 422', async (reason) => {
    const { preview, applied, revert } = await buildListApp();
    const answer = await revert(await applied(await preview(listText(objectsFrom(2)))), reason);
    expect([answer.status, answer.body.message]).toEqual([422, 'Alasan harus 5 sampai 300 karakter']);
  });

  it('refuses one that is not applied, or was taken back already', async () => {
    const { preview, revert, applied } = await buildListApp();
    const batch = await preview(listText(objectsFrom(2)));
    expect((await revert(batch)).body.message).toBe('Hanya impor terakhir yang dapat dibatalkan');
    await applied(batch);
    expect((await revert(batch)).body.data).toMatchObject({
      state: 'reverted',
      reverted_at: '2026-06-10T05:00:00.000Z',
    });
    expect((await revert(batch)).body.message).toBe('Hanya impor terakhir yang dapat dibatalkan');
  });

  it('lets nobody change an object of the year meanwhile', async () => {
    const { test, preview, applied, list, call } = await buildListApp();
    const { id } = await applied(await preview(listText(objectsFrom(2))));
    const [first] = (await list()).data;
    test.database.sqlite.prepare("update dhkp_batches set state = 'reverting' where id = ?").run(id);
    const message = 'Impor tahun ini sedang dibatalkan. Tunggu sebentar lalu coba lagi.';
    for (const answer of [
      await call('PUT', `/${first?.id}`, { note: 'baru' }),
      await call('POST', '/bulk', { ids: [first?.id], set: { note: 'baru' } }),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([409, message]);
    }
  });

  it('ends also when it begins while the apply still removes files', async () => {
    const { test, admin, preview, batch, inState, list } = await buildListApp();
    const removed = Promise.withResolvers<void>();
    const uploads = { ...createUploadFiles(test.proofsDir), discardAll: async () => removed.promise };
    const events = { report: () => undefined, listChanged: () => undefined, close: () => undefined };
    const applying = createApplying(test.context, {
      uploads,
      previews: createPreviews(test.context),
      events,
      linkedRecords: noLinkedRecords,
      log: test.server.log,
    });
    const { id, preview_id } = await preview(listText(objectsFrom(5)));
    await applying.apply(admin, id, { preview_id: preview_id ?? '' });
    await inState(id, 'applied');
    const caller = { account: admin.id, closed: new AbortController().signal, acceptsGzip: false };
    const reverted = applying.revert(admin, id, { reason: 'salah berkas' }, caller);
    await expect.poll(() => stateIn(test, id)).toEqual({ state: 'reverting', done: 0 });
    removed.resolve();
    expect(await reverted).toMatchObject({ state: 'reverted' });
    expect(await batch(id)).toMatchObject({ state: 'reverted', progress: { done: 5, total: 5 } });
    expect((await list()).total).toBe(0);
  });

  it('answers 409 and changes nothing when another process has ended its check', async () => {
    const { test, admin, preview, applied } = await buildListApp();
    const { id } = await applied(await preview(listText(objectsFrom(5))));
    const before = dumpList(test);
    const versionOf = () => test.database.sqlite.prepare('select version from dhkp_years').pluck().get();
    const version = versionOf();
    const { queryWorker } = test.context;
    // As a process does that begins to lead and knows nothing of the check.
    const takeOver = () => createApplying(test.context, deps).takeOver();
    const run: typeof queryWorker.run = (...query) => takeOver().then(() => queryWorker.run(...query));
    const events = { report: () => undefined, listChanged: () => undefined, close: () => undefined };
    const uploads = createUploadFiles(test.proofsDir);
    const previews = createPreviews(test.context);
    const deps = { uploads, previews, events, linkedRecords: noLinkedRecords, log: test.server.log };
    const applying = createApplying({ ...test.context, queryWorker: { ...queryWorker, run } }, deps);
    const caller = { account: admin.id, closed: new AbortController().signal, acceptsGzip: false };
    await expect(applying.revert(admin, id, { reason: 'salah berkas' }, caller)).rejects.toMatchObject({
      status: 409,
      message: 'Pembatalan terhenti. Coba lagi.',
    });
    expect(stateIn(test, id)).toEqual({ state: 'applied', done: 5 });
    expect(dumpList(test)).toBe(before);
    expect(versionOf()).toBe(version);
    expect(await auditOf(test, admin.token, 'dhkp.reverted')).toEqual([]);
  });

  it('keeps an object that another year has', async () => {
    const { test, preview, applied, revert, list } = await buildListApp();
    const first = await applied(await preview(listText(objectsFrom(3))));
    await applied(await preview(listText(objectsFrom(2)), LIST_YEAR + 1));
    expect((await revert(first)).status).toBe(200);
    expect((await list(`&year=${LIST_YEAR}`)).total).toBe(0);
    expect((await list(`&year=${LIST_YEAR + 1}`)).total).toBe(2);
    expect(test.database.sqlite.prepare('select count(*) from objects').pluck().get()).toBe(2);
  });
});

describe('the file and the rows', () => {
  it('stay for the two newest applied imports of a year', async () => {
    const { test, preview, applied, rows, call } = await buildListApp();
    const batches = [];
    for (const count of [1, 2, 3]) batches.push(await applied(await preview(listText(objectsFrom(count)))));
    const [oldest, ...kept] = batches;
    if (!oldest) throw new Error('three batches');
    await expect.poll(async () => (await call('GET', `/batches/${oldest.id}/file`)).status).toBe(404);
    expect((await call('GET', `/batches/${oldest.id}/file`)).body.message).toBe('Berkas impor ini tidak disimpan lagi');
    expect(await rows(oldest)).toEqual([]);
    for (const one of kept) expect((await call('GET', `/batches/${one.id}/file`)).status).toBe(200);
    await expect.poll(() => readdirSync(test.proofsDir)).toHaveLength(2);
  });
});

describe('an import that a crash interrupts', () => {
  /** The app over a database in a file, which a second app opens after the first one has gone. */
  async function buildInterrupted() {
    const file = join(mkdtempSync(join(tmpdir(), 'pbb-dhkp-')), 'pbb.sqlite');
    onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
    const app = await buildListApp({ database: openTestDatabase(file) });
    async function restart(overrides: TestOverrides = {}): Promise<TestApp> {
      await app.test.server.close();
      const again = await buildTestApp({
        ...overrides,
        database: withDirectAccess(openDatabase(file)),
        proofsDir: app.test.proofsDir,
      });
      await again.server.ready();
      return again;
    }
    return { ...app, restart };
  }
  const stepOf = (test: TestApp, batchId: string): Step => ({
    batchId,
    limit: 10,
    nowMs: test.clock.now(),
    linkedRecords: noLinkedRecords,
    changedRecords: () => undefined,
  });
  const countIn = ({ database: { sqlite } }: TestApp): unknown =>
    sqlite.prepare('select count(*) from assessments').pluck().get();

  it.each([0, 1, 7])('ends before the next server listens, after %d steps', async (steps) => {
    const { test, preview, restart } = await buildInterrupted();
    const { id } = await preview(listText(objectsFrom(100)));
    const { write } = test.context;
    // As a kill leaves it: the batch has begun, and some steps are done.
    test.database.sqlite.prepare("update dhkp_batches set state = 'applying', list_version = 1 where id = ?").run(id);
    for (let step = 0; step < steps; step += 1) await write((tx) => applyNextRows(tx, stepOf(test, id)));
    expect(countIn(test)).toBe(10 * steps);
    const again = await restart();
    expect(stateIn(again, id)).toEqual({ state: 'applied', done: 100 });
    expect(countIn(again)).toBe(100);
  });

  it.each([0, 1, 7])('goes back to the end before the next server listens, after %d steps', async (steps) => {
    const { test, preview, applied, restart } = await buildInterrupted();
    const before = dumpList(test);
    const { id } = await applied(await preview(listText(objectsFrom(100))));
    const { write } = test.context;
    test.database.sqlite.prepare("update dhkp_batches set state = 'reverting', done_rows = 0 where id = ?").run(id);
    for (let step = 0; step < steps; step += 1) await write((tx) => revertNextRows(tx, stepOf(test, id)));
    expect(countIn(test)).toBe(100 - 10 * steps);
    const again = await restart();
    expect(stateIn(again, id)).toMatchObject({ state: 'reverted' });
    expect(dumpList(again)).toBe(before);
  });

  it('waits until the server listens where another process may still work on it', async () => {
    const { test, preview, restart } = await buildInterrupted();
    const { id } = await preview(listText(objectsFrom(20)));
    test.database.sqlite.prepare("update dhkp_batches set state = 'applying', list_version = 1 where id = ?").run(id);
    const openBus = async () => ({ send: () => undefined, isLeader: () => true, close: async () => undefined });
    const again = await restart({ openBus });
    expect(stateIn(again, id)).toEqual({ state: 'applying', done: 0 });
    await again.server.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(() => stateIn(again, id)).toEqual({ state: 'applied', done: 20 });
  });

  it('stays applied when the check before a revert was interrupted', async () => {
    const { test, preview, applied, restart } = await buildInterrupted();
    const { id } = await applied(await preview(listText(objectsFrom(20))));
    const before = dumpList(test);
    test.database.sqlite.prepare("update dhkp_batches set state = 'reverting', done_rows = -1 where id = ?").run(id);
    const again = await restart();
    expect(stateIn(again, id)).toEqual({ state: 'applied', done: 20 });
    expect(dumpList(again)).toBe(before);
  });
});

it('changes no answer about records, users, statistics and reports by 2,730 rows', async () => {
  const { test, admin, preview, applied } = await buildListApp();
  const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
  for (const { id } of [budi, siti]) {
    for (const year of [2024, 2025])
      buildRecord(test, id, { year, sptNumber: nopOf(1), status: 'lunas', paymentDate: `${year}-05-02` });
  }
  const adminPaths = [
    '/api/admin/statistics',
    '/api/admin/users',
    '/api/admin/tax-records',
    '/api/admin/reports/overview?range=this_year',
    '/api/admin/chat-statistics?range=this_month',
    '/api/admin/verifications',
  ];
  const userPaths = [
    '/api/tax-records',
    '/api/tax-records/statistics',
    '/api/tax-records/check-year',
    '/api/reports/summary?period=this_year',
  ];
  async function answers(): Promise<string[]> {
    const texts: string[] = [];
    for (const path of adminPaths) texts.push((await test.call('GET', path, { token: admin.token })).raw.toString());
    for (const path of userPaths) texts.push((await test.call('GET', path, { token: budi.token })).raw.toString());
    return texts;
  }
  await answers();
  const before = await answers();
  expect(before.every((text) => text.includes('"success":true'))).toBe(true);
  const rows = objectsFrom(2730);
  const batch = await applied(await preview(listText(rows, sumOf(2730))));
  expect(batch).toMatchObject({ counts: { new: 2730 }, control: { equal: true } });
  expect(await answers()).toEqual(before);
  expect(buildAdmin(test).id).not.toBe(admin.id);
});
