import { describe, expect, it } from 'vitest';
import { connectRaw } from '#server/testing/network/raw-http.ts';
import { connectSecure, createTestAuthority } from '#server/testing/network/tls-client.ts';
import { buildPublicSite, type TestSite } from '#server/testing/network/public-site.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { addSecureListener } from '../listen/secure-listener.ts';

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA';

async function buildPublicApp(fields: Partial<TestSite> = {}) {
  const certificate = { port: 443 as number | null, lacks: '' };
  const test = await buildTestApp({
    // As with TRUST_PROXY=on: a proxy on this computer may say that a request came over https.
    settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: [], rateLimits: true },
    publicSite: buildPublicSite({
      challengeFor: async (token) => (token === TOKEN ? `${TOKEN}.thumbprint` : null),
      securePort: (domain) => (domain === certificate.lacks ? null : certificate.port),
      ...fields,
    }),
  });
  /** @returns where a request is led; the status when it is answered at once */
  const follow = async (host: string, url = '/', headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await test.call(method, url, { headers: { host, ...headers } });
    return answer.status === 308 ? answer.headers['location'] : answer.status;
  };
  return { test, follow, certificate };
}

describe('a public name over http', () => {
  it('leads to https with the same path, however the name is written', async () => {
    const { follow, certificate, test } = await buildPublicApp();
    expect(await follow('pbb.desa.id', '/admin/chat?u=1&x=%2F')).toBe('https://pbb.desa.id/admin/chat?u=1&x=%2F');
    expect(await follow('PBB.Desa.ID.:80')).toBe('https://pbb.desa.id/');
    expect(await follow('www.pbb.desa.id:8080', '/api/auth/login', {}, 'POST')).toBe(
      'https://www.pbb.desa.id/api/auth/login',
    );
    certificate.port = 8443;
    expect(await follow('pbb.desa.id', '/x')).toBe('https://pbb.desa.id:8443/x');
    const { headers } = await test.call('GET', '/', { headers: { host: 'pbb.desa.id' } });
    // An operator may give the name up again.
    expect(headers['cache-control']).toBe('no-store');
  });

  it('leads nowhere else, whatever the request names', async () => {
    const { follow, test } = await buildPublicApp();
    expect(await follow('pbb.desa.id', '//jahat.example/x')).toBe('https://pbb.desa.id//jahat.example/x');
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    const address = test.server.server.address();
    const connection = await connectRaw(typeof address === 'object' && address ? address.port : 0);
    connection.send('GET http://.jahat.example/x HTTP/1.1\r\nHost: pbb.desa.id\r\n\r\n');
    expect((await connection.answer()).headers.get('location')).toBe('https://pbb.desa.id/');
    expect(await follow('jahat.example', '/', { 'x-forwarded-host': 'pbb.desa.id' })).toBe('https://pbb.desa.id/');
  });

  it.each([
    '192.168.1.10',
    '192.168.1.10:3000',
    '[fd00::5]:3000',
    'localhost:3000',
    'kantor.local',
    'desa.id',
    'x.pbb.desa.id',
    'pbb.desa.id.jahat.example',
    '203.0.113.7',
  ])('differs from %s, which stays on http', async (host) => {
    expect(await (await buildPublicApp()).follow(host)).toBe(200);
  });

  it('stays on http until there is a certificate for it', async () => {
    const { follow, certificate } = await buildPublicApp();
    certificate.port = null;
    expect(await follow('pbb.desa.id')).toBe(200);
    certificate.port = 443;
    certificate.lacks = 'www.pbb.desa.id';
    expect(await follow('pbb.desa.id')).toBe('https://pbb.desa.id/');
    expect(await follow('www.pbb.desa.id')).toBe(200);
  });

  it('answers the health check and challenges there, to every host', async () => {
    const { follow, test } = await buildPublicApp();
    expect(await follow('pbb.desa.id', '/healthz?x')).toBe(200);
    expect(await follow('pbb.desa.id', '/healthz/x')).toBe('https://pbb.desa.id/healthz/x');
    for (const host of ['pbb.desa.id', '203.0.113.7']) {
      const answer = await test.call('GET', `/.well-known/acme-challenge/${TOKEN}`, { headers: { host } });
      expect([answer.status, answer.raw.toString()]).toEqual([200, `${TOKEN}.thumbprint`]);
      expect(answer.headers['content-type']).toBe('application/octet-stream');
      expect(await follow(host, '/.well-known/acme-challenge/lain')).toBe(404);
    }
  });

  it('does not exist without the setting: nothing is led away, and challenges have no path', async () => {
    const test = await buildTestApp();
    const client = await test.call('GET', '/whatever');
    const headers = { host: 'pbb.desa.id' };
    const answers = [
      await test.call('GET', '/', { headers }),
      await test.call('GET', `/.well-known/acme-challenge/${TOKEN}`, { headers }),
    ];
    for (const answer of answers) expect([answer.status, answer.raw]).toEqual([200, client.raw]);
  });
});

describe('HSTS', () => {
  const proxied = { 'x-forwarded-proto': 'https' };
  const header = async (hsts: boolean, host: string, url: string, headers: Record<string, string>) =>
    (await (await buildPublicApp({ hsts })).test.call('GET', url, { headers: { host, ...headers } })).headers[
      'strict-transport-security'
    ];

  it('stands only in answers of public names over https, and only when it is asked for', async () => {
    expect(await header(true, 'pbb.desa.id', '/', proxied)).toBe('max-age=15552000');
    expect(await header(true, 'pbb.desa.id', '/api/auth/user', proxied)).toBe('max-age=15552000');
    expect(await header(true, 'pbb.desa.id', '/', {})).toBeUndefined();
    expect(await header(true, '192.168.1.10:3443', '/', proxied)).toBeUndefined();
    expect(await header(false, 'pbb.desa.id', '/', proxied)).toBeUndefined();
  });

  it('comes over real https, where nothing is led elsewhere', async () => {
    const { test, certificate } = await buildPublicApp({ hsts: true });
    const { source, ca } = createTestAuthority();
    const secure = addSecureListener(test.server, source.current());
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    certificate.port = await secure.listen({ host: '127.0.0.1', port: 0 });
    const socket = await connectSecure(certificate.port, { ca });
    socket.write('GET /healthz HTTP/1.1\r\nHost: pbb.desa.id\r\nConnection: close\r\n\r\n');
    await expect.poll(() => socket.received()).toContain('{"status":"ok"}');
    expect(socket.received()).toMatch(/^HTTP\/1\.1 200 [^]*strict-transport-security: max-age=15552000\r\n/i);
  });
});
