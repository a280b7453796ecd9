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
import { makePng } from '../../e2e/images.ts';
import { requireHostBinary } from './host-binary.ts';
import { emptyOffice, isRoot, startBinary, type BinaryProcess } from './testing/binary-process.ts';
import { Visitor } from './testing/visitor.ts';

/** The single binary as an office gets it: an empty folder, an empty environment, nobody's rights, no Node. */

const MINUTES = 180_000;
const PASSWORD_LINE = /^Password \(hanya ditampilkan sekali ini\): (\S+)$/m;
const FIRST_FREE_PORT = ['--port', '0'];
const resident = { name: 'Budi Santoso', email: 'budi@contoh.id', password: 'kata-sandi-budi' };

let binary = '';
beforeAll(async () => {
  binary = await requireHostBinary();
}, MINUTES);

function openOffice() {
  const office = emptyOffice(binary);
  onTestFinished(office.remove);
  return office;
}

function start(office: ReturnType<typeof emptyOffice>, environment: Record<string, string> = {}): BinaryProcess {
  const started = startBinary(office, FIRST_FREE_PORT, environment);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

async function stop({ child, end }: BinaryProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await end()).toBe(0);
}

/** The one file below a data folder's `.native`. */
function nativeFile(dataDir: string): string {
  const [hash = '', ...more] = readdirSync(join(dataDir, '.native'));
  expect(more).toEqual([]);
  expect(readdirSync(join(dataDir, '.native', hash))).toEqual(['better_sqlite3.node']);
  return join(dataDir, '.native', hash, 'better_sqlite3.node');
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('an office', { timeout: MINUTES }, () => {
  const office = { current: null as ReturnType<typeof emptyOffice> | null };
  afterAll(() => office.current?.remove());
  const kept = { adminPassword: '', recordId: '' };

  it('has everything at its first start: page, documentation, proof, chat both ways, statistics', async () => {
    office.current = emptyOffice(binary);
    const program = start(office.current);
    const url = await program.ready();
    expect(program.said()).toContain('Administrator pertama dibuat: admin@pbb.local\n');
    kept.adminPassword = PASSWORD_LINE.exec(program.said())?.[1] ?? '';

    await expectPages(url);
    const admin = new Visitor(url);
    await admin.enter('/api/auth/login', { email: 'admin@pbb.local', password: kept.adminPassword });
    const budi = new Visitor(url);
    await budi.enter('/api/auth/register', { ...resident, password_confirmation: resident.password });
    kept.recordId = await sendRecord(budi);
    await expectProof(budi, kept.recordId);
    await expectChat(budi, admin);
    const { body } = await admin.call('GET', '/api/admin/statistics');
    expect(body.data).toMatchObject({ total_records: 1, total_tax: 1_250_000 });
    await stop(program);
    expect(readdirSync(office.current.folder).toSorted()).toEqual(['data', expect.stringMatching(/^pbb-kita/)]);
  });

  it('keeps everything at its second', async () => {
    const program = start(office.current ?? openOffice());
    const url = await program.ready();
    expect(program.said()).not.toMatch(/Administrator pertama|Password/);
    const budi = new Visitor(url);
    await budi.enter('/api/auth/login', { email: resident.email, password: resident.password });
    await expectProof(budi, kept.recordId);
    const contact = await budi.call('GET', '/api/auth/admin-contact');
    const talk = await budi.call('GET', `/api/messages/conversation/${String(contact.body.data?.['id'])}`);
    expect(talk.body.data).toMatchObject({ total: 2 });
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

const image = makePng(40, 30);

/** A record with its proof in one form. @returns its id */
async function sendRecord(budi: Visitor): Promise<string> {
  const form = new FormData();
  const fields = { name: 'Budi Santoso', address: 'Jl. Melati 1', spt_number: 'SPT-1', amount: '1250000' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('payment_proof', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'bukti.png');
  const { status, body } = await budi.call('POST', '/api/tax-records', form);
  expect([status, body.message]).toEqual([201, body.message]);
  return String(body.data?.['id']);
}

/** The proof comes back as it was sent, through a signed link and without a header. */
async function expectProof(budi: Visitor, recordId: string): Promise<void> {
  const { body } = await budi.call('GET', `/api/tax-records/${recordId}`);
  const proof = await fetch(budi.url + String(body.data?.['payment_proof']));
  expect([proof.status, proof.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(image.equals(Buffer.from(await proof.arrayBuffer()))).toBe(true);
}

async function expectChat(budi: Visitor, admin: Visitor): Promise<void> {
  const [atBudi, atAdmin] = await Promise.all([budi.listen(), admin.listen()]);
  const talk = async (from: Visitor, to: Visitor, hears: typeof atBudi, content: string): Promise<void> => {
    const heard = hears.next('message:new');
    const { status } = await from.call('POST', '/api/messages/send', { to_user_id: to.user['id'], content });
    expect([status, await heard]).toEqual([201, expect.objectContaining({ content })]);
  };
  await talk(budi, admin, atAdmin, 'Apakah kantor buka hari Sabtu?');
  await talk(admin, budi, atBudi, 'Buka sampai pukul 12.');
  for (const tab of [atBudi, atAdmin]) tab.close();
}

describe('its native part', { timeout: MINUTES }, () => {
  it('is written again when it was damaged, and used as it is otherwise', async () => {
    const office = openOffice();
    const first = start(office);
    await first.ready();
    await stop(first);
    const file = nativeFile(join(office.folder, 'data'));
    const [whole, writtenAt] = [hashOf(file), statSync(file).mtimeMs];

    const second = start(office);
    await second.ready();
    await stop(second);
    expect([hashOf(file), statSync(file).mtimeMs]).toEqual([whole, writtenAt]);

    truncateSync(file, 100_000);
    const third = start(office);
    const url = await third.ready();
    expect(hashOf(nativeFile(join(office.folder, 'data')))).toBe(whole);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    await stop(third);
  });

  it('goes elsewhere where the data folder does not take it, and several may start at once', async () => {
    const office = openOffice();
    const folders = ['a', 'b', 'c'].map((name) => join(office.folder, name));
    const temporary = join(office.folder, 'tmp');
    for (const folder of [...folders, temporary]) {
      mkdirSync(folder);
      if (folder !== temporary) writeFileSync(join(folder, '.native'), 'in the way');
      if (isRoot()) chownSync(folder, 65_534, 65_534);
    }
    const programs = folders.map((DATA_DIR) => start(office, { DATA_DIR, TMPDIR: temporary, HOME: '/nowhere' }));
    await Promise.all(programs.map((program) => program.ready()));
    const own = readdirSync(temporary).find((name) => name.startsWith('pbb-kita-')) ?? '';
    const [hash = ''] = readdirSync(join(temporary, own));
    expect(readdirSync(join(temporary, own, hash))).toEqual(['better_sqlite3.node']);
    await Promise.all(programs.map(stop));
  });

  it('that can go nowhere is one plain message', async () => {
    const office = openOffice();
    const data = join(office.folder, 'data');
    mkdirSync(data);
    writeFileSync(join(data, '.native'), 'in the way');
    if (isRoot()) chownSync(data, 65_534, 65_534);
    const program = start(office, { TMPDIR: '/nowhere', HOME: '/nowhere' });
    expect(await program.end()).toBe(1);
    expect(program.said()).toContain('bagian database dari program ini tidak dapat disimpan');
    expect(program.said()).not.toMatch(/\n\s+at /);
    rmSync(data, { recursive: true });
  });
});

describe('its commands', { timeout: MINUTES }, () => {
  it('are those of the program, with its version', async () => {
    const office = openOffice();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const asked = startBinary(office, ['version']);
    expect(await asked.end()).toBe(0);
    expect(asked.said()).toContain(version);
    const unknown = startBinary(office, ['terbang']);
    expect(await unknown.end()).not.toBe(0);
    expect(unknown.said()).toContain('Perintah "terbang" tidak dikenal');
    expect(readdirSync(office.folder)).toHaveLength(1);
  });

  it('need no option at all: without any it serves at port 3000, or says that somebody else does', async () => {
    const office = openOffice();
    const probe = createServer().listen(3000);
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]);
    await new Promise((resolve) => probe.close(resolve));
    const program = startBinary(office);
    onTestFinished(() => void program.child.kill('SIGKILL'));
    const outcome = await Promise.race([program.ready().catch(() => 'none'), program.end()]);
    if (isFree) expect(String(outcome)).toContain(':3000');
    else expect(program.said()).toContain('PORT: 3000 sudah dipakai program lain');
  });
});
