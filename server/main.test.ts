import { readdirSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectRaw } from '#server/testing/raw-http.ts';
import { startServerProcess, tempDataDir, type ServerProcess } from '#server/testing/server-process.ts';

/** The program as a process. A start takes a good half second, so each test here checks several things at once. */

const HALF_MINUTE_MS = 30_000;
const POLL = { timeout: 10_000 };
const LOGIN_HEAD = 'POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nContent-Type: application/json\r\n';
const GENERATED_PASSWORD = /[a-z2-9]{4}(?:-[a-z2-9]{4}){3}/g;

async function signIn(url: string, email: string, password: string) {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return { status: response.status, body: (await response.json()) as { data?: { token: string } } };
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

/** A start that must fail: one line on stderr for each fault, exit code 1. */
async function readStartErrors(server: ServerProcess): Promise<string[]> {
  expect(await server.exit()).toBe(1);
  expect(server.output.stdout).not.toContain(' siap di ');
  return server.output.stderr.trimEnd().split('\n');
}

describe('a first start', { timeout: HALF_MINUTE_MS }, () => {
  it('makes an administrator whose generated password is shown once, and keeps everything to its owner', async () => {
    const dataDir = tempDataDir();
    const first = startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'trace' });
    const { url } = await first.ready();
    expect(lastLine(first.output.stdout)).toBe(`PBB Kita siap di ${url}`);
    const [password = '', ...more] = first.output.stdout.match(GENERATED_PASSWORD) ?? [];
    expect(more).toEqual([]);
    expect(first.output.stdout).toContain(`Password (hanya ditampilkan sekali ini): ${password}\n`);
    // The terminal is told; the log, which is JSON, is not.
    const logged = first.output.stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toContain(password);

    const { status, body } = await signIn(url, 'admin@pbb.local', password);
    expect(status).toBe(200);
    const authorization = `Bearer ${body.data?.token}`;
    for (const name of readdirSync(dataDir)) {
      const { mode } = statSync(join(dataDir, name));
      expect([name, (mode & 0o077).toString(8)]).toEqual([name, '0']);
    }
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['pbb.sqlite', 'secret', 'proofs', 'backups']));
    first.child.kill('SIGTERM');
    expect(await first.exit(5000)).toBe(0);
    expect(first.output.stdout).not.toContain('Bearer');

    // At the next start nothing is made and nothing is shown; sessions live on, for the secret does.
    const second = startServerProcess({ DATA_DIR: dataDir });
    const again = await second.ready();
    expect(second.output.stdout.match(GENERATED_PASSWORD)).toBeNull();
    expect(second.output.stdout).not.toContain('Administrator pertama');
    expect((await fetch(`${again.url}/api/auth/user`, { headers: { authorization } })).status).toBe(200);
  });

  it('takes a given password without repeating it, and warns where the limits are off', async () => {
    const given = 'rahasia-kantor';
    const server = startServerProcess({
      DATA_DIR: tempDataDir(),
      ADMIN_EMAIL: ' Ratna@Kantor.GO.ID ',
      ADMIN_PASSWORD: given,
      RATE_LIMITS: 'off',
      TRUST_PROXY: 'on',
      LOG_LEVEL: 'info',
    });
    const { url } = await server.ready();
    expect((await signIn(url, 'ratna@kantor.go.id', given)).status).toBe(200);
    const tries = await Promise.all(Array.from({ length: 11 }, () => signIn(url, 'ratna@kantor.go.id', 'salah')));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401]));
    await fetch(`${url}/healthz/x`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    await expect.poll(() => server.output.stdout, POLL).toContain('"remoteAddress":"203.0.113.9"');
    expect(server.output.stdout).toMatch(/^PERINGATAN: RATE_LIMITS=off; .*$/m);
    expect(server.output.stdout).toContain('Administrator pertama dibuat: ratna@kantor.go.id\n');
    expect(server.output.stdout).not.toContain('Password (');
    expect(server.output.stdout + server.output.stderr).not.toContain(given);
    expect(server.output.stderr).toBe('');
  });

  it('that finds its port taken has told the generated password all the same', async () => {
    const dataDir = tempDataDir();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = String(typeof address === 'object' && address ? address.port : 0);
    const failed = startServerProcess({ DATA_DIR: dataDir, PORT: port });
    expect(await readStartErrors(failed)).toEqual([
      `PORT: ${port} sudah dipakai program lain; yang diterima: porta lain yang bebas, atau 0`,
    ]);
    const [password = ''] = failed.output.stdout.match(GENERATED_PASSWORD) ?? [];
    const { url } = await startServerProcess({ DATA_DIR: dataDir }).ready();
    expect((await signIn(url, 'admin@pbb.local', password)).status).toBe(200);
  });
});

describe('a start that cannot be', { timeout: HALF_MINUTE_MS }, () => {
  it('says so in a line for each bad setting', async () => {
    const lines = await readStartErrors(
      startServerProcess({ DATA_DIR: tempDataDir(), PORT: 'abc', APP_TIMEZONE: 'x', JWT_SECRET: 'short' }),
    );
    expect(lines).toEqual([
      'PORT: nilai "abc" tidak dapat dipakai; yang diterima: bilangan bulat 0 sampai 65535',
      'APP_TIMEZONE: nilai "x" tidak dapat dipakai; yang diterima: nama zona waktu IANA seperti Asia/Jakarta',
      'JWT_SECRET: nilai "(5 karakter)" tidak dapat dipakai; yang diterima: teks dengan paling sedikit 32 karakter',
    ]);
  });

  it('says so for a folder in use, a folder that cannot be, and a host that is not here', async () => {
    const dataDir = tempDataDir();
    await startServerProcess({ DATA_DIR: dataDir }).ready();
    const [inUse, unwritable, elsewhere] = await Promise.all([
      readStartErrors(startServerProcess({ DATA_DIR: dataDir })),
      readStartErrors(startServerProcess({ DATA_DIR: '/proc/pbb' })),
      readStartErrors(
        startServerProcess({ DATA_DIR: tempDataDir(), HOST: '203.0.113.1', ADMIN_PASSWORD: 'rahasia-1' }),
      ),
    ]);
    expect(inUse).toEqual([
      expect.stringMatching(/^DATA_DIR: PBB Kita sudah berjalan dengan folder data ".*"; yang diterima: /),
    ]);
    expect(unwritable).toEqual([
      expect.stringMatching(/^DATA_DIR: folder "\/proc\/pbb" tidak dapat ditulis .*; yang diterima: /),
    ]);
    expect(elsewhere).toEqual([
      expect.stringMatching(/^HOST: "203\.0\.113\.1" bukan alamat komputer ini; yang diterima: /),
    ]);
  });

  it('says so for a database of a newer version and one that is none', async () => {
    const newer = tempDataDir();
    const first = startServerProcess({ DATA_DIR: newer });
    await first.ready();
    first.child.kill('SIGINT');
    expect(await first.exit(5000)).toBe(0);
    const database = new Database(join(newer, 'pbb.sqlite'));
    database.exec("insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)");
    database.close();
    const broken = tempDataDir();
    mkdirSync(broken);
    writeFileSync(join(broken, 'pbb.sqlite'), 'not a database at all '.repeat(100));
    const [tooNew, notOne] = await Promise.all([
      readStartErrors(startServerProcess({ DATA_DIR: newer })),
      readStartErrors(startServerProcess({ DATA_DIR: broken })),
    ]);
    expect(tooNew).toEqual([
      'DATA_DIR: database dibuat oleh versi PBB Kita yang lebih baru daripada program ini; yang diterima: versi program yang sama atau lebih baru',
    ]);
    expect(notOne).toEqual([
      expect.stringMatching(/^DATA_DIR: database ".*" tidak dapat dipakai \(SQLITE_NOTADB\); yang diterima: /),
    ]);
  });
});

/** A server with one idle connection, one that never said anything, and one in the middle of a request. */
async function expectGracefulShutdown(signal: NodeJS.Signals): Promise<void> {
  const dataDir = tempDataDir();
  const server = startServerProcess({ DATA_DIR: dataDir });
  const { port } = await server.ready();
  const keptAlive = await connectRaw(port);
  keptAlive.send('GET /healthz HTTP/1.1\r\nHost: pbb\r\n\r\n');
  expect((await keptAlive.answer()).body).toBe('{"status":"ok"}');
  await connectRaw(port);
  const body = '{"email":"a@b.id","password":"x"}';
  const inFlight = await connectRaw(port);
  inFlight.send(`${LOGIN_HEAD}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
  await expect.poll(() => server.output.stdout, POLL).toContain('"url":"/api/auth/login"');

  const start = performance.now();
  server.child.kill(signal);
  await keptAlive.ended();
  inFlight.send(body.slice(5));
  expect((await inFlight.answer()).status).toBe(401);
  expect(await server.exit(5000)).toBe(0);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(server.output.stderr).toBe('');
  // The write-ahead log is gone: the database was closed and stands alone, ready to be copied.
  expect(readdirSync(dataDir).filter((name) => name.startsWith('pbb.sqlite'))).toEqual(['pbb.sqlite']);
  await expect(connectRaw(port)).rejects.toThrow();
}

describe('an end', { timeout: HALF_MINUTE_MS }, () => {
  it('by SIGTERM or SIGINT answers what is in flight and leaves a tidy folder', async () => {
    await Promise.all([expectGracefulShutdown('SIGTERM'), expectGracefulShutdown('SIGINT')]);
  });

  it('comes within five seconds also when a request never finishes', async () => {
    const server = startServerProcess({ DATA_DIR: tempDataDir() });
    const { port } = await server.ready();
    const stuck = await connectRaw(port);
    stuck.send(`${LOGIN_HEAD}Content-Length: 50\r\n\r\n{`);
    await expect.poll(() => server.output.stdout, POLL).toContain('"url":"/api/auth/login"');
    server.child.kill('SIGTERM');
    expect(await server.exit(5000)).toBe(0);
  });
});
