import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SecurityEntry } from '#shared/api/security-log.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { erasureRequests, objectClaims, objects } from '#server/db/schema.ts';
import { storedFiles, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildRecord, buildSession, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { indexNewer } from '#server/messages/message-index-queries.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { storedRecords, storedUsers } from '#server/testing/rows.ts';
import { listen, openTab } from '#server/testing/sockets.ts';
import { type Answer, buildTestApp } from '#server/testing/test-app.ts';
import { describeOnSqlite, itOnSqlite } from '#server/testing/on-sqlite.ts';

/** The deletions of the retention at night, and their limits (R-ACCESS-92 to R-ACCESS-94). */

const YEAR_MS = 366 * DAY_MS;

function tempDatabaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-retention-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'pbb.sqlite');
}

async function buildOffice(file = ':memory:') {
  const chat = await buildChatApp({ database: openTestDatabase(file) });
  const { test } = chat;
  const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi', email: 'dewi@kantor.id' })];
  const budi = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id' });
  /** Time passes; sessions of this account are as after a new login. */
  const signIn = <T extends { id: string }>(user: T) => ({ ...user, ...buildSession(test, user.id) });
  /** The next night at one o'clock of the office. */
  const toNight = (): void => {
    const oneOClock = 18 * HOUR_MS;
    test.clock.advance(DAY_MS - ((test.clock.now() - oneOClock) % DAY_MS));
  };
  const night = async (mayContinue: () => boolean = () => true): Promise<void> => {
    toNight();
    await test.runRetention(mayContinue);
  };
  const set = async (messages: number, accounts = 0): Promise<void> => {
    const { token } = signIn(ratna);
    const body = { messages_months: messages, inactive_accounts_months: accounts, ...ownPassword };
    const answer = await test.call('PUT', '/api/admin/retention', { token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  /** Announces these terms, and lets the 30 days pass with a look in the first night. */
  const announce = async (messages: number, accounts = 0): Promise<void> => {
    await set(messages, accounts);
    await night();
    test.clock.advance(30 * DAY_MS);
  };
  const auditOf = async (action: string) => {
    const { token } = signIn(ratna);
    const { body } = await test.call('GET', `/api/admin/audit?action=${action}`, { token });
    return (body.data as unknown as { data: { actor: { name: string }; changes: { field: string; to: number }[] }[] })
      .data;
  };
  const contents = (): string[] =>
    test.database.sqlite
      .prepare<[], string>("select content from messages where content <> '' order by id")
      .pluck()
      .all();
  const deletedCounts = async () => (await auditOf('retention.ran')).map(({ changes }) => changes.map(({ to }) => to));
  const remains = ({ id }: { id: string }): boolean => storedUsers(test).some((user) => user.id === id);
  return {
    ...chat,
    ratna,
    dewi,
    budi,
    signIn,
    toNight,
    night,
    set,
    announce,
    auditOf,
    contents,
    deletedCounts,
    remains,
  };
}

describe('old messages', () => {
  it('go in the first night after the announcement with files, quotes and words, and what is younger stays readable', async () => {
    const file = tempDatabaseFile();
    const office = await buildOffice(file);
    const { test, ratna, budi, send, post, history, list, signIn, night, announce, contents, deletedCounts } = office;
    const markers = (): string[] =>
      readdirSync(dirname(file)).flatMap(
        (name) => readFileSync(join(dirname(file), name), 'latin1').match(/KUNO-\d/g) ?? [],
      );
    const old = await send(budi, ratna, 'KUNO-1 tanya');
    const { id: fileId } = await uploadFile(test, budi, { file: { filename: 'KUNO-2.png' } });
    const photo = await post(budi, { to_user_id: ratna.id, content: 'Ini', attachment_ids: [fileId] });
    expect(photo.status).toBe(201);
    const answered = await send(ratna, budi, 'KUNO-3 jawab');
    expect(storedFiles(test)).toHaveLength(1);

    test.clock.advance(YEAR_MS - 10 * DAY_MS);
    const [admin, user] = [signIn(ratna), signIn(budi)];
    const quoting = await post(user, { to_user_id: ratna.id, content: 'baru', reply_to: Number(answered.id) });
    expect(quoting.body.data).toMatchObject({ quoted: { excerpt: 'KUNO-3 jawab' } });
    await send(user, admin, 'baru lagi');
    await announce(12);
    const indexed = test.database.sqlite
      .prepare<[], number>("select count(*) from message_words where message_words match 'tanya'")
      .pluck();
    await test.context.write((tx) => indexNewer(tx, 100));
    expect(indexed.get()).toBe(1);
    expect(contents()).toContain('KUNO-1 tanya');
    expect(markers().length).toBeGreaterThan(0);

    await night();
    expect(contents()).toEqual(['baru', 'baru lagi']);
    expect(markers()).toEqual([]);
    expect(indexed.get()).toBe(0);
    expect(storedFiles(test)).toEqual([]);
    const later = signIn(ratna);
    const page = await history(later, budi.id);
    expect(page).toMatchObject({ total: 2, has_more: false });
    expect(page.messages.map(({ content, prev_id, quoted }) => [content, prev_id, quoted])).toEqual([
      ['baru', null, null],
      ['baru lagi', expect.any(String), null],
    ]);
    expect(await list(later)).toMatchObject({ total_unread: 2, data: [{ unread_count: 2 }] });
    const found = await test.call('GET', '/api/messages/search?q=KUNO', { token: later.token });
    expect(JSON.stringify(found.body)).not.toContain('tanya');
    expect((await history(later, budi.id, `?around=${old.id}`)).messages).toHaveLength(2);
    expect(await deletedCounts()).toEqual([[3, 0]]);
    await night();
    expect(await deletedCounts()).toEqual([[3, 0]]);
  });

  it('leave right sums of what is unread and of who waits', async () => {
    const { test, ratna, budi, send, list, see, signIn, night, announce } = await buildOffice();
    const siti = buildTestUser(test, { name: 'Siti' });
    await send(siti, ratna, 'menunggu sejak lama');
    await send(budi, ratna, 'satu');
    await send(ratna, budi, 'dua');
    await send(budi, ratna, 'tiga');
    test.clock.advance(YEAR_MS);
    await send(signIn(ratna), budi, 'jawaban');
    await send(signIn(budi), ratna, 'empat');
    await announce(12);
    await night();
    const admin = signIn(ratna);
    expect(await list(admin)).toMatchObject({ total_unread: 1 });
    const rows = (await list(admin)).data;
    expect(rows).toMatchObject([
      { unread_count: 1, last_message: { content: 'empat' }, unanswered_since: expect.any(String) },
    ]);
    expect((await list(admin, '?state=waiting')).total).toBe(1);
    expect(await list(signIn(budi))).toMatchObject({ total_unread: 1 });
    expect(await see(admin, budi.id)).toMatchObject({ unread_count: 0 });
    await send(signIn(siti), ratna, 'halo lagi');
    expect((await list(admin)).data[0]).toMatchObject({ unread_count: 1, last_message: { content: 'halo lagi' } });
  });

  it('disappear from open pages', async () => {
    const { test, ratna, budi, send, signIn, night, announce } = await buildOffice();
    await send(budi, ratna, 'lama');
    test.clock.advance(YEAR_MS);
    await announce(12);
    const [tab, other] = await Promise.all([
      openTab(test, signIn(budi)),
      openTab(test, signIn(buildTestUser(test, { name: 'Siti' }))),
    ]);
    await night();
    expect(await tab.next('conversation:deleted')).toEqual({ user_id: budi.id });
    expect(other.payloadsOf('conversation:deleted')).toEqual([]);
  });

  it('stay when a run is stopped before it began, and go with the next one', async () => {
    const { test, ratna, budi, send, night, announce, contents } = await buildOffice();
    await send(budi, ratna, 'lama');
    test.clock.advance(YEAR_MS);
    await announce(12);
    await night(() => false);
    expect(contents()).toEqual(['lama']);
    await night();
    expect(contents()).toEqual([]);
  });

  it('go step by step: the next run deletes the rest of one that failed, and the audit has the sum', async () => {
    const { test, ratna, send, signIn, toNight, announce, contents, deletedCounts } = await buildOffice();
    const people = Array.from({ length: 4 }, (_, n) => buildTestUser(test, { name: `Warga ${n}` }));
    for (const person of people) await send(person, ratna, `lama ${person.name}`);
    test.clock.advance(YEAR_MS);
    await send(signIn(people[0] ?? ratna), ratna, 'baru');
    await announce(12);
    toNight();
    let asked = 0;
    // The process is gone at this point: nothing of the run comes after it.
    const dies = () => {
      asked += 1;
      if (asked > 6) throw new Error('killed');
      return true;
    };
    await expect(test.runRetention(dies)).rejects.toThrow('killed');
    const left = contents().length;
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(5);
    await test.runRetention(() => true);
    expect(contents()).toEqual(['baru']);
    const sums = (await deletedCounts()).map(([messages = 0]) => messages);
    expect(sums.reduce((sum, messages) => sum + messages, 0)).toBe(4);
  });

  it('that a power cut leaves in the middle go after the next start, and the audit counts each once', async () => {
    const file = tempDatabaseFile();
    const { test, ratna, budi, send, toNight, announce, contents } = await buildOffice(file);
    const siti = buildTestUser(test, { name: 'Siti' });
    for (let n = 0; n < 4; n += 1) await send(budi, ratna, `lama ${'x'.repeat(700)} ${n}`);
    await send(siti, ratna, 'lama juga');
    test.clock.advance(YEAR_MS);
    await announce(12);
    toNight();
    const copy = tempDatabaseFile();
    let left = 0;
    await test.runRetention(() => {
      if (left === 0 && contents().length < 5) {
        left = contents().length;
        for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`);
      }
      return true;
    });
    expect(left).toBeGreaterThan(1);

    const restarted = await buildTestApp({ database: openTestDatabase(copy) });
    const { sqlite } = restarted.database;
    const contentsLeft = sqlite
      .prepare<[], string>("select content from messages where content <> '' order by id")
      .pluck();
    restarted.clock.set(test.clock.now());
    expect(contentsLeft.all()).toHaveLength(left);
    await listen(restarted);
    // The conversation that was begun; the other one waits for the next night.
    await expect.poll(() => contentsLeft.all().filter((content) => content.includes('xxx'))).toEqual([]);
    // Without its state file the installation believes in no time that it did not see.
    restarted.clock.advance(31 * DAY_MS);
    await restarted.runRetention(() => true);
    expect(contentsLeft.all()).toEqual([]);
    const entries = sqlite
      .prepare<[], string>("select changes from audit_entries where action = 'retention.ran'")
      .pluck();
    expect(entries.all().map((changes) => JSON.parse(changes))).toEqual([
      [
        { field: 'deleted_messages', from: 0, to: 5 },
        { field: 'deleted_accounts', from: 0, to: 0 },
      ],
    ]);
  });

  itOnSqlite('stay from the moment on in which an admin stops, also in the middle of a run', async () => {
    const { test, ratna, dewi, send, signIn, toNight, announce, contents } = await buildOffice();
    for (let n = 0; n < 3; n += 1) await send(buildTestUser(test), ratna, `lama ${n}`);
    test.clock.advance(YEAR_MS);
    await announce(12);
    toNight();
    const { token } = signIn(dewi);
    const stops: Promise<Answer>[] = [];
    const stopsWhile = () => {
      if (contents().length < 3 && stops.length === 0)
        stops.push(test.call('POST', '/api/admin/notices/r1/stop', { token }));
      return true;
    };
    await test.runRetention(stopsWhile);
    expect(await Promise.all(stops)).toMatchObject([{ status: 200 }]);
    const left = contents().length;
    expect(left).toBeGreaterThan(0);
    await test.runRetention(() => true);
    expect(contents()).toHaveLength(left);
  });
});

describe('the clock of the computer', () => {
  it('makes nothing old when it is set forward by five years, during the announcement or after it', async () => {
    const { test, ratna, budi, send, night, announce, set, contents, remains } = await buildOffice();
    await send(budi, ratna, 'dari hari ini');
    await set(12, 12);
    await night();
    test.clock.jump(5 * YEAR_MS);
    await night();
    test.clock.advance(30 * DAY_MS);
    await night();
    await night();
    expect(contents()).toEqual(['dari hari ini']);
    expect(remains(budi)).toBe(true);
    await announce(6, 6);
    await night();
    expect(contents()).toEqual(['dari hari ini']);
    expect(remains(budi)).toBe(true);
  });

  it('makes nothing old that was written while it was set back, and nothing stays for ever that was dated ahead', async () => {
    const { test, ratna, budi, send, signIn, night, announce, contents } = await buildOffice();
    await send(budi, ratna, 'lama');
    await announce(12);
    test.clock.jump(-6 * YEAR_MS);
    await send(signIn(budi), ratna, 'tertanggal mundur');
    test.clock.jump(12 * YEAR_MS);
    await send(signIn(budi), ratna, 'tertanggal maju');
    test.clock.jump(-6 * YEAR_MS);
    await night();
    await night();
    expect(contents()).toHaveLength(3);
    test.clock.advance(YEAR_MS - 33 * DAY_MS);
    await night();
    expect(contents()).toEqual(['tertanggal mundur', 'tertanggal maju']);
    test.clock.advance(45 * DAY_MS);
    await night();
    expect(contents()).toEqual([]);
  });
});

describe('unused accounts', () => {
  it('go as by the office, with records, messages and files; log and sums of the office stay', async () => {
    const { test, ratna, budi, send, signIn, night, announce, auditOf, deletedCounts, remains } = await buildOffice();
    await send(budi, ratna, 'Halo');
    buildRecord(test, budi.id);
    test.clock.advance(YEAR_MS);
    await announce(0, 12);
    expect(remains(budi)).toBe(true);
    await night();
    expect(remains(budi)).toBe(false);
    expect(storedRecords(test)).toEqual([]);
    expect(await deletedCounts()).toEqual([[0, 1]]);
    expect(await auditOf('user.deleted')).toMatchObject([{ actor: { name: 'Otomatis' } }]);
    expect((await auditOf('record.deleted')).length).toBe(1);
    const { body } = await test.call('GET', '/api/admin/retention', { token: signIn(ratna).token });
    expect(body.data).toMatchObject({ has_started: true, last_run: { messages: 0, accounts: 1 } });
  });

  it('stay when they are of admins, or of people with an entry, message, record, link or open request', async () => {
    const { test, ratna, dewi, send, signIn, night, announce, remains } = await buildOffice();
    const at = test.clock.now();
    const [enters, writes, pays, claims, asks, owns, nobody] = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) =>
      buildTestUser(test, { name }),
    );
    if (!enters || !writes || !pays || !claims || !asks || !owns || !nobody) throw new Error('seven accounts');
    const { direct } = test.database;
    const times = { createdAt: at, updatedAt: at };
    direct
      .insert(objectClaims)
      .values({ id: 'k', userId: claims.id, nop: '320101000100100010', state: 'open', ...times })
      .run();
    direct
      .insert(erasureRequests)
      .values({ id: 'e', userId: asks.id, state: 'open', dueAt: at, askedAt: 0, ...times })
      .run();
    direct
      .insert(objects)
      .values({ nop: '320101000100100020', userId: owns.id, linkedAt: at, ...times })
      .run();
    test.clock.advance(YEAR_MS - 5 * DAY_MS);
    await announce(0, 12);
    // A session that begins and ends between two nights.
    const { token } = signIn(enters);
    expect((await test.call('POST', '/api/auth/logout', { token })).status).toBe(200);
    await send(signIn(writes), ratna, 'Halo');
    buildRecord(test, pays.id);
    await night();
    await night();
    const stays = [ratna, dewi, enters, writes, pays, claims, asks, owns];
    expect(stays.map(remains)).toEqual(stays.map(() => true));
    expect(remains(nobody)).toBe(false);
    test.clock.advance(YEAR_MS - 10 * DAY_MS);
    await night();
    expect(remains(enters)).toBe(true);
    test.clock.advance(10 * DAY_MS);
    await night();
    expect(stays.map(remains)).toEqual([true, true, false, false, false, true, true, true]);
  });

  it('keep their own log and everything else of the accounts that stay', async () => {
    const { test, budi, signIn, night, announce } = await buildOffice();
    const sessions = signIn(budi);
    expect(
      (await test.call('GET', '/api/auth/security-log', { token: sessions.token })).body
        .data as unknown as SecurityEntry[],
    ).toEqual([]);
    test.database.sqlite
      .prepare("insert into security_log (user_id, at, event, by_id, by_name) values (?, 1, 'card.used', ?, 'Budi')")
      .run(budi.id, budi.id);
    await announce(6);
    test.clock.advance(YEAR_MS);
    await night();
    const { body } = await test.call('GET', '/api/auth/security-log', { token: signIn(budi).token });
    expect(body.data).toMatchObject([{ event: 'card.used' }]);
  });
});

describeOnSqlite('the run', () => {
  it('comes once a night, by day only after two days without one, and writes nothing while everything is kept', async () => {
    const { test, ratna, budi, send, announce, toNight, contents } = await buildOffice();
    const changes = (): number => test.database.sqlite.prepare<[], number>('select total_changes()').pluck().get() ?? 0;
    await send(budi, ratna, 'lama');
    toNight();
    const before = changes();
    await test.runRetention(() => true);
    expect(changes()).toBe(before);
    test.clock.advance(YEAR_MS);
    await announce(12);
    toNight();
    test.clock.advance(8 * HOUR_MS);
    await test.runRetention(() => true);
    // The last run was a month ago: by day too.
    expect(contents()).toEqual([]);
    const afterwards = changes();
    test.clock.advance(HOUR_MS);
    await test.runRetention(() => true);
    expect(changes()).toBe(afterwards);
  });
});
