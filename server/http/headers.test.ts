import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { buildTestApp } from '#server/testing/test-app.ts';
import { registerCors } from './headers.ts';

const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true };

function parsePolicy(header: unknown): Map<string, string[]> {
  const directives = String(header)
    .split(';')
    .map((text) => text.trim().split(' '));
  return new Map(directives.map(([name = '', ...values]) => [name, values]));
}

describe('the security headers', () => {
  it.each(['/', '/api/docs', '/healthz', '/assets/none.js'])('protect every page and file: %s', async (url) => {
    const test = await buildTestApp();
    const { headers } = await test.call('GET', url, { headers: { host: 'pajak.local:3000' } });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
    });
    const policy = parsePolicy(headers['content-security-policy']);
    expect(policy.get('default-src')).toEqual(["'self'"]);
    expect(policy.get('object-src')).toEqual(["'none'"]);
    expect(policy.get('frame-ancestors')).toEqual(["'self'"]);
    expect(policy.get('connect-src')).toEqual(["'self'", 'ws://pajak.local:3000', 'wss://pajak.local:3000']);
    // Only own script files run, and http addresses are not turned into https.
    expect(policy.has('script-src')).toBe(false);
    expect(policy.has('upgrade-insecure-requests')).toBe(false);
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['server']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it.each(['/api/auth/user', '/api/nothing', '/api/%ff/x'])(
    'forbid all content in an answer of the API: %s',
    async (url) => {
      const test = await buildTestApp();
      const { headers } = await test.call('GET', url);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(parsePolicy(headers['content-security-policy']).get('default-src')).toEqual(["'none'"]);
      expect(headers['server']).toBeUndefined();
      expect(headers['x-powered-by']).toBeUndefined();
    },
  );

  it.each(["x; script-src 'unsafe-inline'", 'a,b', "evil.example 'unsafe-eval'", '*'])(
    'ignore an invalid Host header: "%s"',
    async (host) => {
      const test = await buildTestApp();
      const answer = await test.call('GET', '/', { headers: { host } });
      expect(answer.status).toBe(200);
      const policy = parsePolicy(answer.headers['content-security-policy']);
      expect(policy.get('connect-src')).toEqual(["'self'", "'self'"]);
      expect(policy.has('script-src')).toBe(false);
    },
  );

  it('forbid caching of answers of the API and of the health check', async () => {
    const test = await buildTestApp();
    for (const url of ['/api/auth/user', '/api/nothing', '/api/%ff', '/healthz']) {
      expect((await test.call('GET', url)).headers['cache-control'], url).toBe('no-store');
    }
  });
});

describe('without CORS_ORIGIN', () => {
  it('sends no CORS header, and answers a preflight as an unknown path', async () => {
    const test = await buildTestApp();
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await test.call(method, '/api/auth/user', {
        headers: { origin: 'https://lain.example', 'access-control-request-method': 'GET' },
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.status).toBe(method === 'GET' ? 401 : 404);
    }
  });
});

describe('with CORS_ORIGIN', () => {
  it('sends CORS headers to these origins only', async () => {
    const allowed = ['https://pajak.example', 'http://10.0.0.5:8080'];
    const test = await buildTestApp({ settings: { ...settings, corsOrigins: allowed } });
    const callFrom = (origin?: string) => test.call('GET', '/api/auth/user', { headers: origin ? { origin } : {} });
    for (const origin of allowed) {
      expect((await callFrom(origin)).headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    }
    for (const origin of [
      'https://lain.example',
      'https://pajak.example.evil.id',
      'http://pajak.example',
      'null',
      undefined,
    ]) {
      const { headers } = await callFrom(origin);
      expect(headers['access-control-allow-origin'], origin).toBeUndefined();
      expect(headers['access-control-allow-credentials'], origin).toBeUndefined();
    }
    const page = await test.call('GET', '/', { headers: { origin: 'https://pajak.example' } });
    expect(String(page.headers['vary']).toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['origin', 'accept-encoding']),
    );
  });

  async function preflight(method: string, url: string, origin = 'https://pajak.example') {
    const test = await buildTestApp({ settings: { ...settings, corsOrigins: ['https://pajak.example'] } });
    return test.call('OPTIONS', url, {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });
  }

  it.each([
    ['GET', '/api/auth/user'],
    ['POST', '/api/auth/login'],
    ['PUT', '/api/tax-records/1'],
    ['DELETE', '/api/tax-records/1'],
    ['GET', '/uploads/x.png'],
  ])('allows a preflight for %s %s with a token', async (method, url) => {
    const { status, headers, raw } = await preflight(method, url);
    expect([status, raw.toString()]).toEqual([204, '']);
    expect(headers['access-control-allow-origin']).toBe('https://pajak.example');
    expect(String(headers['access-control-allow-methods']).split(', ')).toContain(method);
    expect(headers['access-control-allow-headers']).toBe('authorization,content-type');
    expect(headers['access-control-max-age']).toBe('600');
  });

  it('allows no preflight of another origin', async () => {
    const { headers } = await preflight('PUT', '/api/tax-records/1', 'https://lain.example');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('lets pages read when to try again, the id of a request and the name of a download', async () => {
    const test = await buildTestApp({ settings: { ...settings, corsOrigins: ['https://pajak.example'] } });
    const { headers } = await test.call('GET', '/api/auth/user', { headers: { origin: 'https://pajak.example' } });
    expect(headers['access-control-expose-headers']).toBe('retry-after, x-request-id, content-disposition');
  });

  it('answers an OPTIONS request that is no preflight without an English text', async () => {
    const test = await buildTestApp({ settings: { ...settings, corsOrigins: ['https://pajak.example'] } });
    expect((await test.call('OPTIONS', '/api/x')).raw.toString()).toBe('');
  });

  it('registers nothing for an empty list of origins', async () => {
    const app = Fastify();
    await registerCors(app, []);
    const { statusCode } = await app.inject({
      method: 'OPTIONS',
      url: '/api/x',
      headers: { origin: 'https://a.example' },
    });
    expect(statusCode).toBe(404);
  });
});
