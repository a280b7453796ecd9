import { createHmac, hkdfSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { createLinkSigner } from './signed-links.ts';

const NOW = Date.parse('2026-06-10T05:00:00.000Z');
const SECRET = 'a-secret-of-the-installation-0123456789';
const buildSigner = (purpose = 'pbb-kita/test/1', secret = SECRET) =>
  createLinkSigner({ secret, now: () => NOW }, purpose);

it('signs with HMAC-SHA-256 by a key derived from the secret and the purpose', () => {
  const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'pbb-kita/test/1', 32));
  expect(buildSigner().sign('content')).toBe(createHmac('sha256', key).update('content').digest('base64url'));
});

it('accepts a signature of the same content from before a restart, because it keeps none', () => {
  const signature = buildSigner().sign('content');
  expect(buildSigner().isValid('content', signature)).toBe(true);
});

it.each([
  ['other content', buildSigner().sign('other')],
  ['another purpose', buildSigner('pbb-kita/other/1').sign('content')],
  ['another secret', buildSigner('pbb-kita/test/1', 'another-secret').sign('content')],
  ['a cut signature', buildSigner().sign('content').slice(0, -1)],
  ['a longer signature', `${buildSigner().sign('content')}A`],
  ['no signature', ''],
  ['characters of several bytes', 'é'.repeat(43)],
])('rejects %s', (_what, signature) => {
  expect(buildSigner().isValid('content', signature)).toBe(false);
});

it.each([
  [NOW - 1, true],
  [NOW, true],
  [NOW + 1, false],
  [Number.NaN, true],
])('says of an expiry at %d whether it has passed: %s', (expiresAtMs, expected) => {
  expect(buildSigner().isExpired(expiresAtMs)).toBe(expected);
});
