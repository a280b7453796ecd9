import { rmSync, writeFileSync } from 'node:fs';
import { readSnapshot } from '#server/db/engine.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import type { Attachment } from '#shared/api/chat/chat.ts';
import { postFile, sendFiles, storedAttachments, storedFiles, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildAdmin, buildRecord, buildTestUser, ownPassword, type SignedInUser } from '#server/testing/factories.ts';
import { buildPng } from '#server/testing/images.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { changeUser } from '#server/testing/rows.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { putOrphanedFilesAside } from '#server/uploads/orphaned-files.ts';
import { createUploadFiles } from '#server/uploads/upload-files.ts';
import {
  attachToMessage,
  countUnsent,
  deleteClearedBatch,
  deleteUnsentBatch,
  findByFile,
  findSent,
  findUnsent,
  findUploaded,
  listUnfinishedClears,
  readAttachments,
} from './attachment-queries.ts';
import { type AttachmentService, createAttachmentService } from './attachment-service.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

async function buildChat() {
  const test = await buildTestApp();
  const [ratna, budi, siti] = [buildAdmin(test), buildTestUser(test), buildTestUser(test)];
  const service = createAttachmentService(test.context, createUploadFiles(test.proofsDir));
  const upload = (user: SignedInUser) => uploadFile(test, user, { thumb: buildPng() });
  const sendNew = async (from: SignedInUser, to: SignedInUser, count = 1): Promise<Attachment[]> => {
    const files: Attachment[] = [];
    for (let index = 0; index < count; index += 1) files.push(await upload(from));
    await sendFiles(test, from, to, files);
    return files;
  };
  const clear = ({ id }: SignedInUser) =>
    test.call('DELETE', `/api/messages/conversation/${id}`, { token: ratna.token });
  return { test, ratna, budi, siti, service, upload, sendNew, clear };
}

/** The files of the rows, small images too, as the folder must have them. */
const named = (test: TestApp): string[] =>
  storedAttachments(test)
    .flatMap(({ file, thumbFile }) => (thumbFile === null ? [file] : [file, thumbFile]))
    .toSorted();
const uploaders = (test: TestApp): string[] => storedAttachments(test).map(({ uploaderId }) => uploaderId);

describe('deleting a history', () => {
  it('removes its files, and nothing of others, of proofs or of what was not sent yet', async () => {
    const { test, ratna, budi, siti, upload, sendNew, clear } = await buildChat();
    const record = buildRecord(test, budi.id);
    const form = buildForm({}, { bytes: buildImage() });
    await test.call('POST', `/api/tax-records/${record.id}/payment-proof`, { token: budi.token, ...form });
    const [proof = ''] = storedFiles(test);
    await sendNew(budi, ratna, 2);
    await sendNew(ratna, budi);
    await sendNew(siti, ratna);
    const waiting = await upload(budi);
    expect((await clear(budi)).status).toBe(200);
    expect(uploaders(test)).toEqual([siti.id, budi.id]);
    expect(storedFiles(test)).toEqual([...named(test), proof].toSorted());
    // A file that was not sent can be sent after the deletion.
    await sendFiles(test, budi, ratna, [waiting]);
    expect((await test.call('GET', waiting.url)).status).toBe(200);
  });

  it('works in steps where there are many', async () => {
    const { test, ratna, budi, sendNew, clear } = await buildChat();
    await sendNew(budi, ratna);
    const [row] = storedAttachments(test);
    if (!row) throw new Error('no file');
    const copy = test.database.sqlite.prepare(
      `insert into attachments (id, uploader_id, from_admin, user_id, message_id, name, file, type, bytes, created_at)
       select ?, uploader_id, from_admin, user_id, message_id, name, ?, type, bytes, created_at from attachments limit 1`,
    );
    for (let index = 0; index < 250; index += 1) copy.run(`id-${index}`, `file-${index}`);
    expect((await clear(budi)).status).toBe(200);
    expect(storedAttachments(test)).toEqual([]);
    expect(storedFiles(test)).toEqual([]);
  });
});

describe('deleting an account', () => {
  it('removes the files of its conversation and what it did not send; what it sent as an admin stays', async () => {
    const { test, ratna, budi, siti, upload, sendNew } = await buildChat();
    const sari = buildAdmin(test, { name: 'Sari' });
    await sendNew(budi, ratna);
    await sendNew(sari, budi);
    await upload(budi);
    await sendNew(sari, siti);
    await upload(sari);
    const remove = ({ id }: SignedInUser) =>
      test.call('DELETE', `/api/admin/users/${id}`, { token: ratna.token, body: ownPassword });
    expect((await remove(budi)).status).toBe(200);
    expect(storedAttachments(test)).toMatchObject([
      { uploaderId: sari.id, userId: siti.id },
      { uploaderId: sari.id, messageId: null },
    ]);
    expect((await remove(sari)).status).toBe(200);
    expect(storedAttachments(test)).toMatchObject([{ uploaderId: sari.id, userId: siti.id }]);
    expect(storedFiles(test)).toEqual(named(test));
  });
});

describe('after a crash', () => {
  it('the next start goes on with deletions of histories and accounts', async () => {
    const { test, ratna, budi, siti, sendNew } = await buildChat();
    const { sqlite } = test.database;
    await sendNew(budi, ratna);
    await sendNew(siti, ratna);
    const wati = buildTestUser(test);
    await sendNew(wati, ratna);
    const kept = named(test).slice();
    sqlite
      .prepare('update conversations set cleared_id = last_message_id, last_message_id = 0 where user_id = ?')
      .run(budi.id);
    sqlite
      .prepare('insert into account_deletions (user_id, actor_id, actor_name, created_at) values (?, ?, ?, 1)')
      .run(siti.id, ratna.id, 'Ratna');
    sqlite.prepare('delete from users where id = ?').run(siti.id);
    // The first of the files went before the crash.
    rmSync(join(test.proofsDir, kept[0] ?? ''));
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(() => uploaders(test)).toEqual([wati.id]);
    await expect.poll(() => storedFiles(test).filter((name) => !named(test).includes(name))).toEqual([]);
  });

  it('files without a row are put aside, and come back when a row names them again', async () => {
    const { test, ratna, budi, sendNew, upload } = await buildChat();
    await sendNew(budi, ratna);
    await upload(budi);
    const before = storedFiles(test);
    const left = ['11111111-1111-4111-8111-111111111111.webp', '22222222-2222-4222-8222-222222222222.pdf'];
    for (const name of [...left, `${left[0]}.part`]) writeFileSync(join(test.proofsDir, name), 'x');
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 3, returned: 0 });
    expect(storedFiles(test)).toEqual(before);
    test.database.sqlite.exec('create temp table newer as select * from attachments; delete from attachments');
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 4, returned: 0 });
    test.database.sqlite.exec('insert into attachments select * from newer; drop table newer');
    expect(await putOrphanedFilesAside(test.context)).toEqual({ putAside: 0, returned: 4 });
    expect(storedFiles(test)).toEqual(before);
  });
});

describe('the sweep of what was never sent', () => {
  const sweep = (service: AttachmentService) => service.sweep(() => true);

  it('removes it after 24 hours and not before, and never what was sent', async () => {
    const { test, ratna, budi, siti, service, upload, sendNew } = await buildChat();
    await sendNew(budi, ratna);
    await upload(siti);
    test.clock.advance(2 * HOUR_MS);
    await upload(budi);
    test.clock.advance(22 * HOUR_MS);
    await sweep(service);
    expect(storedAttachments(test)).toHaveLength(3);
    test.clock.advance(1);
    await sweep(service);
    expect(storedAttachments(test)).toMatchObject([{ messageId: 1 }, { uploaderId: budi.id }]);
    expect(storedFiles(test)).toEqual(named(test));
    test.clock.advance(30 * DAY_MS);
    await sweep(service);
    expect(storedAttachments(test)).toMatchObject([{ messageId: 1 }]);
    expect(storedFiles(test)).toEqual(named(test));
  });

  it('runs when the server starts to listen', async () => {
    const { test, budi, upload } = await buildChat();
    await upload(budi);
    test.clock.advance(DAY_MS + 1);
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(() => storedFiles(test)).toEqual([]);
  });

  it('removes nothing early when the clock is set forward, and what that clock dated does not stay for ever', async () => {
    const { test, budi, service, upload } = await buildChat();
    await upload(budi);
    test.clock.jump(40 * DAY_MS);
    await sweep(service);
    expect(storedAttachments(test)).toHaveLength(1);
    await upload(budi);
    test.clock.jump(-40 * DAY_MS);
    await sweep(service);
    expect(storedAttachments(test)).toHaveLength(1);
  });

  it('removes nothing early that a clock dated which was set back for a moment', async () => {
    const { test, budi, service, upload } = await buildChat();
    test.clock.jump(-40 * DAY_MS);
    await upload(budi);
    test.clock.jump(40 * DAY_MS);
    await sweep(service);
    expect(storedAttachments(test)).toHaveLength(1);
    test.clock.advance(DAY_MS + 1);
    await sweep(service);
    expect(storedAttachments(test)).toEqual([]);
  });

  itOnSqlite(
    'and a send at the same moment: the message has the file, or the sender is told that it is missing',
    async () => {
      const { test, budi, service, upload } = await buildChat();
      const { write } = test.context;
      for (const sweepsFirst of [true, false]) {
        const { id } = await upload(budi);
        test.clock.advance(DAY_MS + 1);
        const claim = () =>
          write(async (tx) => {
            const { rows, missing } = await findUnsent(tx, budi, [id]);
            await attachToMessage(tx, rows, { userId: budi.id, messageId: 1 });
            return missing;
          });
        const first = sweepsFirst ? sweep(service) : claim();
        // Its change is in the queue by then, and not stored yet.
        await new Promise((resolve) => process.nextTick(resolve));
        const second = sweepsFirst ? claim() : sweep(service);
        const missing = await (sweepsFirst ? second : first);
        await Promise.all([first, second]);
        expect(missing).toEqual(sweepsFirst ? [id] : []);
        expect(storedAttachments(test)).toMatchObject(sweepsFirst ? [] : [{ id, userId: budi.id, messageId: 1 }]);
        expect(storedFiles(test)).toEqual(named(test));
      }
      // The same upload again is a new file.
      const fields = { client_id: 'foto' };
      await uploadFile(test, budi, { fields });
      test.clock.advance(DAY_MS + 1);
      await sweep(service);
      expect((await postFile(test, budi, { fields })).status).toBe(201);
    },
  );
});

describe('own files that wait to be sent', () => {
  it('come in the order of the ids, without others: of somebody else, sent, or doubled', async () => {
    const { test, ratna, budi, siti, upload } = await buildChat();
    const { orm } = test.context;
    const [a, b, sent] = [await upload(budi), await upload(budi), await upload(budi)];
    const other = await upload(siti);
    await sendFiles(test, budi, ratna, [sent]);
    expect(await findUnsent(orm, budi, [])).toEqual({ rows: [], missing: [] });
    expect(await findUnsent(orm, budi, [b.id, a.id])).toMatchObject({
      rows: [{ id: b.id }, { id: a.id }],
      missing: [],
    });
    const wrong = [sent.id, other.id, 'tidak-ada', a.id];
    expect((await findUnsent(orm, budi, [a.id, ...wrong])).missing).toEqual(wrong);
    expect(await findSent(orm, a.id)).toBeNull();
    expect(await findSent(orm, sent.id)).toMatchObject({ userId: budi.id, type: 'image/png' });
    changeUser(test, budi.id, { isAdmin: true });
    expect(await findSent(orm, sent.id)).toBeNull();
    changeUser(test, budi.id, { isAdmin: false });
    expect(await findSent(orm, sent.id)).not.toBeNull();
    test.database.sqlite.exec('update conversations set cleared_id = last_message_id');
    expect(await findSent(orm, sent.id)).toBeNull();
    expect(await findSent(orm, 'tidak-ada')).toBeNull();
  });
});

itOnSqlite('finds files by an index', async () => {
  const { test } = await buildChat();
  const plans = await queryPlans(test, async (orm) => {
    await findUploaded(orm, 'x', 'y');
    await findUnsent(orm, { id: 'x' }, ['y', 'z']);
    await readAttachments(orm, [{ id: 1, photoCount: 1, documentCount: 0 }]);
    await findSent(orm, 'x');
    await findByFile(orm, 'x');
    await listUnfinishedClears(orm);
    await readSnapshot(orm, async (tx) => {
      await countUnsent(tx, 'x');
      await deleteClearedBatch(tx, 'x');
      await deleteUnsentBatch(tx, { olderThan: 1, laterThan: 2 });
    });
  });
  for (const plan of plans)
    expect(plan).not.toMatch(/SCAN attachments(?! USING (?:COVERING )?INDEX attachments_unsent)/);
});
