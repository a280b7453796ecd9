import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, Socket } from 'node:net';
import { io } from 'socket.io-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import type { Message } from '#shared/api/chat/chat.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { connectRaw } from '#server/testing/network/raw-http.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { buildHostNetwork } from '#server/testing/network/host-network.ts';
import { connectSecure, fetchSecure, createTestAuthority } from '#server/testing/network/tls-client.ts';
import { issueTestCertificate } from '#server/testing/network/test-certificates.ts';
import { type ConnectionLimits, createConnectionLimits } from './connection-limits.ts';
import { createConnectionDrain } from './graceful-shutdown.ts';
import { ListenError } from './listen.ts';
import { addSecureListener } from './secure-listener.ts';

const HOST = '127.0.0.1';
const GET = 'GET /healthz HTTP/1.1\r\nHost: pbb\r\n\r\n';

/** Resolves when the socket is closed, also by a reset. */
const closeOf = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** The real app with http and https. */
async function startTestServer(limits?: ConnectionLimits) {
  const test = await buildTestApp();
  limits?.bind(test.server.server);
  const host = { network: buildHostNetwork('kantor', '192.168.1.10/24') };
  const { source, ca } = createTestAuthority(() => host.network);
  const secure = addSecureListener(test.server, source.current(), limits);
  test.server.get('/test/protocol', async (request) => ({ protocol: request.protocol, ip: request.ip }));
  const release = Promise.withResolvers<void>();
  test.server.get('/test/slow', async () => {
    test.server.server.emit('slow');
    await release.promise;
    return 'answered';
  });
  const drain = createConnectionDrain(test.server.server);
  await test.server.listen({ host: HOST, port: 0 });
  const port = await secure.listen({ host: HOST, port: 0 });
  const address = test.server.server.address();
  const plainPort = typeof address === 'object' && address ? address.port : 0;
  return {
    test,
    host,
    source,
    secure,
    ca,
    port,
    plainPort,
    drain,
    release,
    url: `https://${HOST}:${port}`,
  };
}

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

function connectChat({ url, ca }: TestServer, token: string, origin: string, transports = ['websocket']) {
  const socket = io(`${url}${REALTIME_NAMESPACE}`, {
    auth: { token },
    ca,
    transports,
    forceNew: true,
    reconnection: false,
    extraHeaders: { origin },
  });
  onTestFinished(() => void socket.disconnect());
  const connected = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, connected: withTimeout('a socket over TLS', connected) };
}

describe('addSecureListener', () => {
  it('answers over https as over http, which stays open', async () => {
    const { url, ca, port, plainPort } = await startTestServer();
    for (const origin of [url, `https://localhost:${port}`]) {
      const answer = await fetchSecure(`${origin}/healthz`, ca);
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
      expect(answer.protocol).toBe('TLSv1.3');
    }
    expect(JSON.parse((await fetchSecure(`${url}/test/protocol`, ca)).text)).toEqual({ protocol: 'https', ip: HOST });
    const plain = await fetch(`http://${HOST}:${plainPort}/test/protocol`);
    expect(await plain.json()).toEqual({ protocol: 'http', ip: HOST });
  });

  it('convinces no client without the authority, and refuses TLS versions before 1.2', async () => {
    const { url, port, ca } = await startTestServer();
    await expect(fetchSecure(`${url}/healthz`, '')).rejects.toThrow(/unable to verify|self-signed|local issuer/);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await connectSecure(port, { ca, minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
    }
    await expect(
      connectSecure(port, { ca, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow(/protocol version/);
  });

  it('applies the limits of the HTTP server to https too', async () => {
    const { port, ca } = await startTestServer();
    const invalidRequest = await connectSecure(port, { ca });
    invalidRequest.write('no HTTP at all\r\n\r\n');
    await closeOf(invalidRequest);
    expect(invalidRequest.received()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"Format data tidak valid"/);
    const upgrade = await connectSecure(port, { ca });
    upgrade.write('GET /healthz HTTP/1.1\r\nHost: pbb\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await expect.poll(upgrade.received).toContain('{"status":"ok"}');
  });

  it('closes the oldest of the clients that say nothing when their address has too many', async () => {
    const limits = createConnectionLimits({ max: 100, perAddressMax: 3, isShared: () => false });
    const { url, port, ca } = await startTestServer(limits);
    const silent = [await connectRaw(port), await connectRaw(port), await connectRaw(port)];
    expect((await fetchSecure(`${url}/healthz`, ca)).status).toBe(200);
    await silent[0]?.ended();
    expect(silent.slice(1).map(({ socket }) => socket.closed)).toEqual([false, false]);
  });

  it('closes a client that has not finished its handshake after 20 seconds', async () => {
    const { port } = await startTestServer();
    const setTimeout = vi.spyOn(Socket.prototype, 'setTimeout');
    onTestFinished(() => setTimeout.mockRestore());
    const silent = await connectRaw(port);
    await expect.poll(() => setTimeout.mock.calls).toContainEqual([20_000, expect.any(Function)]);
    const call = setTimeout.mock.calls.findIndex(([ms]) => ms === 20_000);
    const handshakingSocket = setTimeout.mock.contexts[call] as Socket;
    handshakingSocket.emit('timeout');
    await silent.ended();
  });

  it('survives bytes that are not TLS and clients that leave during the handshake', async () => {
    const { url, port, ca } = await startTestServer();
    const plain = await connectRaw(port);
    plain.send(GET);
    await plain.ended();
    const resetConnection = await connectRaw(port);
    resetConnection.send(Buffer.from('16030102000100', 'hex'));
    resetConnection.socket.resetAndDestroy();
    expect((await fetchSecure(`${url}/healthz`, ca)).status).toBe(200);
  });

  it('uses a new certificate from the next handshake on and keeps open connections', async () => {
    const { host, source, secure, url, port, ca } = await startTestServer();
    const before = await fetchSecure(`${url}/healthz`, ca);
    const kept = await connectSecure(port, { ca });
    host.network = buildHostNetwork('kantor', '192.168.1.10/24', '192.168.7.7/24');
    expect(source.refresh()).toBe(true);
    secure.replace(source.current());
    const after = await fetchSecure(`${url}/healthz`, ca);
    expect(after.serial).not.toBe(before.serial);
    kept.write(GET);
    await expect.poll(kept.received).toContain('{"status":"ok"}');
  });

  it.each([['websocket'], ['polling']])('carries the chat over %s', async (transport) => {
    const testServer = await startTestServer();
    const { test, port, url, plainPort } = testServer;
    const user = buildTestUser(test);
    const admin = buildAdmin(test);
    const adminChat = connectChat(testServer, admin.token, url, [transport]);
    await adminChat.connected;
    const arrived = new Promise<Message>((resolve) => adminChat.socket.once('message:new', resolve));
    const sent = await test.call('POST', '/api/messages/send', {
      token: user.token,
      body: { to_user_id: admin.id, content: 'Halo lewat TLS' },
    });
    expect(sent.status).toBe(201);
    expect((await withTimeout('the message', arrived)).content).toBe('Halo lewat TLS');
    // A page of another origin gets no socket; the http address of the same server is another origin.
    for (const origin of ['https://lain.example', `http://${HOST}:${plainPort}`, `https://${HOST}`]) {
      await expect(connectChat(testServer, user.token, origin).connected, origin).rejects.toThrow();
    }
    await connectChat(testServer, user.token, `https://${HOST}:${port}`).connected;
  });
});

describe('certificates for names', () => {
  /** The serial number that a client sees that asks for a name, or for none. */
  async function shownSerial(port: number, servername?: string): Promise<string | undefined> {
    const socket = await connectSecure(port, { servername: servername ?? '', rejectUnauthorized: false });
    const shown = socket.getPeerX509Certificate()?.serialNumber;
    socket.destroy();
    return shown;
  }
  const serialOf = ({ pair }: ReturnType<typeof issueTestCertificate>): string =>
    new X509Certificate(pair.cert).serialNumber;

  it('reach clients that ask for one of these names, the other certificate all else', async () => {
    const { secure, source, port } = await startTestServer();
    const [first, next] = [issueTestCertificate(['pbb.desa.id']), issueTestCertificate(['pbb.desa.id'])];
    const local = new X509Certificate(source.current().cert).serialNumber;
    expect(await shownSerial(port, 'pbb.desa.id')).toBe(local);
    secure.replaceNamed(first.pair, ['pbb.desa.id']);
    expect(await shownSerial(port, 'PBB.desa.id')).toBe(serialOf(first));
    expect(await shownSerial(port, 'lain.desa.id')).toBe(local);
    expect(await shownSerial(port)).toBe(local);
    secure.replaceNamed(next.pair, ['pbb.desa.id']);
    expect(await shownSerial(port, 'pbb.desa.id')).toBe(serialOf(next));
  });

  it('reach everybody where there is no other', async () => {
    const { server } = await buildTestApp();
    const secure = addSecureListener(server, null);
    await server.listen({ host: HOST, port: 0 });
    const first = issueTestCertificate(['pbb.desa.id']);
    secure.replaceNamed(first.pair, ['pbb.desa.id']);
    const port = await secure.listen({ host: HOST, port: 0 });
    const next = issueTestCertificate(['pbb.desa.id']);
    for (const name of ['pbb.desa.id', undefined]) expect(await shownSerial(port, name)).toBe(serialOf(first));
    secure.replaceNamed(next.pair, ['pbb.desa.id']);
    for (const name of ['pbb.desa.id', undefined]) expect(await shownSerial(port, name)).toBe(serialOf(next));
  });

  it('open no port of a server that closes', async () => {
    const { server } = await buildTestApp();
    const secure = addSecureListener(server, issueTestCertificate(['pbb.desa.id']).pair);
    await server.listen({ host: HOST, port: 0 });
    await server.close();
    expect(await secure.listen({ host: HOST, port: 0 })).toBe(0);
  });
});

describe('a TLS port in use', () => {
  it('makes an error line that names TLS_PORT', async () => {
    const test = await buildTestApp();
    const secure = addSecureListener(test.server, createTestAuthority().source.current());
    const other = createServer().listen(0, HOST);
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const refused = await secure.listen({ host: HOST, port }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ListenError);
    expect(String(refused)).toContain(`TLS_PORT: ${port} sudah dipakai program lain; yang diterima: `);
    await expect(secure.listen({ host: '203.0.113.1', port: 0 })).rejects.toThrow(
      /^HOST: "203\.0\.113\.1" bukan alamat/,
    );
  });
});

describe('closing the app with https', () => {
  it('answers requests in flight and closes idle connections and unfinished handshakes', async () => {
    const { test, drain, release, port, ca } = await startTestServer();
    const busy = await connectSecure(port, { ca });
    const arrived = once(test.server.server, 'slow');
    busy.write('GET /test/slow HTTP/1.1\r\nHost: pbb\r\n\r\n');
    await withTimeout('the request', arrived);
    const idle = await connectSecure(port, { ca });
    idle.write(GET);
    await expect.poll(idle.received).toContain('{"status":"ok"}');
    const silent = await connectSecure(port, { ca });
    const handshakingSocket = connect(port, HOST);
    await once(handshakingSocket, 'connect');
    handshakingSocket.on('error', () => undefined).resume();
    // The first half of a client hello: the server waits for the rest.
    handshakingSocket.write(Buffer.from('160301020001', 'hex'));
    const ends = [idle, silent, handshakingSocket].map(closeOf);

    const stopDraining = drain(4000);
    const closed = test.server.close().then(stopDraining);
    await withTimeout('the others to be ended', Promise.all(ends));
    await expect(connectRaw(port)).rejects.toThrow(/ECONNREFUSED/);
    const done = closeOf(busy);
    release.resolve();
    await withTimeout('the end of the busy one', done);
    expect(busy.received()).toContain('answered');
    await withTimeout('the app to close', closed);
  });

  it('closes chat sockets over TLS and a request that never finishes', async () => {
    const testServer = await startTestServer();
    const { test, drain, port, ca } = testServer;
    const { socket, connected } = connectChat(testServer, buildTestUser(test).token, testServer.url);
    await connected;
    const stuck = await connectSecure(port, { ca });
    stuck.write('POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nContent-Length: 50\r\n\r\n{');
    const ends = [closeOf(stuck), new Promise((resolve) => socket.once('disconnect', resolve))];
    const stopDraining = drain(200);
    await withTimeout('the app to close', test.server.close());
    stopDraining();
    await withTimeout('both to be ended', Promise.all(ends));
  });
});
