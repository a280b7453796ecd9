import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uploadFile } from '#server/testing/chat/attachments.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { addPending } from '#server/records/record-index-queries.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { inspectFreePages, rewriteOnce } from './deleted-texts.ts';
import { openDatabase, openReadOnly } from './open.ts';

const WORD = /RAHASIA-\d+/g;
/** Texts longer than what the audit keeps of them. */
const longText = (word: string): string => `${'kata '.repeat(100)}${word}`;

function tempDatabaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-deleted-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'pbb.sqlite');
}

/** The words in all files of the database, such as its write-ahead log. */
function wordsIn(file: string): string[] {
  const folder = dirname(file);
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'latin1').match(WORD) ?? []);
}

/** The app on a database on the disk, with a conversation and a record full of words. */
async function buildAppOnDisk() {
  const file = tempDatabaseFile();
  const { test, send, post } = await buildChatApp({ database: openTestDatabase(file) });
  const [admin, user] = [buildAdmin(test), buildTestUser(test)];
  for (let n = 0; n < 20; n += 1) await send(user, admin, `RAHASIA-${n} ${'x'.repeat(n * 90)}`);
  // A message carries the name of a file, and a record as it was when the message was sent.
  const { id: fileId } = await uploadFile(test, user, { file: { filename: 'RAHASIA-20.png' } });
  const shared = buildRecord(test, user.id, { name: 'RAHASIA-21 Budi' });
  const carries = { attachment_ids: [fileId], record_id: shared.id };
  expect((await post(user, { to_user_id: admin.id, content: 'Ini', ...carries })).status).toBe(201);
  test.database.sqlite.prepare("update tax_records set name = 'lain'").run();
  const record = buildRecord(test, user.id, { notes: longText('RAHASIA-100'), description: longText('RAHASIA-101') });
  expect(new Set(wordsIn(file)).size).toBe(24);
  return { file, test, admin, user, record };
}

describe('the files of the database hold no word any more', () => {
  it('of a history once its deletion is answered', async () => {
    const { file, test, admin, user } = await buildAppOnDisk();
    const { status } = await test.call('DELETE', `/api/messages/conversation/${user.id}`, { token: admin.token });
    expect(status).toBe(200);
    expect(new Set(wordsIn(file))).toEqual(new Set(['RAHASIA-100', 'RAHASIA-101']));
  });

  it('of an account once its deletion is answered', async () => {
    const { file, test, admin, user } = await buildAppOnDisk();
    const { status } = await test.call('DELETE', `/api/admin/users/${user.id}`, { token: admin.token });
    expect(status).toBe(200);
    expect(wordsIn(file)).toEqual([]);
  });

  it('of an edited and of a deleted record within a minute', async () => {
    const { file, test, admin, user, record } = await buildAppOnDisk();
    const { name, address, sptNumber, description } = record;
    const body = { name, address, spt_number: sptNumber, amount: 1000, description, notes: 'baru' };
    const edited = await test.call('PUT', `/api/tax-records/${record.id}`, { token: user.token, body });
    expect(edited.status).toBe(200);
    await test.context.eraseDeleted();
    expect(wordsIn(file)).not.toContain('RAHASIA-100');
    expect(wordsIn(file)).toContain('RAHASIA-101');
    const url = `/api/admin/tax-records/${record.id}`;
    expect((await test.call('DELETE', url, { token: admin.token })).status).toBe(200);
    await test.context.eraseDeleted();
    expect(wordsIn(file)).not.toContain('RAHASIA-101');
  });

  it('of replaced and deleted records in the search index within a minute', async () => {
    const { file, test, user } = await buildAppOnDisk();
    const { sqlite } = test.database;
    const matched = sqlite
      .prepare<[], number>("select count(*) from record_words where record_words match 'rah'")
      .pluck();
    const [edited, deleted] = [201, 202].map((n) => buildRecord(test, user.id, { address: `RAHASIA-${n}` }));
    await test.context.write((tx) => addPending(tx, 100));
    expect(matched.get()).toBe(2);

    sqlite.prepare("update tax_records set address = 'lain' where id = ?").run(edited?.id);
    sqlite.prepare("update tax_records set address = 'RAHASIA-203' where id = ?").run(edited?.id);
    sqlite.prepare("update tax_records set address = 'lagi' where id = ?").run(edited?.id);
    sqlite.prepare('delete from tax_records where id = ?').run(deleted?.id);
    expect(wordsIn(file)).toEqual(expect.arrayContaining(['RAHASIA-201', 'RAHASIA-202', 'RAHASIA-203']));
    await test.context.eraseDeleted();
    expect(wordsIn(file).filter((word) => word.startsWith('RAHASIA-20'))).toEqual(['RAHASIA-20']);
    expect(matched.get()).toBe(0);
  });

  it('of an account with many records once its deletion is answered', async () => {
    const { file, test, admin, user } = await buildAppOnDisk();
    for (let n = 300; n < 350; n += 1) buildRecord(test, user.id, { address: longText(`RAHASIA-${n}`) });
    await test.context.write((tx) => addPending(tx, 100));
    const { status } = await test.call('DELETE', `/api/admin/users/${user.id}`, { token: admin.token });
    expect(status).toBe(200);
    expect(wordsIn(file)).toEqual([]);
    const matched = test.database.sqlite
      .prepare('select count(*) from record_words where record_words match ?')
      .pluck();
    expect(matched.get('kat')).toBe(0);
  });

  it('when a reader, such as a backup, was at work during the deletion', async () => {
    const { file, test, admin, user } = await buildAppOnDisk();
    const reader = openReadOnly(file).sqlite;
    reader.exec('begin');
    reader.prepare('select count(*) from messages').get();
    const answer = test.call('DELETE', `/api/messages/conversation/${user.id}`, { token: admin.token });
    const countTexts = test.database.sqlite.prepare("select count(*) from messages where content <> ''").pluck();
    await expect.poll(() => countTexts.get()).toBe(0);
    expect(wordsIn(file)).toContain('RAHASIA-1');
    reader.close();
    expect((await answer).status).toBe(200);
    expect(wordsIn(file)).not.toContain('RAHASIA-1');
  });
});

describe('a database of version 1.0.0', () => {
  function buildVersion1File(): string {
    const file = tempDatabaseFile();
    const sqlite = new Database(file);
    sqlite.exec('create table letters (id integer primary key autoincrement, text text)');
    const insert = sqlite.prepare('insert into letters (text) values (?)');
    for (let n = 0; n < 200; n += 1) insert.run(`RAHASIA-${n} ${'x'.repeat(100)}`);
    sqlite.exec("delete from letters where id > 1; update letters set text = 'tetap'");
    sqlite.close();
    expect(wordsIn(file).length).toBeGreaterThan(100);
    return file;
  }

  it('loses the texts that were deleted from it when it is rewritten once, and keeps its rows and numbers', () => {
    const file = buildVersion1File();
    const database = openDatabase(file);
    onTestFinished(() => void database.sqlite.close());
    expect(inspectFreePages(database.sqlite)).toBe('rewritten at the next start');
    expect(rewriteOnce(database)).toBe(true);
    expect(wordsIn(file)).toEqual([]);
    expect(database.sqlite.prepare('select id, text from letters').all()).toEqual([{ id: 1, text: 'tetap' }]);
    expect(database.sqlite.prepare('select seq from sqlite_sequence').pluck().get()).toBe(200);
    expect(inspectFreePages(database.sqlite)).toBe('clean');
    expect(rewriteOnce(database)).toBeNull();
  });

  it('stays as it is when it is too large for a start', () => {
    const database = openDatabase(buildVersion1File());
    onTestFinished(() => void database.sqlite.close());
    expect(rewriteOnce(database, 4096)).toBe(false);
    expect(inspectFreePages(database.sqlite, 4096)).toBe('kept');
  });

  it('stays as it is while another program reads it, and the next start rewrites it', () => {
    const file = buildVersion1File();
    const database = openDatabase(file);
    onTestFinished(() => void database.sqlite.close());
    database.sqlite.pragma('busy_timeout = 0');
    const other = new Database(file);
    other.exec('begin immediate');
    expect(rewriteOnce(database)).toBe(false);
    other.close();
    expect(rewriteOnce(database)).toBe(true);
  });
});
