import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import { startServerProcess, tempDataDir, type ServerProcess } from '#server/testing/program/server-process.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { connectSecure, fetchSecure } from '#server/testing/network/tls-client.ts';

/** Starts the program as a process with https. */

const PASSWORD = 'kata-sandi-kantor';

const startTlsServer = (settings: Record<string, string>): ServerProcess =>
  startServerProcess({ ADMIN_PASSWORD: PASSWORD, TLS_PORT: '0', ...settings });

const secureUrlIn = ({ output }: ServerProcess): string =>
  /^Aman \(https\) di (https:\S+);/m.exec(output.stdout)?.[1] ?? 'no line about https';

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@pbb.local', password: PASSWORD }),
  });
  const body = (await response.json()) as { data: { token: string } };
  return body.data.token;
}

async function readStartErrors(server: ServerProcess): Promise<string[]> {
  expect(await server.exit()).toBe(1);
  expect(server.output.stdout).not.toContain(' siap di ');
  return server.output.stderr.trimEnd().split('\n');
}

describe('a server with TLS=on', () => {
  it('serves http and https, prints both addresses, and keeps its certificate after a restart', async () => {
    const dataDir = tempDataDir();
    const first = startTlsServer({ DATA_DIR: dataDir, TLS: 'on' });
    const { url } = await first.ready();
    const lines = first.output.stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toBe(`PBB Kita siap di ${url}`);
    const secureUrl = secureUrlIn(first);
    expect(first.output.stdout).toContain(`${secureUrl}; alamat http di bawah tetap dapat dipakai.\n`);
    expect(first.output.stdout).toContain(`buka ${url}/percaya di sana.\n`);

    const ca = readFileSync(join(dataDir, 'tls/ca.crt'), 'utf8');
    const shown = await fetchSecure(`${secureUrl}/healthz`, ca);
    expect([shown.status, shown.text]).toEqual([200, '{"status":"ok"}']);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    const offered = Buffer.from(await (await fetch(`${url}/ca.crt`)).arrayBuffer());
    expect(new X509Certificate(offered).fingerprint256).toBe(new X509Certificate(ca).fingerprint256);
    for (const name of readdirSync(join(dataDir, 'tls'))) {
      expect([name, statSync(join(dataDir, 'tls', name)).mode & 0o077]).toEqual([name, 0]);
    }
    first.child.kill('SIGKILL');
    await first.exit();

    const second = startTlsServer({ DATA_DIR: dataDir, TLS: 'on' });
    await second.ready();
    expect((await fetchSecure(`${secureUrlIn(second)}/healthz`, ca)).serial).toBe(shown.serial);
    expect(second.output.stderr).toBe('');
  });

  it('stops with open connections, after answering open requests', async () => {
    const dataDir = tempDataDir();
    const server = startTlsServer({ DATA_DIR: dataDir, TLS: 'on', LOG_LEVEL: 'info' });
    const { url } = await server.ready();
    const secureUrl = secureUrlIn(server);
    const port = Number(new URL(secureUrl).port);
    const ca = readFileSync(join(dataDir, 'tls/ca.crt'), 'utf8');
    const socket = io(`${secureUrl}${REALTIME_NAMESPACE}`, {
      auth: { token: await signIn(url) },
      ca,
      transports: ['websocket'],
      reconnection: false,
    });
    onTestFinished(() => void socket.disconnect());
    await withTimeout('a socket', new Promise<void>((resolve) => socket.once('connect', resolve)));
    const gone = new Promise((resolve) => socket.once('disconnect', resolve));
    const idle = await connectSecure(port, { ca });
    const busy = await connectSecure(port, { ca });
    const body = '{"email":"a@b.id","password":"x"}';
    busy.write('POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nContent-Type: application/json\r\n');
    busy.write(`Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    await expect.poll(() => server.output.stdout.match(/"url":"\/api\/auth\/login"/g)?.length).toBe(2);

    const idleEnded = once(idle, 'close');
    server.child.kill('SIGTERM');
    await withTimeout('the idle one to be ended', idleEnded);
    const ended = once(busy, 'close');
    busy.write(body.slice(5));
    await withTimeout('the end of the busy one', ended);
    expect(busy.received()).toMatch(/^HTTP\/1\.1 401 /);
    await withTimeout('the end of the socket', gone);
    expect(await server.exit()).toBe(0);
    expect(server.output.stderr).toBe('');
    expect(readdirSync(dataDir).filter((name) => name.startsWith('pbb.sqlite'))).toEqual(['pbb.sqlite']);
  });
});

describe('a server with TLS_CERT and TLS_KEY', () => {
  it('uses that certificate, and neither creates nor offers an authority', async () => {
    const maker = tempDataDir();
    const first = startTlsServer({ DATA_DIR: maker, TLS: 'on' });
    await first.ready();
    first.child.kill('SIGTERM');
    expect(await first.exit()).toBe(0);
    const [ca, cert, key] = ['ca.crt', 'server.crt', 'server.key'].map((name) => join(maker, 'tls', name));

    const dataDir = tempDataDir();
    const server = startTlsServer({ DATA_DIR: dataDir, TLS: 'on', TLS_CERT: cert ?? '', TLS_KEY: key ?? '' });
    const { url } = await server.ready();
    const answer = await fetchSecure(`${secureUrlIn(server)}/healthz`, readFileSync(ca ?? '', 'utf8'));
    expect(answer.serial).toBe(new X509Certificate(readFileSync(cert ?? '')).serialNumber);
    expect(server.output.stdout).not.toContain('/percaya');
    expect(readdirSync(dataDir)).not.toContain('tls');
    expect((await fetch(`${url}/ca.crt`)).headers.get('content-type')).not.toContain('x509');
  });
});

describe('a start with invalid TLS settings', () => {
  it('reports a used port, missing files and a damaged authority in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const taken = String(typeof address === 'object' && address ? address.port : 0);
    const broken = tempDataDir();
    const made = startTlsServer({ DATA_DIR: broken, TLS: 'on' });
    await made.ready();
    made.child.kill('SIGTERM');
    await made.exit();
    writeFileSync(join(broken, 'tls/ca.key'), 'rusak');

    const [port, files, authority] = await Promise.all([
      readStartErrors(startTlsServer({ DATA_DIR: tempDataDir(), TLS: 'on', TLS_PORT: taken })),
      readStartErrors(
        startTlsServer({ DATA_DIR: tempDataDir(), TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' }),
      ),
      readStartErrors(startTlsServer({ DATA_DIR: broken, TLS: 'on' })),
    ]);
    expect(port).toEqual([
      `TLS_PORT: ${taken} sudah dipakai program lain; yang diterima: porta lain yang bebas, atau 0`,
    ]);
    expect(files).toEqual([
      'TLS_CERT: berkas "/nowhere/cert.pem" tidak dapat dibaca (ENOENT); yang diterima: berkas PEM yang boleh dibaca oleh program ini',
    ]);
    expect(authority).toEqual([expect.stringMatching(/^DATA_DIR: berkas ".*ca\.key" rusak; yang diterima: /)]);
  });
});
