import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { startInProcess } from '#server/operations/backups/worker.ts';
import { uploadFile } from '#server/testing/chat/attachments.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildRecord, buildTestUser, cheapHash, ownPassword } from '#server/testing/factories.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { startCopyInProcess } from '#server/testing/running-copy.ts';
import { TEST_NOW } from '#server/testing/test-app.ts';
import { copyFolderIn } from './copy-state.ts';
import { createRunningCopy } from './running-copy.ts';

const POLL = { interval: 20 };
const WORD = /RAHASIA-\d+/g;

/** A data folder, a second folder and a clock that only the test moves; servers are started and killed on them. */
function createOffice() {
  const root = mkdtempSync(join(tmpdir(), 'pbb-erased-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [dataDir, secondDir] = [join(root, 'data'), join(root, 'usb')];
  const paths = dataPathsIn(dataDir);
  for (const folder of [dataDir, secondDir, paths.proofsDir, paths.backupsDir]) mkdirSync(folder);
  const folder = copyFolderIn(secondDir);
  const clock = { wallMs: TEST_NOW, monotonicMs: 0 };

  async function start() {
    const threads: ReturnType<typeof startCopyInProcess>[] = [];
    const copy = createRunningCopy({
      paths: { ...paths, dataDir },
      secondDir,
      startThread(data) {
        const thread = startCopyInProcess(data);
        threads.push(thread);
        return thread;
      },
      now: () => clock.wallMs,
    });
    const { test, send, post } = await buildChatApp({
      database: openTestDatabase(paths.databaseFile),
      proofsDir: paths.proofsDir,
      backups: {
        paths: { ...paths, dataDir },
        settings: { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir, runningCopy: true },
        start: startInProcess,
      },
      runningCopy: copy,
      beforeUploadRemoved: () => copy.countRemovedUpload(),
      now: () => clock.wallMs,
      monotonicNow: () => clock.monotonicMs,
    });
    const { context, installation, database } = test;
    installation.save();
    copy.start(context.checkpoints, installation.identity, { info: () => undefined, warn: () => undefined });
    const end = (): void => {
      for (const thread of threads) thread.kill();
    };
    onTestFinished(end);
    return {
      test,
      send,
      post,
      copy,
      installation,
      /** A server empties its log and writes its record once a minute. */
      async passMinute(): Promise<void> {
        clock.wallMs += MINUTE_MS;
        clock.monotonicMs += MINUTE_MS;
        installation.save();
        await context.eraseDeleted();
      },
      /** The thread ends without a last look, as when the server is killed. */
      async kill(): Promise<void> {
        end();
        await test.server.close();
        database.sqlite.close();
      },
    };
  }
  const bytesIn = (where: string): string => {
    const files = readdirSync(where, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
  };
  /** The words that are in any byte of a folder. */
  const wordsIn = (where: string): Set<string> => new Set(bytesIn(where).match(WORD));
  return { clock, dataDir, secondDir, folder, start, bytesIn, wordsIn };
}

/** An office with a conversation full of words, all of which are in the copy. */
async function createCopiedOffice() {
  const office = createOffice();
  const server = await office.start();
  const { test, send, post } = server;
  const [admin, user] = [buildAdmin(test), buildTestUser(test)];
  for (let n = 0; n < 20; n += 1) await send(user, admin, `RAHASIA-${n} ${'x'.repeat(n * 90)}`);
  const { id: fileId } = await uploadFile(test, user, { file: { filename: 'RAHASIA-20.png' } });
  const message = { to_user_id: admin.id, content: 'Ini', attachment_ids: [fileId] };
  expect((await post(user, message)).status).toBe(201);
  await server.passMinute();
  await expect.poll(() => office.wordsIn(office.folder).size, POLL).toBe(21);
  const clear = async (): Promise<void> => {
    const path = `/api/messages/conversation/${user.id}`;
    expect((await test.call('DELETE', path, { token: admin.token })).status).toBe(200);
    expect(office.wordsIn(office.dataDir)).toEqual(new Set());
  };
  return { ...office, server, clear };
}

describe('no byte of the data folder and of the copy holds a word of a person', () => {
  it('within an hour after the approval of the own request to be deleted; the audit keeps what it says of the account', async () => {
    const office = createOffice();
    const server = await office.start();
    const { test, send, post } = server;
    const admin = buildAdmin(test, { email: 'ratna@kantor.id' });
    const password = 'rahasia-1';
    const phone = '+6281298765432';
    const user = buildTestUser(test, { name: 'Budi Tetap', phone, passwordHash: cheapHash(password) });
    const other = buildTestUser(test);
    await send(other, admin, 'RAHASIA-99 milik orang lain');
    await send(user, admin, 'RAHASIA-1 dari warga');
    await send(admin, user, 'RAHASIA-2 dari kantor');
    const { id: fileId } = await uploadFile(test, user, { file: { filename: 'RAHASIA-3.png' } });
    await post(user, { to_user_id: admin.id, content: 'Ini', attachment_ids: [fileId] });
    const call = async (method: string, path: string, { token }: { token: string }, body: object) => {
      const answer = await test.call(method, path, { token, body });
      expect(answer.status, path).toBeLessThan(300);
      return answer.body.data as { updated_at: string };
    };
    await call('POST', `/api/admin/conversations/${user.id}/notes`, admin, {
      content: 'RAHASIA-4 catatan',
      client_id: 'c1',
    });
    await call('POST', '/api/tax-records/claims', user, { nop: '351518001200000010', note: 'RAHASIA-5 rumah hijau' });
    buildRecord(test, user.id, { description: `${'kata '.repeat(100)}RAHASIA-6` });
    const reason = 'RAHASIA-7 saya pindah';
    const asked = await call('POST', '/api/auth/erasure', user, { current_password: password, reason });
    const holds = (where: string): boolean => office.bytesIn(where).includes(phone.slice(1));
    await server.passMinute();
    const own = [1, 2, 3, 4, 5, 6, 7].map((n) => `RAHASIA-${n}`);
    await expect.poll(() => [...office.wordsIn(office.folder)].toSorted(), POLL).toEqual([...own, 'RAHASIA-99']);
    expect([holds(office.dataDir), holds(office.folder)]).toEqual([true, true]);

    const decision = { result: 'approved', checked: 'counter', updated_at: asked.updated_at, ...ownPassword };
    await call('POST', `/api/admin/users/${user.id}/erasure`, admin, decision);
    expect([...office.wordsIn(office.dataDir)]).toEqual(['RAHASIA-99']);
    expect(holds(office.dataDir)).toBe(false);
    const approvedMs = server.installation.operatingMs();
    while (server.installation.operatingMs() < approvedMs + HOUR_MS) await server.passMinute();
    await expect.poll(() => [...office.wordsIn(office.folder)], POLL).toEqual(['RAHASIA-99']);
    expect(holds(office.folder)).toBe(false);
    expect(office.bytesIn(office.dataDir)).toContain('Budi Tetap');
  });
});

describe('no byte of the copy holds a word of a cleared conversation', () => {
  it('within an hour of operating time', async () => {
    const { server, clear, wordsIn, folder } = await createCopiedOffice();
    const clearedMs = server.installation.operatingMs();
    await clear();
    while (server.installation.operatingMs() < clearedMs + HOUR_MS) await server.passMinute();
    await expect.poll(() => [...wordsIn(folder)], POLL).toEqual([]);
    expect(server.copy.status()).toMatchObject({ state: 'ok' });
  });

  it('once the disk is back that was away for that hour', async () => {
    const { server, clear, wordsIn, folder, secondDir } = await createCopiedOffice();
    renameSync(secondDir, `${secondDir}-away`);
    const clearedMs = server.installation.operatingMs();
    await clear();
    await expect.poll(() => server.copy.status()?.state, POLL).toBe('stopped');
    while (server.installation.operatingMs() < clearedMs + HOUR_MS) await server.passMinute();
    renameSync(`${secondDir}-away`, secondDir);
    expect(wordsIn(folder).size).toBe(21);
    await expect.poll(() => server.copy.status()?.state, POLL).toBe('ok');
    expect(wordsIn(folder)).toEqual(new Set());
  });

  it('after the first look of a start two hours after the server was killed, with the disk away at the kill', async () => {
    const { server, clear, clock, start, wordsIn, folder, secondDir } = await createCopiedOffice();
    renameSync(secondDir, `${secondDir}-away`);
    await clear();
    const clearedMs = server.installation.operatingMs();
    await server.kill();
    clock.wallMs += 2 * HOUR_MS;
    renameSync(`${secondDir}-away`, secondDir);
    const again = await start();
    expect(again.installation.operatingMs() - clearedMs).toBeGreaterThanOrEqual(2 * HOUR_MS);
    expect(wordsIn(folder).size).toBe(21);
    await expect.poll(() => again.copy.status()?.state, POLL).toBe('ok');
    expect(wordsIn(folder)).toEqual(new Set());
  });

  it('after a start that goes on with the copy and not with the base that an earlier run began', async () => {
    const { server, clear, start, wordsIn, folder } = await createCopiedOffice();
    await clear();
    await expect.poll(() => [...wordsIn(folder)], POLL).toEqual([]);
    await server.kill();
    for (const name of ['pbb.sqlite.part', 'pbb.sqlite-wal.part', 'dasar.json.part'])
      writeFileSync(join(folder, name), 'RAHASIA-1');
    const again = await start();
    await expect.poll(() => again.copy.status()?.state, POLL).toBe('ok');
    expect(wordsIn(folder)).toEqual(new Set());
  });
});
