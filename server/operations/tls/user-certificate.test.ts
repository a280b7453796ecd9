import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ListenError } from '#server/http/listen/listen.ts';
import { issueCertificate, makeAuthority } from './certificates.ts';
import { chooseNameConstraints } from './host-names.ts';
import { openUserCertificate } from './user-certificate.ts';
import { buildHostNetwork } from '#server/testing/network/host-network.ts';
import { DAY_MS } from '#shared/durations.ts';

const NOW = Date.parse('2026-06-10T05:00:00Z');

function issueTestCertificate(nowMs = NOW) {
  const authority = makeAuthority('lain', chooseNameConstraints(buildHostNetwork('lain')), nowMs);
  const certificate = new X509Certificate(authority.cert);
  const signer = {
    name: String(certificate.toLegacyObject().subject.CN),
    key: createPrivateKey(authority.key),
    publicKey: certificate.publicKey,
    notAfterMs: nowMs + 1000 * DAY_MS,
  };
  return issueCertificate(
    signer,
    { hosts: ['pbb.desa.go.id', 'x.desa.go.id'], addresses: ['10.0.0.5', 'fd00::5'] },
    nowMs,
  );
}

function buildCertificateFolder() {
  const root = mkdtempSync(join(tmpdir(), 'pbb-tls-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = { cert: join(root, 'cert.pem'), key: join(root, 'key.pem') };
  const at = { nowMs: NOW };
  return {
    files,
    at,
    write: (pair: { cert?: string; key?: string }) => {
      if (pair.cert !== undefined) writeFileSync(files.cert, pair.cert);
      if (pair.key !== undefined) writeFileSync(files.key, pair.key);
    },
    open: () => openUserCertificate(files, () => at.nowMs),
  };
}

function catchListenError(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ListenError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

const encryptedKey = (): string =>
  execFileSync('openssl', ['genpkey', '-algorithm', 'RSA', '-aes256', '-pass', 'pass:rahasia'], {
    encoding: 'utf8',
    stdio: 'pipe',
  });

describe('the certificate of the user', () => {
  it('stays unchanged with its chain, and gives the names of the server', () => {
    const { write, open } = buildCertificateFolder();
    const pair = issueTestCertificate();
    const chain = pair.cert + issueTestCertificate().cert;
    write({ ...pair, cert: chain });
    const source = open();
    expect(source.current()).toEqual({ key: pair.key, cert: chain });
    expect(source.names()).toEqual(['pbb.desa.go.id', 'x.desa.go.id', '10.0.0.5', '[fd00:0:0:0:0:0:0:5]']);
    expect(source.isValidFor('10.0.0.5')).toBe(true);
    expect(source.isValidFor('10.0.0.6')).toBe(false);
    expect(source.authority).toBeNull();
  });

  it('changes after a renewal; with invalid files the old one stays', () => {
    const { write, open, at } = buildCertificateFolder();
    const first = issueTestCertificate();
    write(first);
    const source = open();
    expect(source.refresh()).toBe(false);

    const second = issueTestCertificate(NOW + 300 * DAY_MS);
    at.nowMs = NOW + 300 * DAY_MS;
    write({ cert: second.cert });
    expect(catchListenError(() => source.refresh())).toMatch(/^TLS_KEY: /);
    write({ cert: second.cert.slice(0, 300) });
    expect(catchListenError(() => source.refresh())).toMatch(/^TLS_CERT: /);
    expect(source.current()).toEqual(first);
    write(second);
    expect(source.refresh()).toBe(true);
    expect(source.current()).toEqual(second);
    expect(source.refresh()).toBe(false);
  });

  it('stays in use when it expires while the server runs, as a browser can let its user decide', () => {
    const { write, open, at } = buildCertificateFolder();
    write(issueTestCertificate());
    const source = open();
    at.nowMs = NOW + 500 * DAY_MS;
    expect(catchListenError(() => source.refresh())).toMatch(/^TLS_CERT: .*habis masa berlakunya/);
    expect(source.current().cert).toContain('BEGIN CERTIFICATE');
  });
});

describe('openUserCertificate throws one line with the name of the setting', () => {
  it('when a file is missing or cannot be read', () => {
    const { files, write, open } = buildCertificateFolder();
    expect(catchListenError(open)).toBe(
      `TLS_CERT: berkas ${JSON.stringify(files.cert)} tidak dapat dibaca (ENOENT); yang diterima: berkas PEM yang boleh dibaca oleh program ini`,
    );
    write({ cert: issueTestCertificate().cert });
    expect(catchListenError(open)).toMatch(/^TLS_KEY: .* tidak dapat dibaca \(ENOENT\)/);
    mkdirSync(files.key);
    expect(catchListenError(open)).toMatch(/^TLS_KEY: .* tidak dapat dibaca \(EISDIR\)/);
  });

  it('when a file is no PEM, the key is encrypted, or the certificate is expired or of another key', () => {
    const { write, open, at } = buildCertificateFolder();
    const pair = issueTestCertificate();
    const cases: [string, { cert?: string; key?: string }, RegExp][] = [
      ['text', { cert: 'halo' }, /^TLS_CERT: .* bukan sertifikat PEM/],
      ['nothing', { cert: '' }, /^TLS_CERT: .* bukan sertifikat PEM/],
      ['the key', { cert: pair.key }, /^TLS_CERT: .* bukan sertifikat PEM/],
      ['no key', { key: 'halo' }, /^TLS_KEY: .* bukan kunci PEM yang terbuka/],
      ['a certificate', { key: pair.cert }, /^TLS_KEY: .* bukan kunci PEM yang terbuka/],
      ['a locked key', { key: encryptedKey() }, /^TLS_KEY: .* bukan kunci PEM yang terbuka/],
      ['another key', { key: issueTestCertificate().key }, /^TLS_KEY: .* bukan kunci dari sertifikat di TLS_CERT/],
    ];
    for (const [what, change, line] of cases) {
      write({ ...pair, ...change });
      const message = catchListenError(open);
      expect(message, what).toMatch(line);
      expect(message, what).toMatch(/^[^\n]*; yang diterima: [^\n]*$/);
      expect(message, what).not.toContain('PRIVATE KEY-----');
    }
    write(pair);
    at.nowMs = NOW + 400 * DAY_MS;
    expect(catchListenError(open)).toMatch(/^TLS_CERT: .* sudah habis masa berlakunya \(2027-07-11\); yang diterima: /);
  });
});
