import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildAdmin } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { createTestAuthority } from '#server/testing/network/tls-client.ts';

async function buildTrustApp(
  addresses = ['http://192.168.1.10:3000'],
  secureAddresses = ['https://192.168.1.10:3443'],
) {
  const { source, ca } = createTestAuthority();
  const network = () => ({ addresses, secureAddresses, hasLocalAuthority: true });
  let renders = 0;
  const authority = source.authority && {
    ...source.authority,
    // Every page shows it once.
    get thumbprint() {
      renders += 1;
      return source.authority?.thumbprint ?? '';
    },
  };
  const test = await buildTestApp({ network, localAuthority: authority });
  const page = async (headers: Record<string, string> = {}): Promise<string> => {
    const answer = await test.call('GET', '/percaya', { headers: { host: '192.168.1.10:3000', ...headers } });
    expect(answer.status).toBe(200);
    return answer.raw.toString();
  };
  return { test, certificate: new X509Certificate(ca), page, renders: () => renders };
}
const ledTo = (html: string): string | undefined => /<p class="address">([^<]*)</.exec(html)?.[1];

const openGuides = (html: string): string[] =>
  [...html.matchAll(/<details id="(\w+)" open>/g)].map(([, id = '']) => id);

describe('the trust page', () => {
  it('explains without a session how to trust the authority, and links to the https address', async () => {
    const { certificate, page, test } = await buildTrustApp();
    const html = await page();
    expect(html).toContain('<html lang="id">');
    for (const device of ['android', 'iphone', 'windows', 'mac', 'firefox']) expect(html).toContain(`id="${device}"`);
    expect(html).toContain('PBB Kita – kantor');
    expect(html.replaceAll('<wbr>', '')).toContain(certificate.fingerprint256);
    expect(html.replaceAll('<wbr>', '')).toContain(certificate.fingerprint);
    expect(html).toContain('<a href="https://192.168.1.10:3443">');
    expect(html).toContain('href="/ca.crt"');
    expect(html).toContain('href="/ca.mobileconfig"');
    expect(html).toMatch(/alamat <b>http<\/b> yang biasa tetap\s+dapat dipakai/);
    const { headers } = await test.call('GET', '/percaya');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect((await test.call('HEAD', '/percaya')).status).toBe(200);
  });

  it('names the office, without letting its name become markup', async () => {
    const { page, test } = await buildTrustApp();
    expect(await page()).toContain('<p class="brand">PBB Kita</p>');
    const body = { name: 'Desa <b>Sukamaju</b>' };
    await test.call('PUT', '/api/admin/office-identity', { token: buildAdmin(test).token, body });
    test.clock.advance(15_000);
    const html = await page();
    expect(html).not.toContain('<b>Sukamaju');
    expect(html).toMatch(/<p class="brand">PBB Kita · Desa &[^<]*Sukamaju/);
  });

  it('contains no script and no external files', async () => {
    const { page } = await buildTrustApp();
    const html = await page();
    expect(html).not.toMatch(/<script|<link(?! rel="icon" href="data:,")|<img|@import|url\(/);
    const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
    for (const target of targets) expect(target).toMatch(/^(\/|data:,|https:\/\/192\.168\.1\.10:3443$)/);
  });

  it.each([
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', ['android']],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', ['iphone']],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', ['windows']],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', ['mac']],
    ['curl/8', []],
  ])('opens the steps for the device with the user agent %s', async (agent, expected) => {
    const { page } = await buildTrustApp();
    expect(openGuides(await page({ 'user-agent': agent }))).toEqual(expected);
  });

  it('shows other devices the address in use, or one that they can reach', async () => {
    const { page } = await buildTrustApp();
    const led = async (host: string) => ledTo(await page({ host }));
    expect(await led('10.0.0.5:3000')).toBe('http://10.0.0.5:3000/percaya');
    expect(await led('kantor.local:3000')).toBe('http://kantor.local:3000/percaya');
    const tooLong = ['x'.repeat(261), 'x'.repeat(10_000)];
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', '"><script>', 'a b', ...tooLong]) {
      expect(await led(host), host).toBe('http://192.168.1.10:3000/percaya');
    }
    const alone = await buildTrustApp([], []);
    const html = await alone.page({ host: 'localhost:3000' });
    expect(html).not.toContain('<svg');
    expect(html).toContain('Komputer server belum terhubung ke jaringan.');
  });
});

describe('the trust page for many strangers', () => {
  it('renders once in 15 seconds for a device and a host', async () => {
    const { test, page, renders } = await buildTrustApp();
    for (let count = 0; count < 5; count += 1) await page();
    expect(renders()).toBe(1);
    await page({ 'user-agent': 'Android' });
    await page({ host: 'kantor.local:3000' });
    expect(renders()).toBe(3);
    test.clock.advance(14_999);
    await page();
    expect(renders()).toBe(3);
    test.clock.advance(1);
    await page();
    expect(renders()).toBe(4);
  });

  it('renders for twenty hosts at most; others get the own address of the server', async () => {
    const { test, page, renders } = await buildTrustApp();
    for (let host = 0; host < 100; host += 1) await page({ host: `${host}.local` });
    expect(renders()).toBe(21);
    expect(ledTo(await page({ host: '19.local' }))).toBe('http://19.local/percaya');
    expect(ledTo(await page({ host: '20.local' }))).toBe('http://192.168.1.10:3000/percaya');
    test.clock.advance(15_000);
    expect(ledTo(await page({ host: '20.local' }))).toBe('http://20.local/percaya');
  });

  it('compresses when it renders, and never anew', async () => {
    const { test } = await buildTrustApp();
    const ask = (headers: Record<string, string>) => test.call('GET', '/percaya', { headers });
    const { headers } = await ask({ 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    for (const encoding of ['*', 'x-gzip'])
      expect((await ask({ 'accept-encoding': encoding })).headers['content-encoding']).toBeUndefined();
    expect((await ask({ 'if-none-match': String(headers['etag']) })).status).toBe(304);
  });
});

describe('the certificate of the authority', () => {
  it('arrives in the format that devices install, without its key', async () => {
    const { test, certificate } = await buildTrustApp();
    const { status, headers, raw } = await test.call('GET', '/ca.crt');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/x-x509-ca-cert');
    expect(headers['content-disposition']).toBe('attachment; filename="pbb-kita-ca.crt"');
    expect(new X509Certificate(raw).fingerprint256).toBe(certificate.fingerprint256);
  });

  it('arrives as a profile for iPhones with constant ids', async () => {
    const { test, certificate } = await buildTrustApp();
    const { headers, raw } = await test.call('GET', '/ca.mobileconfig');
    expect(headers['content-type']).toBe('application/x-apple-aspen-config');
    const text = raw.toString();
    const [, data = ''] = /<data>([^<]*)<\/data>/.exec(text) ?? [];
    expect(new X509Certificate(Buffer.from(data, 'base64')).fingerprint256).toBe(certificate.fingerprint256);
    expect(text).toContain('<string>com.apple.security.root</string>');
    const ids = [...text.matchAll(/<key>PayloadUUID<\/key><string>([^<]*)</g)].map(([, id = '']) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
    expect((await test.call('GET', '/ca.mobileconfig')).raw.equals(raw)).toBe(true);
  });

  it('does not exist without a local authority: its paths belong to the client then', async () => {
    const network = () => ({ addresses: [], secureAddresses: [], hasLocalAuthority: false });
    const test = await buildTestApp({ network, localAuthority: null });
    const client = await test.call('GET', '/');
    for (const path of ['/percaya', '/ca.crt', '/ca.mobileconfig']) {
      const answer = await test.call('GET', path);
      expect([path, answer.status, answer.raw.toString()]).toEqual([path, 200, client.raw.toString()]);
    }
  });
});
