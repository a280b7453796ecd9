import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ListenError } from '#server/http/listen/listen.ts';
import { issueCertificate, isWiderThanNeeded, makeAuthority, readNameConstraints } from './certificates.ts';
import { openLocalAuthority } from './local-authority.ts';
import { chooseNameConstraints } from './host-names.ts';
import { buildHostNetwork } from '#server/testing/network/host-network.ts';
import { version1Authority } from '#server/testing/version-1-authority.ts';
import { DAY_MS } from '#shared/durations.ts';

const START = Date.parse('2026-06-10T05:00:00Z');

function buildAuthorityFolder() {
  const root = mkdtempSync(join(tmpdir(), 'pbb-tls-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'tls');
  const at = { nowMs: START, machine: buildHostNetwork('kantor', '192.168.1.10/24') };
  return {
    at,
    folder,
    file: (name: string) => join(folder, name),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    open: () => openLocalAuthority({ folder, readHost: () => at.machine, now: () => at.nowMs }),
  };
}

/** @returns what OpenSSL reports about the server certificate and its authority */
function verifyWithOpenssl(folder: string, nowMs: number, ...more: string[]): string {
  const files = ['-CAfile', join(folder, 'ca.crt'), join(folder, 'server.crt')];
  const at = ['-attime', String(Math.floor(nowMs / 1000))];
  try {
    return execFileSync('openssl', ['verify', '-x509_strict', '-purpose', 'sslserver', ...at, ...more, ...files], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  }
}

/** Replaces the server certificate by one with these extensions, as a thief of `ca.key` could issue it. */
function signWithOpenssl(folder: string, extensions: string): void {
  const path = (name: string): string => join(folder, name);
  const run = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  writeFileSync(path('stolen.ext'), extensions);
  const keyFile = path('stolen.key');
  run('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/O=PBB Kita/CN=x',
    '-keyout', keyFile, '-out', path('stolen.csr')); // prettier-ignore
  run('x509', '-req', '-in', path('stolen.csr'), '-CA', path('ca.crt'), '-CAkey', path('ca.key'),
    '-extfile', path('stolen.ext'), '-out', path('server.crt')); // prettier-ignore
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

describe('a local authority', () => {
  it('issues a certificate for every name of the computer, and restricts its files to their owner', () => {
    const { folder, open, file } = buildAuthorityFolder();
    const source = open();
    expect(verifyWithOpenssl(folder, START)).toMatch(/: OK$/);
    for (const name of ['kantor.local', 'localhost']) {
      expect(verifyWithOpenssl(folder, START, '-verify_hostname', name), name).toMatch(/: OK$/);
    }
    for (const address of ['192.168.1.10', '127.0.0.1', '::1']) {
      expect(verifyWithOpenssl(folder, START, '-verify_ip', address), address).toMatch(/: OK$/);
    }
    expect(verifyWithOpenssl(folder, START, '-verify_ip', '192.168.1.11')).toContain('IP address mismatch');
    expect(source.isValidFor('192.168.1.10')).toBe(true);
    expect(source.isValidFor('contoh.id')).toBe(false);

    expect(readdirSync(folder).toSorted()).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key']);
    for (const name of readdirSync(folder)) expect(statSync(file(name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);

    const authority = new X509Certificate(readFileSync(file('ca.crt')));
    expect(source.authority).toEqual({
      name: 'PBB Kita – kantor',
      certificate: authority.raw,
      fingerprint: authority.fingerprint256,
      thumbprint: authority.fingerprint,
      validUntil: '2036-06-07',
    });
    const server = new X509Certificate(source.current().cert);
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    const days = (server.validToDate.getTime() - server.validFromDate.getTime()) / DAY_MS;
    expect(days).toBe(397);
    expect(server.validFromDate.getTime()).toBeLessThan(START);
  });

  it('cannot certify names outside the local network, even with its key', () => {
    const { folder, open, file, read } = buildAuthorityFolder();
    const { authority } = open();
    const privateKey = createPrivateKey(read('ca.key'));
    const { publicKey, validToDate } = new X509Certificate(read('ca.crt'));
    const signer = { name: authority?.name ?? '', key: privateKey, publicKey, notAfterMs: validToDate.getTime() };
    for (const names of [
      { hosts: ['bank.co.id'], addresses: [] },
      { hosts: ['localhost'], addresses: ['8.8.8.8'] },
      { hosts: ['localhost'], addresses: ['2001:db8::1'] },
    ]) {
      writeFileSync(file('server.crt'), issueCertificate(signer, names, START).cert);
      expect(verifyWithOpenssl(folder, START), JSON.stringify(names)).toContain('permitted subtree violation');
    }
  });

  it('can vouch for servers of the local network only: no e-mail, no URI, no program, no top-level domain', () => {
    const { at, folder, open, file } = buildAuthorityFolder();
    at.machine = buildHostNetwork('dev', '192.168.1.10/24');
    // OpenSSL signs with the clock of the computer.
    at.nowMs = Date.now();
    open();
    const authority = new X509Certificate(readFileSync(file('ca.crt')));
    expect(authority.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    // Permitted e-mail and URI names, each in its DER encoding: only the host `invalid`, which never exists.
    for (const tag of ['81', '86']) {
      expect(authority.raw.toString('hex')).toContain(`30 09 ${tag} 07 69 6e 76 61 6c 69 64`.replaceAll(' ', ''));
    }
    expect(readNameConstraints(authority.raw).hosts).toEqual(['localhost', 'local']);

    const verifyAs = (purpose: string, name: string, usage: string): string => {
      signWithOpenssl(folder, `subjectAltName=${name}\nextendedKeyUsage=${usage}\n`);
      return verifyWithOpenssl(folder, Date.now(), '-purpose', purpose);
    };
    expect(verifyAs('sslserver', 'DNS:dev.local', 'serverAuth')).toMatch(/: OK$/);
    expect(verifyAs('sslserver', 'DNS:web.dev', 'serverAuth')).toContain('permitted subtree violation');
    expect(verifyAs('sslserver', 'URI:https://bank.co.id/', 'serverAuth')).toContain('permitted subtree violation');
    expect(verifyAs('sslserver', 'email:bupati@pemda.go.id', 'serverAuth')).toContain('permitted subtree violation');
    expect(verifyAs('smimesign', 'DNS:dev.local', 'emailProtection')).toContain('unsuitable certificate purpose');
    expect(verifyAs('sslclient', 'DNS:dev.local', 'clientAuth')).toContain('unsuitable certificate purpose');
  });

  it('stays when it is of version 1.0.0, and counts as wider than needed', () => {
    const { folder, open, file, read } = buildAuthorityFolder();
    mkdirSync(folder);
    writeFileSync(file('ca.crt'), version1Authority.cert);
    writeFileSync(file('ca.key'), version1Authority.key);
    open();
    expect(read('ca.crt')).toBe(version1Authority.cert);
    expect(verifyWithOpenssl(folder, START, '-verify_hostname', 'kantor')).toMatch(/: OK$/);
    expect(isWiderThanNeeded(new X509Certificate(version1Authority.cert))).toBe(true);
    const narrow = makeAuthority('kantor', chooseNameConstraints(buildHostNetwork('kantor')), START);
    expect(isWiderThanNeeded(new X509Certificate(narrow.cert))).toBe(false);
    const bare = makeAuthority('kantor', { hosts: ['localhost', 'local', 'kantor'], networks: [] }, START);
    expect(isWiderThanNeeded(new X509Certificate(bare.cert))).toBe(true);
  });

  it('leaves TLS usable in a process that has not used it before', () => {
    const { folder } = buildAuthorityFolder();
    const script = `
      const { openLocalAuthority } = await import('#server/operations/tls/local-authority.ts');
      const readHost = () => ({ hostname: 'kantor', interfaces: {} });
      openLocalAuthority({ folder: ${JSON.stringify(folder)}, readHost, now: Date.now });
      const { createSecureContext } = await import('node:tls');
      process.stdout.write(typeof createSecureContext);`;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe(
      'function',
    );
  });

  it('begins at the first start, and later starts use the same certificate', () => {
    const { open } = buildAuthorityFolder();
    const first = open();
    const second = open();
    expect(second.authority).toEqual(first.authority);
    expect(second.current()).toEqual(first.current());
    expect(first.refresh()).toBe(false);
  });

  it('renews the certificate when less than thirty days are left, never beyond its own end', () => {
    const { at, folder, open } = buildAuthorityFolder();
    const source = open();
    const first = source.current();
    at.nowMs = START + 365 * DAY_MS;
    expect(source.refresh()).toBe(false);
    at.nowMs = START + 367 * DAY_MS;
    expect(source.refresh()).toBe(true);
    expect(source.current()).not.toEqual(first);
    expect(verifyWithOpenssl(folder, at.nowMs)).toMatch(/: OK$/);
    expect(verifyWithOpenssl(folder, at.nowMs + 390 * DAY_MS)).toMatch(/: OK$/);

    at.nowMs = START + 3500 * DAY_MS;
    expect(source.refresh()).toBe(true);
    const { validToDate } = new X509Certificate(source.current().cert);
    expect(validToDate.toISOString().slice(0, 10)).toBe(source.authority?.validUntil);
    // No longer certificate is possible, so it is not issued again every minute.
    at.nowMs = START + 3640 * DAY_MS;
    expect(source.refresh()).toBe(false);
  });

  it('renews the certificate when the computer has a new address or name', () => {
    const { at, folder, open } = buildAuthorityFolder();
    const source = open();
    at.machine = buildHostNetwork('kantor');
    expect(source.refresh(), 'a cable that was pulled').toBe(false);
    at.machine = buildHostNetwork('kantor', '192.168.1.10/24', '10.0.0.4/8');
    expect(source.refresh()).toBe(true);
    expect(verifyWithOpenssl(folder, START, '-verify_ip', '10.0.0.4')).toMatch(/: OK$/);
    at.machine = buildHostNetwork('meja-2', '10.0.0.4/8');
    expect(source.refresh()).toBe(true);
    expect(verifyWithOpenssl(folder, START, '-verify_hostname', 'meja-2.local')).toMatch(/: OK$/);
    // An address of an unknown public network is left out. With it, devices would reject the whole certificate.
    at.machine = buildHostNetwork('meja-2', '10.0.0.4/8', '198.51.100.9/24');
    expect(source.refresh()).toBe(false);
    // A restart changes nothing.
    expect(open().current()).toEqual(source.current());
  });

  it('creates a new authority before the old one ends, and keeps the old files', () => {
    const { at, folder, open } = buildAuthorityFolder();
    const old = open().authority;
    at.nowMs = START + 3630 * DAY_MS;
    const renewed = open();
    expect(renewed.authority?.fingerprint).not.toBe(old?.fingerprint);
    expect(verifyWithOpenssl(folder, at.nowMs)).toMatch(/: OK$/);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['ca-2036-06-07.crt', 'ca-2036-06-07.key']));
  });

  it('restricts copied files with open rights to their owner', () => {
    const { open, file } = buildAuthorityFolder();
    open();
    for (const name of ['ca.key', 'server.key']) chmodSync(file(name), 0o644);
    open();
    for (const name of ['ca.key', 'server.key']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  });

  it('ignores host names that no certificate can contain', () => {
    const { at, folder, open } = buildAuthorityFolder();
    at.machine = buildHostNetwork('kantor pajak ✓ '.repeat(9), '192.168.1.10/24');
    const { authority } = open();
    expect(authority?.name.length).toBeLessThanOrEqual(64);
    expect(verifyWithOpenssl(folder, START)).toMatch(/: OK$/);
    expect(open().authority).toEqual(authority);
  });
});

describe('a local authority with files that cannot be used', () => {
  it.each(['server.crt', 'server.key'])('creates %s again without any work of the user', (name) => {
    const { folder, open, file } = buildAuthorityFolder();
    open();
    for (const content of ['', 'rusak', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n']) {
      writeFileSync(file(name), content);
      open();
      expect(verifyWithOpenssl(folder, START)).toMatch(/: OK$/);
    }
    rmSync(file(name));
    open();
    expect(verifyWithOpenssl(folder, START)).toMatch(/: OK$/);
  });

  it('never replaces a damaged or foreign authority, or one without its key', () => {
    const { open, file, read } = buildAuthorityFolder();
    open();
    const [cert, key] = [read('ca.crt'), read('ca.key')];
    const other = makeAuthority('lain', chooseNameConstraints(buildHostNetwork('lain')), START);
    const selfSigned = open().current();
    const cases: [string, { cert?: string; key?: string }, RegExp][] = [
      ['broken', { cert: 'rusak' }, /ca\.crt" rusak; yang diterima: berkas dari cadangan/],
      ['empty', { cert: '' }, /ca\.crt" rusak/],
      ['half', { cert: cert.slice(0, 400) }, /ca\.crt" rusak/],
      ['foreign', { cert: selfSigned.cert }, /ca\.crt" bukan buatan PBB Kita/],
      ['broken key', { key: 'rusak' }, /ca\.key" rusak/],
      ['key of another', { key: other.key }, /ca\.key" bukan pasangan "ca\.crt"/],
    ];
    for (const [what, change, line] of cases) {
      writeFileSync(file('ca.crt'), change.cert ?? cert);
      writeFileSync(file('ca.key'), change.key ?? key);
      const message = catchListenError(open);
      expect(message, what).toMatch(line);
      expect(message, what).toMatch(/^DATA_DIR: [^\n]*$/);
      expect(read('ca.crt'), what).toBe(change.cert ?? cert);
    }
    writeFileSync(file('ca.crt'), cert);
    rmSync(file('ca.key'));
    expect(catchListenError(open)).toMatch(/ca\.key" tidak ada/);
  });

  it('does not overwrite a foreign server certificate', () => {
    const { open, file, read } = buildAuthorityFolder();
    const foreign = execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        '/dev/null',
        '-subj',
        '/CN=lain',
        '-days',
        '9',
      ],
      { encoding: 'utf8', stdio: 'pipe' },
    );
    open();
    writeFileSync(file('server.crt'), foreign);
    expect(catchListenError(open)).toMatch(/server\.crt" bukan buatan PBB Kita; yang diterima: .*TLS_CERT/);
    expect(read('server.crt')).toBe(foreign);
  });

  it('reports a folder that is a file, and files that are folders', () => {
    const { folder, open, file } = buildAuthorityFolder();
    writeFileSync(folder, '');
    expect(catchListenError(open)).toMatch(/^DATA_DIR: .*tls" tidak dapat ditulis \(EEXIST\)/);
    rmSync(folder);
    mkdirSync(file('ca.crt'), { recursive: true });
    expect(catchListenError(open)).toMatch(/ca\.crt" tidak dapat dibaca \(EISDIR\)/);
  });

  it('uses an unsaved server certificate on a full disk, but creates no authority that would be lost', () => {
    const { folder, open, file } = buildAuthorityFolder();
    const { authority } = open();
    rmSync(file('server.crt'));
    // Not even root can write a file in the place of a folder.
    mkdirSync(file('server.key.new'));
    const source = open();
    expect(source.isValidFor('192.168.1.10')).toBe(true);
    expect(source.authority).toEqual(authority);
    expect(readdirSync(folder)).not.toContain('server.crt');

    rmSync(folder, { recursive: true });
    mkdirSync(file('ca.key.new'), { recursive: true });
    expect(catchListenError(open)).toMatch(/^DATA_DIR: ".*ca\.key" tidak dapat ditulis \(/);
  });

  it('finishes an interrupted start at the next one', () => {
    const { folder, open, file } = buildAuthorityFolder();
    mkdirSync(folder);
    writeFileSync(file('ca.key'), 'a key that no device trusts yet');
    writeFileSync(file('ca.crt.new'), 'half of');
    open();
    expect(verifyWithOpenssl(folder, START)).toMatch(/: OK$/);
    expect(readdirSync(folder)).not.toContain('ca.crt.new');
  });
});

it('reads the name constraints from the certificate of an authority', () => {
  const scope = chooseNameConstraints(buildHostNetwork('kantor', '203.0.113.7/24'));
  const read = readNameConstraints(new X509Certificate(makeAuthority('kantor', scope, START).cert).raw);
  expect(read.hosts).toEqual(scope.hosts);
  expect(read.networks).toContainEqual(['203.0.113.0', 24]);
  expect(read.networks).toContainEqual(['172.16.0.0', 12]);
  expect(read.networks).toContainEqual(['fc00::', 7]);
  expect(read.networks).toHaveLength(scope.networks.length);
});
