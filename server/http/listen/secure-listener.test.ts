import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { io } from 'socket.io-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHAT_NAMESPACE } from '#shared/chat-events.ts';
import type { Message } from '#shared/api/chat.ts';
import { buildAdmin, buildPerson } from '#server/testing/factories.ts';
import { connectRaw } from '#server/testing/raw-http.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { within } from '#server/testing/within.ts';
import { machineWith } from '#server/operations/tls/testing/machine.ts';
import { connectSecure, fetchSecure, openAuthority } from '#server/operations/tls/testing/secure-office.ts';
import { createDrain } from './connections.ts';
import { ListenError } from './listen.ts';
import { addSecureListener } from './secure-listener.ts';

const HOST = '127.0.0.1';
const GET = 'GET /healthz HTTP/1.1\r\nHost: pbb\r\n\r\n';
const POLL = { timeout: 10_000 };

/** However it came: a reset is an end like any other. */
const endOf = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** The real app with both doors open. */
async function open() {
  const test = await buildTestApp();
  const at = { machine: machineWith('kantor', '192.168.1.10/24') };
  const { source, ca } = openAuthority(() => at.machine);
  const secure = addSecureListener(test.server, source.current());
  test.server.get('/test/protocol', async (request) => ({ protocol: request.protocol, ip: request.ip }));
  const gate = Promise.withResolvers<void>();
  test.server.get('/test/slow', async () => {
    test.server.server.emit('slow');
    await gate.promise;
    return 'answered';
  });
  const drain = createDrain(test.server.server);
  await test.server.listen({ host: HOST, port: 0 });
  const port = await secure.listen({ host: HOST, port: 0 });
  const address = test.server.server.address();
  const plainPort = typeof address === 'object' && address ? address.port : 0;
  return { test, at, source, secure, ca, port, plainPort, drain, gate, url: `https://${HOST}:${port}` };
}

type Open = Awaited<ReturnType<typeof open>>;

function chat({ url, ca }: Open, token: string, origin: string, transports = ['websocket']) {
  const socket = io(`${url}${CHAT_NAMESPACE}`, {
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
  return { socket, connected: within('a socket over TLS', connected) };
}

describe('https', () => {
  it('answers as http does, which goes on beside it', async () => {
    const { url, ca, port, plainPort } = await open();
    for (const origin of [url, `https://localhost:${port}`]) {
      const answer = await fetchSecure(`${origin}/healthz`, ca);
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
      expect(answer.protocol).toBe('TLSv1.3');
    }
    expect(JSON.parse((await fetchSecure(`${url}/test/protocol`, ca)).text)).toEqual({ protocol: 'https', ip: HOST });
    const plain = await fetch(`http://${HOST}:${plainPort}/test/protocol`);
    expect(await plain.json()).toEqual({ protocol: 'http', ip: HOST });
  });

  it('is refused by whoever was not told to trust it, and by no one for its age of TLS but the old', async () => {
    const { url, port, ca } = await open();
    await expect(fetchSecure(`${url}/healthz`, '')).rejects.toThrow(/unable to verify|self-signed|local issuer/);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await connectSecure(port, { ca, minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
    }
    await expect(
      connectSecure(port, { ca, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow(/protocol version/);
  });

  it('keeps the limits of the one server behind both doors', async () => {
    const { port, ca } = await open();
    const noise = await connectSecure(port, { ca });
    noise.write('no HTTP at all\r\n\r\n');
    await endOf(noise);
    expect(noise.heard()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"Format data tidak valid"/);
    const upgrade = await connectSecure(port, { ca });
    upgrade.write('GET /healthz HTTP/1.1\r\nHost: pbb\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await expect.poll(upgrade.heard, POLL).toContain('{"status":"ok"}');
  });

  it('shrugs off what is no TLS, and who leaves in the middle', async () => {
    const { url, port, ca } = await open();
    const plain = await connectRaw(port);
    plain.send(GET);
    await plain.ended();
    const gone = await connectRaw(port);
    gone.send(Buffer.from('16030102000100', 'hex'));
    gone.socket.resetAndDestroy();
    expect((await fetchSecure(`${url}/healthz`, ca)).status).toBe(200);
  });

  it('shows a new certificate from the next handshake on, and whoever is connected stays so', async () => {
    const { at, source, secure, url, port, ca } = await open();
    const before = await fetchSecure(`${url}/healthz`, ca);
    const kept = await connectSecure(port, { ca });
    at.machine = machineWith('kantor', '192.168.1.10/24', '192.168.7.7/24');
    expect(source.refresh()).toBe(true);
    secure.replace(source.current());
    const after = await fetchSecure(`${url}/healthz`, ca);
    expect(after.serial).not.toBe(before.serial);
    kept.write(GET);
    await expect.poll(kept.heard, POLL).toContain('{"status":"ok"}');
  });

  it.each([['websocket'], ['polling']])('carries the chat: %s', async (transport) => {
    const office = await open();
    const { test, port, url, plainPort } = office;
    const resident = buildPerson(test);
    const admin = buildAdmin(test);
    const atDesk = chat(office, admin.token, url, [transport]);
    await atDesk.connected;
    const arrived = new Promise<Message>((resolve) => atDesk.socket.once('message:new', resolve));
    const sent = await test.call('POST', '/api/messages/send', {
      token: resident.token,
      body: { to_user_id: admin.id, content: 'Halo lewat TLS' },
    });
    expect(sent.status).toBe(201);
    expect((await within('the message', arrived)).content).toBe('Halo lewat TLS');
    // A page of another origin gets no socket, not even one of our own http door.
    for (const origin of ['https://lain.example', `http://${HOST}:${plainPort}`, `https://${HOST}`]) {
      await expect(chat(office, resident.token, origin).connected, origin).rejects.toThrow();
    }
    await chat(office, resident.token, `https://${HOST}:${port}`).connected;
  });
});

describe('a port that cannot be had', () => {
  it('is a line that names TLS_PORT', async () => {
    const test = await buildTestApp();
    const secure = addSecureListener(test.server, openAuthority().source.current());
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

describe('closing', () => {
  it('answers what is in flight over https, and ends whoever is idle, silent or in the middle of a handshake', async () => {
    const { test, drain, gate, port, ca } = await open();
    const busy = await connectSecure(port, { ca });
    const arrived = once(test.server.server, 'slow');
    busy.write('GET /test/slow HTTP/1.1\r\nHost: pbb\r\n\r\n');
    await within('the request', arrived);
    const idle = await connectSecure(port, { ca });
    idle.write(GET);
    await expect.poll(idle.heard, POLL).toContain('{"status":"ok"}');
    const silent = await connectSecure(port, { ca });
    const shaking = connect(port, HOST);
    await once(shaking, 'connect');
    shaking.on('error', () => undefined).resume();
    // The first half of a greeting: the server waits for the rest.
    shaking.write(Buffer.from('160301020001', 'hex'));
    const ends = [idle, silent, shaking].map(endOf);

    const stopDraining = drain(4000);
    const closed = test.server.close().then(stopDraining);
    await within('the others to be ended', Promise.all(ends));
    await expect(connectRaw(port)).rejects.toThrow(/ECONNREFUSED/);
    const done = endOf(busy);
    gate.resolve();
    await within('the end of the busy one', done);
    expect(busy.heard()).toContain('answered');
    await within('the app to close', closed);
  });

  it('ends a chat over TLS and a request that never finishes', async () => {
    const office = await open();
    const { test, drain, port, ca } = office;
    const { socket, connected } = chat(office, buildPerson(test).token, office.url);
    await connected;
    const stuck = await connectSecure(port, { ca });
    stuck.write('POST /api/auth/login HTTP/1.1\r\nHost: pbb\r\nContent-Length: 50\r\n\r\n{');
    const ends = [endOf(stuck), new Promise((resolve) => socket.once('disconnect', resolve))];
    const stopDraining = drain(200);
    await within('the app to close', test.server.close());
    stopDraining();
    await within('both to be ended', Promise.all(ends));
  });
});
