import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMPILE_CACHE, PROGRAM_FILE } from '#server/testing/program/program.ts';
import { connectRaw } from '#server/testing/network/raw-http.ts';
import { startServerProcess, tempDataDir, type ServerProcess } from '#server/testing/program/server-process.ts';
import { signIn } from '#server/testing/sign-in.ts';

/** Tests of the program as a process. A start takes over half a second, so each test checks several things. */

const LOGIN_HEAD = 'POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nContent-Type: application/json\r\n';
const GENERATED_PASSWORD = /[a-z2-9]{4}(?:-[a-z2-9]{4}){3}/g;

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

/** Expects a failed start with exit code 1. @returns the lines on stderr, one for each error */
async function readStartErrors(server: ServerProcess): Promise<string[]> {
  expect(await server.exit()).toBe(1);
  expect(server.output.stdout).not.toContain(' siap di ');
  return server.output.stderr.trimEnd().split('\n');
}

describe('the first start', () => {
  it('makes an administrator, prints the generated password once, and lets only the owner read the files', async () => {
    const dataDir = tempDataDir();
    const first = startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'trace' });
    const { url } = await first.ready();
    expect(lastLine(first.output.stdout)).toBe(`PBB Kita siap di ${url}`);
    const [password = '', ...more] = first.output.stdout.match(GENERATED_PASSWORD) ?? [];
    expect(more).toEqual([]);
    expect(first.output.stdout).toContain(`Password (hanya ditampilkan sekali ini): ${password}\n`);
    // The password is on the terminal, but not in the log, whose lines are JSON.
    const logged = first.output.stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toContain(password);

    const { status, token } = await signIn(url, 'admin@pbb.local', password);
    expect(status).toBe(200);
    const authorization = `Bearer ${token}`;
    for (const name of readdirSync(dataDir)) {
      const { mode } = statSync(join(dataDir, name));
      expect([name, (mode & 0o077).toString(8)]).toEqual([name, '0']);
    }
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['pbb.sqlite', 'secret', 'proofs', 'backups']));
    first.child.kill('SIGTERM');
    expect(await first.exit()).toBe(0);
    expect(first.output.stdout).not.toContain('Bearer');

    // The next start makes no administrator. Sessions still count, because the secret was kept.
    const second = startServerProcess({ DATA_DIR: dataDir });
    const again = await second.ready();
    expect(second.output.stdout.match(GENERATED_PASSWORD)).toBeNull();
    expect(second.output.stdout).not.toContain('Administrator pertama');
    expect((await fetch(`${again.url}/api/auth/user`, { headers: { authorization } })).status).toBe(200);
  });

  it('uses ADMIN_PASSWORD without printing it, and warns about RATE_LIMITS=off and PUSH_ALLOW', async () => {
    const given = 'rahasia-kantor';
    const server = startServerProcess({
      DATA_DIR: tempDataDir(),
      ADMIN_EMAIL: ' Ratna@Kantor.GO.ID ',
      ADMIN_PASSWORD: given,
      RATE_LIMITS: 'off',
      PUSH_ALLOW: 'https://127.0.0.1:4430',
      TRUST_PROXY: 'on',
      LOG_LEVEL: 'info',
    });
    const { url } = await server.ready();
    expect((await signIn(url, 'ratna@kantor.go.id', given)).status).toBe(200);
    const tries = await Promise.all(Array.from({ length: 11 }, () => signIn(url, 'ratna@kantor.go.id', 'salah')));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401]));
    await fetch(`${url}/healthz/x`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    await expect.poll(() => server.output.stdout).toContain('"remoteAddress":"203.0.113.9"');
    expect(server.output.stdout).toMatch(/^PERINGATAN: RATE_LIMITS=off; .*$/m);
    expect(server.output.stdout).toMatch(/^PERINGATAN: PUSH_ALLOW=https:\/\/127\.0\.0\.1:4430; .*$/m);
    expect(server.output.stdout).toContain('Administrator pertama dibuat: ratna@kantor.go.id\n');
    expect(server.output.stdout).not.toContain('Password (');
    expect(server.output.stdout + server.output.stderr).not.toContain(given);
    expect(server.output.stderr).toBe('');
  });

  it.each(['PORT', 'TLS_PORT'])('creates nothing when %s is in use or HOST is not there', async (setting) => {
    const dataDir = tempDataDir();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = String(typeof address === 'object' && address ? address.port : 0);
    const taken = startServerProcess({ DATA_DIR: dataDir, TLS: 'on', TLS_PORT: '0', [setting]: port });
    const foreign = startServerProcess({ DATA_DIR: dataDir, HOST: '203.0.113.1' });
    expect(await readStartErrors(taken)).toEqual([
      `${setting}: ${port} sudah dipakai program lain; yang diterima: porta lain yang bebas, atau 0`,
    ]);
    expect(await readStartErrors(foreign)).toEqual([
      'HOST: "203.0.113.1" bukan alamat komputer ini; yang diterima: 0.0.0.0, 127.0.0.1, atau alamat LAN-nya',
    ]);
    expect(taken.output.stdout + foreign.output.stdout).toBe('');
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('a start that fails', () => {
  it('prints a line for each invalid setting', async () => {
    const lines = await readStartErrors(
      startServerProcess({ DATA_DIR: tempDataDir(), PORT: 'abc', APP_TIMEZONE: 'x', JWT_SECRET: 'short' }),
    );
    expect(lines).toEqual([
      'PORT: nilai "abc" tidak dapat dipakai; yang diterima: bilangan bulat 0 sampai 65535',
      'APP_TIMEZONE: nilai "x" tidak dapat dipakai; yang diterima: nama zona waktu IANA seperti Asia/Jakarta',
      'JWT_SECRET: nilai "(5 karakter)" tidak dapat dipakai; yang diterima: teks dengan paling sedikit 32 karakter',
    ]);
  });

  it('prints a line for a data folder in use, an unwritable one, and a foreign host address', async () => {
    const dataDir = tempDataDir();
    await startServerProcess({ DATA_DIR: dataDir }).ready();
    const [inUse, unwritable, foreignHost] = await Promise.all([
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
    expect(foreignHost).toEqual([
      expect.stringMatching(/^HOST: "203\.0\.113\.1" bukan alamat komputer ini; yang diterima: /),
    ]);
  });

  it('prints a line for a database of a newer version and for a file that is no database', async () => {
    const newer = tempDataDir();
    const first = startServerProcess({ DATA_DIR: newer });
    await first.ready();
    first.child.kill('SIGINT');
    expect(await first.exit()).toBe(0);
    const database = new Database(join(newer, 'pbb.sqlite'));
    database.exec("insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)");
    database.close();
    const broken = tempDataDir();
    mkdirSync(broken);
    writeFileSync(join(broken, 'pbb.sqlite'), 'not a database at all '.repeat(100));
    const [tooNew, noDatabase] = await Promise.all([
      readStartErrors(startServerProcess({ DATA_DIR: newer })),
      readStartErrors(startServerProcess({ DATA_DIR: broken })),
    ]);
    expect(tooNew).toEqual([
      'DATA_DIR: database dibuat oleh versi PBB Kita yang lebih baru daripada program ini; yang diterima: versi program yang sama atau lebih baru',
    ]);
    expect(noDatabase).toEqual([
      expect.stringMatching(/^DATA_DIR: database ".*" tidak dapat dipakai \(SQLITE_NOTADB\); yang diterima: /),
    ]);
  });
});

/** Stops a server that has an idle connection, a connection without any request, and a request in flight. */
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
  await expect.poll(() => server.output.stdout).toContain('"url":"/api/auth/login"');

  server.child.kill(signal);
  await keptAlive.ended();
  inFlight.send(body.slice(5));
  expect((await inFlight.answer()).status).toBe(401);
  expect(await server.exit()).toBe(0);
  expect(server.output.stderr).toBe('');
  // Without a write-ahead log the database was closed, so its file can be copied.
  expect(readdirSync(dataDir).filter((name) => name.startsWith('pbb.sqlite'))).toEqual(['pbb.sqlite']);
  await expect(connectRaw(port)).rejects.toThrow();
}

describe('the shutdown (R-RUN-7)', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'after %s answers requests in flight and closes the database',
    expectGracefulShutdown,
  );

  it('goes on after SIGHUP when its output is a file and its input no terminal, as nohup starts it', async () => {
    const dataDir = tempDataDir();
    const output = `${dataDir}.out`;
    const file = openSync(output, 'w');
    const env = { ...COMPILE_CACHE, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir };
    const child = spawn(process.execPath, [PROGRAM_FILE], { env, stdio: ['ignore', file, file] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const readUrl = () => / siap di (http:\/\/\S+)$/m.exec(readFileSync(output, 'utf8'))?.[1];
    await expect.poll(readUrl).toBeDefined();
    child.kill('SIGHUP');
    expect((await fetch(`${readUrl()}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends even when a request never finishes', async () => {
    const server = startServerProcess({ DATA_DIR: tempDataDir() });
    const { port } = await server.ready();
    const stuck = await connectRaw(port);
    stuck.send(`${LOGIN_HEAD}Content-Length: 15000\r\n\r\n`);
    // Quick enough for the watch over bodies, so that nothing but the shutdown ends the request.
    const trickle = setInterval(() => stuck.send(' '.repeat(50)), 200);
    onTestFinished(() => clearInterval(trickle));
    await expect.poll(() => server.output.stdout).toContain('"url":"/api/auth/login"');
    server.child.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    await expect(stuck.answer()).rejects.toThrow('ended before a whole answer: ');
  });
});
