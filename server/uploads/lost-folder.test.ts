import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BackupsData, SystemInfo } from '#shared/api/system.ts';
import { createFilesLook, idFileIn } from '#server/db/postgres/office-files.ts';
import { postFile, uploadFile, sendFiles } from '#server/testing/chat/attachments.ts';
import { createListClient, listText, objectsFrom } from '#server/testing/dhkp.ts';
import { ADMIN_PASSWORD, buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { askForExport } from '#server/testing/own-data.ts';
import { buildTestApp, type Answer, type TestOverrides } from '#server/testing/test-app.ts';

/** docs/requirements.md R-RUN-29 */
const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const AWAY = {
  status: 503,
  body: {
    success: false,
    message: 'Folder foto dan dokumen di server sedang tidak tersambung. Coba lagi nanti.',
  },
};
const TOKEN = 'a-token-for-metrics';
const LOST_LOG = /the folder of photos and documents is lost/;

/** The app with its files on a share that can be lost. */
async function buildApp(overrides: TestOverrides = {}) {
  const root = mkdtempSync(join(tmpdir(), 'pbb-share-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const share = join(root, 'share');
  const proofsDir = join(share, 'proofs');
  mkdirSync(proofsDir, { recursive: true });
  writeFileSync(idFileIn(proofsDir), `${ID}\n`);
  const look = createFilesLook(proofsDir, ID);
  const test = await buildTestApp({ proofsDir, hasFiles: look, metricsToken: TOKEN, ...overrides });
  const away = join(root, 'away');
  return {
    ...test,
    share,
    proofsDir,
    /** Below the share there is an empty folder, in which everything could be written. */
    lose(): void {
      renameSync(share, away);
      mkdirSync(proofsDir, { recursive: true });
    },
    comeBack(): void {
      rmSync(share, { recursive: true });
      renameSync(away, share);
    },
  };
}

const image = { bytes: buildImage() };

it('refuses every upload while the share is lost, keeps nothing of it, and takes it again when the share is back', async () => {
  const test = await buildApp();
  test.expectErrorLog(LOST_LOG);
  const [user, admin] = [buildTestUser(test), buildAdmin(test)];
  const record = buildRecord(test, user.id);
  const sent = await uploadFile(test, user);
  await sendFiles(test, user, admin, [sent]);
  const list = { text: listText(objectsFrom(2)), year: 2026, client_id: 'a' };
  const uploads: (() => Promise<Answer>)[] = [
    () => test.call('POST', `/api/tax-records/${record.id}/payment-proof`, { ...user, ...buildForm({}, image) }),
    () => postFile(test, user, { thumb: buildImage() }),
    () =>
      test.call('POST', '/api/admin/office-identity/logo', { ...admin, ...buildForm({}, { ...image, field: 'logo' }) }),
    () => test.call('POST', '/api/admin/dhkp/batches', { ...admin, body: list }),
    () =>
      test.call('POST', `/api/admin/tax-records/${record.id}/payment-proof/from-message`, {
        ...admin,
        body: { attachment_id: sent.id },
      }),
    () => askForExport(test, admin, ADMIN_PASSWORD),
  ];
  test.lose();
  for (const upload of uploads) expect(await upload()).toMatchObject(AWAY);
  expect(readdirSync(test.share, { recursive: true })).toEqual(['proofs']);
  test.comeBack();
  for (const upload of uploads) expect((await upload()).status).toBeLessThan(300);
});

it('refuses an upload also when the share is lost while it arrives', async () => {
  const answers = [true, false];
  const test = await buildTestApp({ hasFiles: async () => answers.shift() ?? false });
  test.expectErrorLog(LOST_LOG);
  expect(await postFile(test, buildTestUser(test))).toMatchObject(AWAY);
  expect(readdirSync(test.proofsDir)).toEqual([]);
});

it('refuses uploads while the share hangs, which holds one thread and no other call', async () => {
  const test = await buildApp();
  test.expectErrorLog(LOST_LOG);
  const user = buildTestUser(test);
  const file = idFileIn(test.proofsDir);
  rmSync(file);
  // Opening a pipe to read waits until somebody opens it to write.
  execFileSync('mkfifo', [file]);
  const answers = Array.from({ length: 8 }, () => postFile(test, user));
  expect((await test.call('GET', '/api/auth/user', user)).status).toBe(200);
  // It needs a thread of the pool, which has four.
  expect((await stat(test.proofsDir)).isDirectory()).toBe(true);
  for (const answer of answers) expect(await answer).toMatchObject(AWAY);
  writeFileSync(file, ID);
  rmSync(file);
  writeFileSync(file, ID);
  await expect.poll(async () => (await postFile(test, user)).status).toBe(201);
});

it('answers 503 and not 404 for a file that is there again later', async () => {
  const test = await buildApp();
  test.expectErrorLog(LOST_LOG);
  const [user, admin] = [buildTestUser(test), buildAdmin(test)];
  const { url } = await uploadFile(test, user);
  const stored = await test.call('POST', '/api/admin/office-identity/logo', {
    ...admin,
    ...buildForm({}, { ...image, field: 'logo' }),
  });
  const { logo_url: logoUrl }: { logo_url: string } = stored.body.data;
  const { preview } = createListClient(test, admin);
  const { id } = await preview(listText(objectsFrom(2)));
  const downloads = [
    () => test.call('GET', url),
    () => test.call('GET', logoUrl),
    () => test.call('GET', `/api/admin/dhkp/batches/${id}/file`, admin),
  ];
  test.lose();
  for (const download of downloads) expect(await download()).toMatchObject(AWAY);
  // A caller without the right learns nothing.
  expect((await test.call('GET', `${url}x`)).status).toBe(404);
  test.comeBack();
  for (const download of downloads) expect((await download()).status).toBe(200);
});

describe('a share that is lost', () => {
  it('shows in the metrics and on the system page', async () => {
    const test = await buildApp({ readDiskSpace: () => ({ freeBytes: 9e9, totalBytes: 9e9 }) });
    test.expectErrorLog(LOST_LOG);
    const { token } = buildAdmin(test);
    const readyz = async () => {
      const { status, raw } = await test.call('GET', '/readyz');
      return [status, raw.toString()];
    };
    const gauge = async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const text = (await test.call('GET', '/metrics', { headers })).raw.toString();
      return /^pbb_files_folder_there (\d)$/m.exec(text)?.[1];
    };
    const info = async (): Promise<SystemInfo> => (await test.call('GET', '/api/admin/system', { token })).body.data;
    expect([await readyz(), await gauge()]).toEqual([[200, '{"status":"ok"}'], '1']);
    expect(await info()).toMatchObject({ files_lost_at: [], proofs: { count: 1 }, disk: { free_bytes: 9e9 } });
    test.lose();
    // No other process has it, so the chat goes on here.
    expect([await readyz(), await gauge()]).toEqual([[200, '{"status":"ok"}'], '0']);
    expect(await info()).toMatchObject({
      files_lost_at: [hostname()],
      proofs: { count: 0, size_bytes: 0 },
      disk: null,
    });
    test.comeBack();
    expect([await readyz(), await gauge()]).toEqual([[200, '{"status":"ok"}'], '1']);
    expect((await info()).files_lost_at).toEqual([]);
  });

  it('does not look like an office without backups', async () => {
    const root = mkdtempSync(join(tmpdir(), 'pbb-share-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const outside = join(root, 'status-cadangan.json');
    const test = await buildTestApp({
      hasFiles: async () => false,
      backups: {
        paths: { dataDir: root, databaseFile: '', proofsDir: '', backupsDir: '' },
        settings: { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir: null, runningCopy: false },
        start: () => ({ outcome: Promise.resolve({ result: 'busy' }), stop: async () => undefined }),
        outside,
      },
    });
    test.expectErrorLog(LOST_LOG);
    const answer = await test.call('GET', '/api/admin/backups', { token: buildAdmin(test).token });
    const { status }: BackupsData = answer.body.data;
    expect(status.failure?.message).toBe(`Berkas ${outside} tidak dapat dibaca.`);
  });
});

it('says nothing of such a folder where the files are beside the database', async () => {
  const test = await buildTestApp({ metricsToken: TOKEN });
  const { token } = buildAdmin(test);
  expect((await test.call('GET', '/api/admin/system', { token })).body.data).not.toHaveProperty('files_lost_at');
  const metrics = await test.call('GET', '/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(metrics.raw.toString()).not.toContain('pbb_files_folder');
});
