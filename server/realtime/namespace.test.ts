import { connect as connectTcp } from 'node:net';
import { once } from 'node:events';
import { io } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { listen, openTab, connectErrorMessage } from '#server/testing/sockets.ts';
import { createProxyTrust } from '#server/http/trusted-proxies.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { isAllowedOrigin } from './namespace.ts';

describe('the handshake', () => {
  it.each([
    ['no token', {}],
    ['an empty token', { token: '' }],
    ['a token that is none', { token: 'x.y.z' }],
    ['a token that is no text', { token: { toString: 'x' } }],
    ['a list', { token: ['x'] }],
    ['nothing', { token: null }],
    ['a huge token', { token: 'x'.repeat(10_000) }],
    ['a prototype', JSON.parse('{"__proto__":{"token":"x"},"constructor":{}}') as Record<string, unknown>],
  ])('refuses %s', async (_name, auth) => {
    const test = await buildTestApp();
    expect(await connectErrorMessage(test, auth)).toBe('unauthorized');
    expect(await connectErrorMessage(test, auth, { transports: ['polling'] })).toBe('unauthorized');
  });

  it('refuses a token of an ended session or an inactive account, with another secret, or expired', async () => {
    const test = await buildTestApp();
    const [budi, siti] = [buildTestUser(test), buildTestUser(test, { isActive: false })];
    expect(await connectErrorMessage(test, { token: siti.token })).toBe('unauthorized');
    expect(await connectErrorMessage(test, { token: `${budi.token.slice(0, -4)}AAAA` })).toBe('unauthorized');
    test.clock.advance(31 * 24 * 60 * 60 * 1000);
    expect(await connectErrorMessage(test, { token: budi.token })).toBe('unauthorized');
    test.clock.set('2026-06-10T05:00:00.000Z');
    await openTab(test, budi);
    test.database.sqlite.prepare('delete from sessions where id = ?').run(budi.sessionId);
    expect(await connectErrorMessage(test, { token: budi.token })).toBe('unauthorized');
  });

  it('offers no other way in: neither the default namespace, nor an unknown one, nor the query', async () => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test);
    const url = await listen(test);
    const reasonOf = async (path: string, options: object): Promise<string> => {
      const socket = io(`${url}${path}`, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        ...options,
      });
      try {
        return await withTimeout(
          'a refusal',
          new Promise<string>((resolve, reject) => {
            socket.once('connect_error', ({ message }) => resolve(message));
            socket.once('connect', () => reject(new Error('it was let in')));
          }),
        );
      } finally {
        socket.disconnect();
      }
    };
    expect(await reasonOf('/', { auth: { token } })).toBe('unauthorized');
    expect(await reasonOf('/admin', { auth: { token } })).toBe('Invalid namespace');
    expect(await reasonOf('/chat', { query: { token } })).toBe('unauthorized');
    expect(await reasonOf('/chat', { extraHeaders: { authorization: `Bearer ${token}` } })).toBe('unauthorized');
  });

  it('refuses a foreign origin before it checks the token', async () => {
    const test = await buildTestApp({
      settings: {
        timeZone: 'Asia/Jakarta',
        corsOrigins: ['https://pbb.example.id'],
        trustedProxies: null,
        rateLimits: true,
      },
    });
    const budi = buildTestUser(test);
    const url = await listen(test);
    for (const origin of ['https://jahat.example', 'null', 'http://127.0.0.1:1', `${url}.jahat.example`]) {
      const headers = { origin };
      expect(await connectErrorMessage(test, { token: budi.token }, { headers })).toBe('websocket error');
      expect(await connectErrorMessage(test, { token: budi.token }, { headers, transports: ['polling'] })).toBe(
        'xhr poll error',
      );
      const answer = await fetch(`${url}/socket.io/?EIO=4&transport=polling`, { headers });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).not.toBe(origin);
    }
    for (const origin of [url, 'https://pbb.example.id']) {
      await openTab(test, budi, { headers: { origin } });
      await openTab(test, budi, { headers: { origin }, transports: ['polling'] });
    }
  });
});

describe('isAllowedOrigin', () => {
  const none = { corsOrigins: [], isTrustedProxy: () => false };
  it.each([
    [{ host: 'pbb.id' }, none, true],
    [{ host: 'pbb.id', origin: 'https://pbb.id' }, none, true],
    [{ host: 'PBB.id:3000', origin: 'http://pbb.id:3000' }, none, true],
    [{ host: 'pbb.id', origin: 'https://pbb.id:444' }, none, false],
    [{ host: 'pbb.id', origin: 'https://pbb.id.jahat.id' }, none, false],
    [{ host: 'pbb.id', origin: 'https://pbb.id@jahat.id' }, none, false],
    [{ host: 'pbb.id', origin: 'null' }, none, false],
    [{ host: 'pbb.id', origin: '' }, none, false],
    [{ origin: 'https://pbb.id' }, none, false],
    [{ host: 'dalam:3000', 'x-forwarded-host': 'pbb.id', origin: 'https://pbb.id' }, none, false],
    [
      { host: 'dalam:3000', 'x-forwarded-host': 'pbb.id, lain', origin: 'https://pbb.id' },
      { corsOrigins: [], isTrustedProxy: createProxyTrust([]) },
      true,
    ],
    [{ host: 'pbb.id', origin: 'https://lain.id' }, { ...none, corsOrigins: ['https://lain.id'] }, true],
  ])('decides for headers %j with settings %j: %s', (headers, settings, expected) => {
    expect(isAllowedOrigin({ headers, socket: { remoteAddress: '::1' } }, settings)).toBe(expected);
  });
});

describe('closing', () => {
  it('closes open sockets like a lost connection, so that clients reconnect by themselves', async () => {
    const test = await buildTestApp();
    const [budi, ratna] = [buildTestUser(test), buildAdmin(test)];
    const tabs = [
      await openTab(test, budi),
      await openTab(test, ratna),
      await openTab(test, budi, { transports: ['polling'] }),
      await openTab(test, budi, { transports: ['polling', 'websocket'] }),
    ];
    await withTimeout('the server to close', test.server.close());
    for (const tab of tabs) {
      expect(await tab.ended()).not.toBe('io server disconnect');
      expect(tab.payloadsOf('session:ended')).toEqual([]);
    }
  });

  it('does not wait for a client that no longer answers', async () => {
    const test = await buildTestApp();
    const { port } = new URL(await listen(test));
    const phone = connectTcp(Number(port), '127.0.0.1');
    phone.write(
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const [hello] = (await withTimeout('the upgrade', once(phone, 'data'))) as [Buffer];
    expect(hello.toString()).toContain('101 Switching Protocols');
    // It reads no more and answers nothing, like a phone without a network.
    phone.pause();
    await withTimeout('the server to close', test.server.close());
    phone.destroy();
  });

  it('accepts no new socket meanwhile', async () => {
    const test = await buildTestApp();
    const tab = await openTab(test, buildTestUser(test));
    const url = await listen(test);
    const closing = test.server.close();
    await tab.ended();
    const handshake = fetch(`${url}/socket.io/?EIO=4&transport=polling`);
    expect([403, 'no connection']).toContain(await handshake.then(({ status }) => status).catch(() => 'no connection'));
    await withTimeout('the server to close', closing);
  });
});
