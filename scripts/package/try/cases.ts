import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import { DAY_MS } from '#shared/durations.ts';
import { writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { buildPng } from '../../../e2e/images.ts';
import { TestClient } from '../testing/test-client.ts';
import type { ProgramRun } from './program-host.ts';
import { newUser, RANDOM_PORT, type SmokeState } from './smoke-state.ts';

/**
 * The first year of the program, from an empty folder on. The same cases run on this system
 * (smoke.built.ts) and under Wine (`npm run package -- --try win-x64`).
 */

export type SmokeCase = {
  name: string;
  /** @returns why it was not tried, where the system cannot do it */
  run: (state: SmokeState) => Promise<string | void>;
};

const PASSWORD_LINE = /^Password \(hanya ditampilkan sekali ini\): (\S+)$/m;
const NEW_PASSWORD = 'kata-sandi-baru-sekali';
const image = buildPng(40, 30);
/** The user sends so many during the backup, an admin before the kill: each stays below the limit of one account. */
const SENDS_COUNT = 40;
const SENDS_BEFORE_KILL = 30;
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** On Windows V8 compares its clock with the computer's once a minute, or at once after a jump back. */
const CLOCK_TIMEOUT_MS = 90_000;
const CLOCK_POLL_MS = 250;
const COPY_TIMEOUT_MS = 90_000;
const COPY_POLL_MS = 500;
const LIST_TIMEOUT_MS = 60_000;
const LIST_POLL_MS = 250;
const LIST_HEADER = ['NOP', 'NAMA WP', 'ALAMAT OP', 'PBB TERHUTANG'];
const LISTED_NOP = '35.15.180.012.001-0034.0';

async function send(from: TestClient, to: TestClient, content: string): Promise<string> {
  const body = { to_user_id: to.user['id'], content, client_id: crypto.randomUUID() };
  const { status, body: answer } = await from.call('POST', '/api/messages/send', body);
  assert.equal(status, 201, JSON.stringify(answer));
  return String(answer.data?.['id']);
}

async function readMessageIds({ admin, user }: SmokeState): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const path = `/api/messages/conversation/${String(admin.user['id'])}?limit=200&after=${ids.at(-1) ?? 0}`;
    const { body } = await user.call('GET', path);
    const { messages, has_more: hasMore } = body.data as { messages: { id: string }[]; has_more: boolean };
    ids.push(...messages.map(({ id }) => id));
    if (!hasMore) return ids;
  }
}

async function checkProof({ user, recordId }: SmokeState): Promise<void> {
  const { body } = await user.call('GET', `/api/tax-records/${recordId}`);
  const proof = await fetch(user.url + String(body.data?.['payment_proof']));
  assert.deepEqual([proof.status, proof.headers.get('content-type')], [200, 'image/png']);
  assert.ok(image.equals(Buffer.from(await proof.arrayBuffer())), 'the image differs from the one that was sent');
}

async function checkPages(url: string): Promise<void> {
  const page = await fetch(`${url}/`);
  const html = await page.text();
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  // The script itself is too small to be compressed; the chunk that it starts is not.
  const [, asset = ''] = /href="(\/assets\/start-[^"]+\.js)"/.exec(html) ?? [];
  const packed = await fetch(url + asset);
  const plain = await fetch(url + asset, { headers: { 'accept-encoding': 'identity' } });
  assert.deepEqual([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')], ['gzip', null]);
  assert.equal(await packed.text(), await plain.text());
  const docs = await fetch(`${url}/api/docs`);
  const script = await fetch(`${url}/api/docs/swagger-ui-bundle.js`);
  assert.deepEqual([docs.status, script.status, (await script.text()).length > 1_000_000], [200, 200, true]);
  const chapter = await fetch(`${url}/panduan/daftar-dari-kantor-pajak`);
  const [, picture = ''] = /<img src="([^"]+)"/.exec(await chapter.text()) ?? [];
  const drawn = await fetch(url + picture);
  assert.deepEqual([chapter.status, drawn.headers.get('content-type')], [200, 'image/webp']);
}

async function checkDelivery(from: TestClient, to: TestClient, content: string): Promise<void> {
  const socket = await to.connectSocket();
  const received = socket.next('message:new');
  await send(from, to, content);
  assert.equal((await received)['content'], content);
  socket.close();
}

type CopyState = { state: string; at: string | null; message: string | null };

async function waitForCopyState(admin: TestClient, isThere: (copy: CopyState) => boolean): Promise<void> {
  const giveUpAt = performance.now() + COPY_TIMEOUT_MS;
  for (;;) {
    const { body } = await admin.call('GET', '/api/admin/backups');
    const copy = (body.data?.['status'] as { running_copy: CopyState | null } | undefined)?.running_copy ?? null;
    if (copy && isThere(copy)) return;
    assert.ok(performance.now() < giveUpAt, `the running copy is ${JSON.stringify(copy)}`);
    await wait(COPY_POLL_MS);
  }
}

/** Waits until the copy holds everything up to an instant, in epoch milliseconds. */
const waitForCopy = (admin: TestClient, atMs: number): Promise<void> =>
  waitForCopyState(admin, ({ state, at }) => state === 'ok' && at !== null && Date.parse(at) >= atMs);

async function waitForBatch(admin: TestClient, path: string, state: string): Promise<Record<string, unknown>> {
  const giveUpAt = performance.now() + LIST_TIMEOUT_MS;
  for (;;) {
    const { body } = await admin.call('GET', path);
    if (body.data?.['state'] === state) return body.data;
    assert.ok(performance.now() < giveUpAt, JSON.stringify(body.data));
    await wait(LIST_POLL_MS);
  }
}

/** A start that must be refused: exit code 1, one line that says why, no stack trace. */
async function checkRefusal(run: ProgramRun, line: RegExp): Promise<void> {
  assert.equal(await run.waitForExit(), 1, run.output());
  const lines = run.output().trimEnd().split('\n');
  const reasons = lines.filter((one) => line.test(one));
  assert.equal(reasons.length, 1, run.output());
  assert.doesNotMatch(run.output(), /\n\s+at /);
}

export const smokeCases: SmokeCase[] = [
  {
    name: 'makes the first administrator at its first start and serves pages and API documentation',
    async run(state) {
      const url = await state.startServer();
      const output = state.requireServer().output();
      assert.match(output, /^Administrator pertama dibuat: admin@pbb\.local$/m);
      state.adminPassword = PASSWORD_LINE.exec(output)?.[1] ?? '';
      await checkPages(url);
      // Only the data folder is new beside the program.
      const names = readdirSync(state.main.folder).toSorted();
      assert.deepEqual([names.length, names[0]], [2, 'data'], names.join());
    },
  },
  {
    name: 'stores a record with its proof, serves the proof link and sums the record up',
    async run(state) {
      const { admin, user } = state;
      await admin.authenticate('/api/auth/login', { email: 'admin@pbb.local', password: state.adminPassword });
      await user.authenticate('/api/auth/register', { ...newUser, password_confirmation: newUser.password });
      const form = new FormData();
      const fields = { name: 'Budi Santoso', address: 'Jl. Melati 1', spt_number: 'SPT-1', amount: '1250000' };
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('payment_proof', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'bukti.png');
      const { status, body } = await user.call('POST', '/api/tax-records', form);
      assert.equal(status, 201, JSON.stringify(body));
      state.recordId = String(body.data?.['id']);
      await checkProof(state);
      const { body: sums } = await admin.call('GET', '/api/admin/statistics');
      assert.deepEqual([sums.data?.['total_records'], sums.data?.['total_tax']], [1, 1_250_000]);
    },
  },
  {
    name: 'delivers chat messages in both directions',
    async run({ admin, user }) {
      await checkDelivery(user, admin, 'Apakah kantor buka hari Sabtu?');
      await checkDelivery(admin, user, 'Buka sampai pukul 12. 🙂');
    },
  },
  {
    name: 'refuses a second server on the same data folder with one line',
    async run(state) {
      state.requireServer();
      await checkRefusal(state.start(state.main, RANDOM_PORT), /sudah berjalan dengan folder data/);
    },
  },
  {
    name: 'refuses a port in use with one line',
    async run(state) {
      const other = createServer().listen(0);
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const run = state.start(state.installAnother(), ['--port', String(port)]);
      await checkRefusal(run, /^PORT: \d+ sudah dipakai program lain/).finally(() => other.close());
    },
  },
  {
    name: 'answers doctor beside the running server',
    async run(state) {
      state.requireServer();
      const { output } = await state.command(['doctor']);
      for (const words of ['server sedang berjalan', 'database utuh', 'foto dan dokumen lengkap (1)']) {
        assert.ok(output.includes(words), output);
      }
    },
  },
  {
    name: 'reads a workbook in its own thread and applies it as the list of the office',
    async run({ admin }) {
      const rows = [LIST_HEADER, [LISTED_NOP, 'SITI AMINAH', 'Jl. Melati 1', 45_000]];
      const form = new FormData();
      form.append('year', '2026');
      form.append('client_id', crypto.randomUUID());
      form.append('file', new Blob([new Uint8Array(writeSpreadsheet('xlsx', [{ name: 'DHKP', rows }]))]), 'dhkp.xlsx');
      const { status, body } = await admin.call('POST', '/api/admin/dhkp/batches', form);
      assert.equal(status, 201, JSON.stringify(body));
      const batch = `/api/admin/dhkp/batches/${String(body.data?.['id'])}`;
      const ready = await waitForBatch(admin, batch, 'ready');
      await admin.call('POST', `${batch}/apply`, { preview_id: ready['preview_id'] });
      await waitForBatch(admin, batch, 'applied');
      const { body: list } = await admin.call('GET', '/api/admin/dhkp?year=2026');
      assert.deepEqual([list.data?.['total'], list.data?.['total_amount']], [1, 45_000], JSON.stringify(list));
    },
  },
  {
    name: 'makes a whole backup while messages are written',
    async run(state) {
      state.requireServer();
      const isOver = new AbortController();
      const backup = state.command(['backup']).finally(() => isOver.abort());
      let sentCount = 0;
      while (!isOver.signal.aborted && sentCount < SENDS_COUNT) {
        sentCount += 1;
        await send(state.user, state.admin, `Selama cadangan ${sentCount}`);
      }
      const { code, output } = await backup;
      assert.equal(code, 0, output);
      assert.ok(sentCount > 1, 'no message was sent meanwhile');
      state.backupName = /pbb-kita-\d{8}-\d{6}[\w-]*/.exec(output)?.[0] ?? '';
      const checked = await state.command(['backup', '--periksa', state.backupName]);
      assert.deepEqual([checked.code, checked.output.includes('Cadangan utuh')], [0, true], checked.output);
    },
  },
  {
    name: 'keeps every acknowledged message when it is killed, and starts again',
    async run(state) {
      const server = state.requireServer();
      const acknowledged: string[] = [];
      for (let count = 1; count <= SENDS_COUNT; count += 1) {
        if (count === SENDS_BEFORE_KILL) server.kill();
        try {
          acknowledged.push(await send(state.admin, state.user, `Sebelum mati ${count}`));
        } catch {
          break;
        }
      }
      await server.waitForExit();
      const count = acknowledged.length;
      assert.ok(count >= SENDS_BEFORE_KILL - 1 && count < SENDS_COUNT, `${count} were acknowledged`);
      await state.startServer();
      const stored = await readMessageIds(state);
      assert.deepEqual(
        stored.slice(-acknowledged.length - 1).filter((id) => acknowledged.includes(id)),
        acknowledged,
      );
      assert.equal(new Set(stored).size, stored.length);
      await checkProof(state);
    },
  },
  {
    name: 'ends properly with Ctrl+C and keeps its data',
    async run(state) {
      const before = await readMessageIds(state);
      await state.stopServer();
      await state.startServer();
      assert.doesNotMatch(state.requireServer().output(), /Administrator pertama|Password/);
      assert.deepEqual(await readMessageIds(state), before);
      await state.stopServer();
    },
  },
  {
    name: 'restores the backup, with accounts, messages and proofs',
    async run(state) {
      const list = await state.command(['restore']);
      assert.ok(list.output.includes(state.backupName), list.output);
      const { code, output } = await state.command(['restore', state.backupName, '--ya']);
      assert.equal(code, 0, output);
      await state.startServer();
      await checkProof(state);
      const ids = await readMessageIds(state);
      assert.ok(ids.length >= 2, 'the messages from before the backup are gone');
      await checkDelivery(state.user, state.admin, 'Sesudah pemulihan');
      await state.stopServer();
    },
  },
  {
    name: 'goes on with the running copy on another computer after it was killed, and leaves the copy to that one',
    async run(state) {
      const disk = join(state.main.folder, 'Disk kedua');
      mkdirSync(disk);
      chmodSync(disk, 0o777);
      const secondDir = { BACKUP_SECOND_DIR: state.main.pathFor('Disk kedua') };
      await state.startServer(secondDir);
      const lastId = await send(state.user, state.admin, 'Sebelum komputer rusak');
      await waitForCopy(state.admin, Date.now());
      state.requireServer().kill();
      await state.requireServer().waitForExit();

      const other = state.installAnother();
      const copy = state.main.pathFor('Disk kedua', 'salinan-berjalan');
      const restored = await state.command(['restore', copy, '--ya'], undefined, other);
      assert.equal(restored.code, 0, restored.output);
      const { token } = state.user;
      await state.startServer(secondDir, other);
      state.user.token = token;
      assert.equal((await readMessageIds(state)).at(-1), lastId, 'another session, or a lost message');
      await checkProof(state);
      await waitForCopy(state.admin, Date.now());
      await state.stopServer();

      await state.startServer(secondDir);
      await waitForCopyState(state.admin, ({ state: now, message }) => {
        return now === 'stopped' && String(message).includes('lebih baru');
      });
      await state.stopServer();
    },
  },
  {
    name: 'runs every command',
    async run(state) {
      const expectLine = async (args: string[], line: RegExp, code = 0, input?: string): Promise<void> => {
        const result = await state.command(args, input);
        assert.match(result.output, line, `${args.join(' ')}: ${result.output}`);
        assert.equal(result.code, code, `${args.join(' ')}: ${result.output}`);
      };
      const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
      await expectLine(['version'], new RegExp(version.replaceAll('.', '\\.')));
      await expectLine(['help'], /^Perintah:$/m);
      for (const name of ['serve', 'backup', 'restore', 'admin', 'doctor', 'service', 'version', 'help']) {
        await expectLine(['help', name], /^Pemakaian:$/m);
      }
      await expectLine(['help', 'panduan'], /^# Panduan Operasional PBB Kita$/m);
      await expectLine(['terbang'], /Perintah "terbang" tidak dikenal/, 2);
      const siti = ['--email', 'siti@contoh.id', '--password-stdin'];
      await expectLine(['admin', 'create', '--name', 'Siti', ...siti], /siti@contoh\.id/, 0, `${NEW_PASSWORD}\n`);
      await expectLine(['admin', 'reset-password', ...siti], /siti@contoh\.id/, 0, `${NEW_PASSWORD}2\n`);
      const usbFolder = join(state.main.folder, 'Disk USB');
      mkdirSync(usbFolder);
      // The program may run as another account.
      chmodSync(usbFolder, 0o777);
      const usb = state.main.pathFor('Disk USB');
      await expectLine(['backup', '--ke', usb], /Cadangan selesai/);
      assert.equal(readdirSync(usbFolder).length, 1);
      for (const system of ['linux', 'mac', 'windows'])
        await expectLine(['service', 'show', '--for', system], /pbb-kita/i);
      await state.command(['service', 'status']);
      await state.command(['doctor']);
      await state.startServer();
      await new TestClient(state.admin.url).authenticate('/api/auth/login', {
        email: 'siti@contoh.id',
        password: `${NEW_PASSWORD}2`,
      });
      await state.stopServer();
    },
  },
  {
    name: 'keeps its data in a folder with spaces and other letters',
    async run(state) {
      const name = 'Data Désa Ünïk 日本';
      const run = state.start(state.main, [...RANDOM_PORT, '--data', state.main.pathFor(name)]);
      const url = await run.waitUntilReady();
      assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: 'ok' });
      assert.ok(run.output().includes(name), run.output());
      run.interrupt();
      assert.equal(await run.waitForExit(), 0);
      assert.ok(existsSync(join(state.main.folder, name, 'pbb.sqlite')));
    },
  },
  {
    name: 'serves https with a certificate of its own authority',
    async run(state) {
      await state.startServer({ TLS: 'on', TLS_PORT: '0' });
      const [, url = ''] = /^Aman \(https\) di (https:[^;\s]+)/m.exec(state.requireServer().output()) ?? [];
      const ca = readFileSync(join(state.main.folder, 'data', 'tls', 'ca.crt'), 'utf8');
      assert.equal(await readSecure(`${url}/healthz`, ca), '{"status":"ok"}');
      await assert.rejects(readSecure(`${url}/healthz`, undefined), /certificate/);
      assert.equal((await fetch(`${state.admin.url}/percaya`)).status, 200);
      await state.stopServer();
    },
  },
];

/** Needs libfaketime, which most machines lack. */
export const clockCase: SmokeCase = {
  name: 'goes on when the clock of the computer jumps forward and back',
  async run(state) {
    const { clock } = state.host;
    if (!clock) return 'libfaketime tidak terpasang di komputer ini';
    clock.moveToDays(1);
    await state.startServer(clock.environment);
    for (const days of [5, -2]) {
      clock.moveToDays(days);
      await waitForClock(state.admin.url, days);
      await checkDelivery(state.user, state.admin, `Jam digeser ${days} hari`);
    }
    const ids = (await readMessageIds(state)).map(Number);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    await state.stopServer();
  },
};

/** Waits until the server's clock is so many days from this one. Node reads it once a second for its answers. */
async function waitForClock(url: string, days: number): Promise<void> {
  const giveUpAt = performance.now() + CLOCK_TIMEOUT_MS;
  for (;;) {
    const { headers } = await fetch(`${url}/healthz`);
    const shiftMs = Date.parse(headers.get('date') ?? '') - Date.now();
    if (Math.abs(shiftMs - days * DAY_MS) < CLOCK_TOLERANCE_MS) return;
    assert.ok(performance.now() < giveUpAt, `the clock is off by ${shiftMs} ms instead of ${days} days`);
    await wait(CLOCK_POLL_MS);
  }
}

/** Sends one request that trusts only `ca`. */
async function readSecure(url: string, ca: string | undefined): Promise<string> {
  const outgoing = request(url, { ...(ca === undefined ? {} : { ca }), agent: false }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return text(response);
}
