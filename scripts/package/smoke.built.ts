import { createHash } from 'node:crypto';
import {
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  mkdirSync,
  chownSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildPng } from '../../e2e/images.ts';
import { requireHostBinary } from './host-binary.ts';
import { createEmptyInstallation, isRoot, startBinary, type BinaryProcess } from './testing/binary-process.ts';
import { TestClient } from './testing/test-client.ts';

/** Runs the single binary as on a new installation: an empty folder and environment, no privileges and no Node. */

const TIMEOUT_MS = 180_000;
const PASSWORD_LINE = /^Password \(hanya ditampilkan sekali ini\): (\S+)$/m;
const RANDOM_PORT_ARGS = ['--port', '0'];
const newUser = { name: 'Budi Santoso', email: 'budi@contoh.id', password: 'kata-sandi-budi' };

let binary = '';
beforeAll(async () => {
  binary = await requireHostBinary();
}, TIMEOUT_MS);

function createInstallation() {
  const installation = createEmptyInstallation(binary);
  onTestFinished(installation.remove);
  return installation;
}

function start(
  installation: ReturnType<typeof createEmptyInstallation>,
  environment: Record<string, string> = {},
): BinaryProcess {
  const started = startBinary(installation, RANDOM_PORT_ARGS, environment);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

async function stop({ child, waitForExit }: BinaryProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await waitForExit()).toBe(0);
}

/** The path of the only file below a data folder's `.native`. */
function nativeFile(dataDir: string): string {
  const [hash = '', ...otherEntries] = readdirSync(join(dataDir, '.native'));
  expect(otherEntries).toEqual([]);
  expect(readdirSync(join(dataDir, '.native', hash))).toEqual(['better_sqlite3.node']);
  return join(dataDir, '.native', hash, 'better_sqlite3.node');
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('the single binary', { timeout: TIMEOUT_MS }, () => {
  const installation = { current: null as ReturnType<typeof createEmptyInstallation> | null };
  afterAll(() => installation.current?.remove());
  const firstRun = { adminPassword: '', recordId: '' };

  it('serves pages, API documentation, proofs, chat in both directions and statistics at its first start', async () => {
    installation.current = createEmptyInstallation(binary);
    const program = start(installation.current);
    const url = await program.waitUntilReady();
    expect(program.output()).toContain('Administrator pertama dibuat: admin@pbb.local\n');
    firstRun.adminPassword = PASSWORD_LINE.exec(program.output())?.[1] ?? '';

    await expectPages(url);
    const admin = new TestClient(url);
    await admin.authenticate('/api/auth/login', { email: 'admin@pbb.local', password: firstRun.adminPassword });
    const budi = new TestClient(url);
    await budi.authenticate('/api/auth/register', { ...newUser, password_confirmation: newUser.password });
    firstRun.recordId = await createRecordWithProof(budi);
    await expectProof(budi, firstRun.recordId);
    await expectChat(budi, admin);
    const { body } = await admin.call('GET', '/api/admin/statistics');
    expect(body.data).toMatchObject({ total_records: 1, total_tax: 1_250_000 });
    await stop(program);
    expect(readdirSync(installation.current.folder).toSorted()).toEqual(['data', expect.stringMatching(/^pbb-kita/)]);
  });

  it('keeps accounts, proofs and messages at its second start', async () => {
    const program = start(installation.current ?? createInstallation());
    const url = await program.waitUntilReady();
    expect(program.output()).not.toMatch(/Administrator pertama|Password/);
    const budi = new TestClient(url);
    await budi.authenticate('/api/auth/login', { email: newUser.email, password: newUser.password });
    await expectProof(budi, firstRun.recordId);
    const contact = await budi.call('GET', '/api/auth/admin-contact');
    const conversation = await budi.call('GET', `/api/messages/conversation/${String(contact.body.data?.['id'])}`);
    expect(conversation.body.data).toMatchObject({ total: 2 });
    await stop(program);
  });
});

async function expectPages(url: string): Promise<void> {
  const page = await fetch(`${url}/`);
  const html = await page.text();
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const [, asset = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
  const packed = await fetch(url + asset);
  const plain = await fetch(url + asset, { headers: { 'accept-encoding': 'identity' } });
  expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
  expect(await packed.text()).toBe(await plain.text());
  const docs = await fetch(`${url}/api/docs`);
  const script = await fetch(`${url}/api/docs/swagger-ui-bundle.js`);
  expect([docs.status, script.status, (await script.text()).length > 1_000_000]).toEqual([200, 200, true]);
}

const image = buildPng(40, 30);

/** Creates a record and its proof with one form. @returns the record's id */
async function createRecordWithProof(user: TestClient): Promise<string> {
  const form = new FormData();
  const fields = { name: 'Budi Santoso', address: 'Jl. Melati 1', spt_number: 'SPT-1', amount: '1250000' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('payment_proof', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'bukti.png');
  const { status, body } = await user.call('POST', '/api/tax-records', form);
  expect([status, body['message']]).toEqual([201, body['message']]);
  return String(body.data?.['id']);
}

/** Requests the proof through its signed link, without a header, and compares it with the image that was sent. */
async function expectProof(user: TestClient, recordId: string): Promise<void> {
  const { body } = await user.call('GET', `/api/tax-records/${recordId}`);
  const proof = await fetch(user.url + String(body.data?.['payment_proof']));
  expect([proof.status, proof.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(image.equals(Buffer.from(await proof.arrayBuffer()))).toBe(true);
}

async function expectChat(user: TestClient, admin: TestClient): Promise<void> {
  const [userSocket, adminSocket] = await Promise.all([user.connectSocket(), admin.connectSocket()]);
  const expectDelivery = async (
    from: TestClient,
    to: TestClient,
    receiver: typeof userSocket,
    content: string,
  ): Promise<void> => {
    const received = receiver.next('message:new');
    const { status } = await from.call('POST', '/api/messages/send', { to_user_id: to.user['id'], content });
    expect([status, await received]).toEqual([201, expect.objectContaining({ content })]);
  };
  await expectDelivery(user, admin, adminSocket, 'Apakah kantor buka hari Sabtu?');
  await expectDelivery(admin, user, userSocket, 'Buka sampai pukul 12.');
  for (const socket of [userSocket, adminSocket]) socket.close();
}

describe('the native addon of the single binary', { timeout: TIMEOUT_MS }, () => {
  it('is written again when its file is corrupt and is reused otherwise', async () => {
    const installation = createInstallation();
    const first = start(installation);
    await first.waitUntilReady();
    await stop(first);
    const file = nativeFile(join(installation.folder, 'data'));
    const [hash, writtenAt] = [hashOf(file), statSync(file).mtimeMs];

    const second = start(installation);
    await second.waitUntilReady();
    await stop(second);
    expect([hashOf(file), statSync(file).mtimeMs]).toEqual([hash, writtenAt]);

    truncateSync(file, 100_000);
    const third = start(installation);
    const url = await third.waitUntilReady();
    expect(hashOf(nativeFile(join(installation.folder, 'data')))).toBe(hash);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    await stop(third);
  });

  it('is written to the temporary folder by three servers at once when the data folders refuse it', async () => {
    const installation = createInstallation();
    const folders = ['a', 'b', 'c'].map((name) => join(installation.folder, name));
    const temporary = join(installation.folder, 'tmp');
    for (const folder of [...folders, temporary]) {
      mkdirSync(folder);
      if (folder !== temporary) writeFileSync(join(folder, '.native'), 'in the way');
      if (isRoot()) chownSync(folder, 65_534, 65_534);
    }
    const programs = folders.map((DATA_DIR) => start(installation, { DATA_DIR, TMPDIR: temporary, HOME: '/nowhere' }));
    await Promise.all(programs.map((program) => program.waitUntilReady()));
    const own = readdirSync(temporary).find((name) => name.startsWith('pbb-kita-')) ?? '';
    const [hash = ''] = readdirSync(join(temporary, own));
    expect(readdirSync(join(temporary, own, hash))).toEqual(['better_sqlite3.node']);
    await Promise.all(programs.map(stop));
  });

  it('ends the start with one message and no stack trace when no folder accepts it', async () => {
    const installation = createInstallation();
    const data = join(installation.folder, 'data');
    mkdirSync(data);
    writeFileSync(join(data, '.native'), 'in the way');
    if (isRoot()) chownSync(data, 65_534, 65_534);
    const program = start(installation, { TMPDIR: '/nowhere', HOME: '/nowhere' });
    expect(await program.waitForExit()).toBe(1);
    expect(program.output()).toContain('bagian database dari program ini tidak dapat disimpan');
    expect(program.output()).not.toMatch(/\n\s+at /);
    rmSync(data, { recursive: true });
  });
});

describe('the commands of the single binary', { timeout: TIMEOUT_MS }, () => {
  it('prints its version and refuses an unknown command without creating files', async () => {
    const installation = createInstallation();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const versionRun = startBinary(installation, ['version']);
    expect(await versionRun.waitForExit()).toBe(0);
    expect(versionRun.output()).toContain(version);
    const unknownCommandRun = startBinary(installation, ['terbang']);
    expect(await unknownCommandRun.waitForExit()).not.toBe(0);
    expect(unknownCommandRun.output()).toContain('Perintah "terbang" tidak dikenal');
    expect(readdirSync(installation.folder)).toHaveLength(1);
  });

  it('serves at port 3000 without options, or reports that another program uses the port', async () => {
    const installation = createInstallation();
    const probe = createServer().listen(3000);
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]);
    await new Promise((resolve) => probe.close(resolve));
    const program = startBinary(installation);
    onTestFinished(() => void program.child.kill('SIGKILL'));
    const outcome = await Promise.race([program.waitUntilReady().catch(() => 'none'), program.waitForExit()]);
    if (isFree) expect(String(outcome)).toContain(':3000');
    else expect(program.output()).toContain('PORT: 3000 sudah dipakai program lain');
  });
});
