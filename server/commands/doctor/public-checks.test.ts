import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { openAcmeFiles } from '#server/operations/acme/acme-files.ts';
import { issueCertificate, makeAuthority } from '#server/operations/tls/certificates.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { runProgram } from '#server/testing/program/run-program.ts';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import { cheapHash } from '#server/testing/factories.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { checkPublicCertificate } from './check-certificates.ts';
import type { Finding } from './check.ts';
import { publicChecks, runChecks, usualChecks } from './checks.ts';
import { listGuesses } from './guessable-passwords.ts';
import { listListeners } from './listeners.ts';
import type { ServerComputer } from './server-computer.ts';

const NOW = Date.parse('2026-11-22T05:00:00Z');
const OFFICE = '36.67.10.20';
const DOMAIN = 'pbb.desa.id';

/** A computer behind a router, with nothing wrong. */
function buildComputer(fields: Partial<ServerComputer> = {}, files: Record<string, string> = {}): ServerComputer {
  const known: Record<string, string> = {
    '/etc/ufw/ufw.conf': 'ENABLED=yes\n',
    '/proc/net/tcp': '  sl  local_address rem_address   st\n',
    ...files,
  };
  return {
    platform: 'linux',
    now: () => NOW,
    addresses: () => ['192.168.1.10', 'fe80::1'],
    resolve: async () => [OFFICE],
    fetchStatus: async () => 200,
    run: () => ({ ok: false, output: '' }),
    readFile: (path) => known[path] ?? null,
    listFolder: () => [],
    readLink: () => null,
    ...fields,
  };
}

function settingsOf(environment: Record<string, string> = {}, dataDir = tempDataDir()): Settings {
  const result = readSettings({
    DATA_DIR: dataDir,
    TLS_DOMAIN: DOMAIN,
    BACKUP_SECOND_DIR: '/media/usb',
    ...environment,
  });
  if (!result.ok) throw new Error(result.problems.join());
  return result.settings;
}

function addUser(sqlite: Sqlite, email: string, password: string, { admin = 1, active = 1, at = 1 } = {}): void {
  sqlite
    .prepare(
      'insert into users (id, name, email, password_hash, is_admin, is_active, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, 1)',
    )
    .run(email, 'Siti Aminah', email, cheapHash(password), admin, active, at);
}

/** A data folder with a database, and a copy of its backups made yesterday. */
function buildDataDir(change: (sqlite: Sqlite, dataDir: string) => void = () => undefined): string {
  const dataDir = tempDataDir();
  mkdirSync(join(dataDir, 'backups'), { recursive: true, mode: 0o700 });
  const second = { last_at: new Date(NOW - DAY_MS).toISOString(), failure: null };
  const status = { at: second.last_at, failure: null, second };
  writeFileSync(join(dataDir, 'backups', 'status.json'), JSON.stringify(status));
  const { sqlite } = openTestDatabase(join(dataDir, 'pbb.sqlite'));
  change(sqlite, dataDir);
  sqlite.close();
  return dataDir;
}

async function listProblems(findings: AsyncIterable<Finding> | Iterable<Finding>): Promise<string[]> {
  const problems: string[] = [];
  for await (const { what, advice } of findings) if (advice !== undefined) problems.push(`${what}. ${advice}`);
  // The folders of tests belong to root where the tests run as root.
  return problems.filter((problem) => !problem.startsWith('folder data milik root'));
}

type Case = {
  environment?: Record<string, string>;
  host?: Partial<ServerComputer>;
  files?: Record<string, string>;
  dataDir?: string;
};
const checkOn = (computer: ServerComputer, settings: Settings, isRunning = true, checks = publicChecks) =>
  runChecks(checks, { settings, isRunning, computer, listeners: listListeners(computer) });
const findProblems = (
  { environment, host, files, dataDir = buildDataDir() }: Case,
  isRunning = true,
): Promise<string[]> => listProblems(checkOn(buildComputer(host, files), settingsOf(environment, dataDir), isRunning));

describe('doctor --publik', () => {
  it('finds no problem on a server that is ready, and names each passed check', async () => {
    const dataDir = buildDataDir((sqlite) => {
      addUser(sqlite, 'ratna@desa.id', 'kuda-lumping-hujan-42');
      addUser(sqlite, 'lama@desa.id', 'admin123', { active: 0 });
      addUser(sqlite, 'warga@contoh.id', '12345678', { admin: 0, at: NOW - DAY_MS });
    });
    const settings = settingsOf({}, dataDir);
    const before = readdirSync(dataDir, { recursive: true });
    expect(await listProblems(checkOn(buildComputer(), settings))).toEqual([]);
    const lines: string[] = [];
    for await (const { what } of checkOn(buildComputer(), settings)) lines.push(what);
    expect(lines).toEqual(
      expect.arrayContaining([
        'nama publik: pbb.desa.id',
        'batas percobaan menyala (RATE_LIMITS)',
        `pbb.desa.id menunjuk ke ${OFFICE}`,
        'http://pbb.desa.id terbuka dari komputer ini',
        'administrator aktif: ratna@desa.id',
        'administrator tanpa kode kedua: ratna@desa.id',
        'siapa pun dapat mendaftar; akun baru dalam 7 hari: 1',
        'cadangan tersalin ke "/media/usb" pada 2026-11-21',
        'tidak ada porta lain yang terbuka di komputer ini',
        'firewall menyala; dari luar hanya porta 80 dan 443 yang perlu dibuka',
      ]),
    );
    expect(readdirSync(dataDir, { recursive: true })).toEqual(before);
  });

  it.each<[string, Case, RegExp]>([
    ['no public name', { environment: { TLS_DOMAIN: '' } }, /^tidak ada nama publik .*TLS_DOMAIN=nama\.domain/],
    [
      'a server for this computer only',
      { environment: { HOST: '127.0.0.1' } },
      /^HOST=127\.0\.0\.1: .*HOST=0\.0\.0\.0$/,
    ],
    ['limits that are off', { environment: { RATE_LIMITS: 'off' } }, /^RATE_LIMITS=off: .*Hapus setelan itu\.$/],
    [
      'a proxy that is everybody',
      { environment: { TRUST_PROXY: '0.0.0.0/0' } },
      /^TRUST_PROXY=0\.0\.0\.0\/0: .*mengarang/,
    ],
    [
      'origins without https',
      { environment: { CORS_ORIGIN: 'http://a.id,https://b.id' } },
      /tanpa https: http:\/\/a\.id\. /,
    ],
    ['a short token for metrics', { environment: { METRICS_TOKEN: 'abcdefgh12345678' } }, /^METRICS_TOKEN pendek/],
    ['a secret of one letter', { environment: { JWT_SECRET: 'a'.repeat(40) } }, /^JWT_SECRET mudah ditebak/],
    [
      'settings for tests',
      { environment: { PUSH_ALLOW: 'https://127.0.0.1:9', ACME_DIRECTORY: 'https://localhost/dir' } },
      /terisi: ACME_DIRECTORY, PUSH_ALLOW\. /,
    ],
    ['no backup outside', { environment: { BACKUP_SECOND_DIR: '' } }, /^tidak ada cadangan di luar komputer ini\. /],
    ['no automatic backups', { environment: { BACKUP_EVERY_HOURS: '0' } }, /^cadangan otomatis mati/],
    ['a copy that is a month old', { host: { now: () => NOW + 30 * DAY_MS } }, /terakhir 2026-11-21\. Pasang disknya/],
    ['a name without an address', { host: { resolve: async () => [] } }, /^pbb\.desa\.id belum menunjuk .*catatan A/],
    [
      'no answer of a name server',
      { host: { resolve: async () => null } },
      /tidak ada jawaban DNS\. Periksa sambungan/,
    ],
    [
      'an address of the office',
      { host: { resolve: async () => ['192.168.1.10'] } },
      /192\.168\.1\.10 tidak dapat dicapai dari internet\. /,
    ],
    ['an address of CGNAT', { host: { resolve: async () => ['100.64.3.4'] } }, /100\.64\.3\.4 tidak dapat .*CGNAT/],
    [
      'IPv6 that the server does not serve',
      { host: { resolve: async () => [OFFICE, '2404:c0::1'] } },
      /tidak mendengarkan IPv6 \(HOST=0\.0\.0\.0\)\. Tulis HOST=::/,
    ],
    [
      'IPv6 of another computer',
      { environment: { HOST: '::' }, host: { resolve: async () => [OFFICE, '2404:c0::1'] } },
      /2404:c0::1 bukan alamat komputer ini\. Hapus catatan AAAA/,
    ],
    [
      'an address of another computer',
      { host: { addresses: () => ['36.67.99.99'] } },
      /menunjuk ke 36\.67\.10\.20, bukan ke komputer ini \(36\.67\.99\.99\)/,
    ],
    [
      'a closed way',
      { host: { fetchStatus: async () => null } },
      /^http:\/\/pbb\.desa\.id tidak terbuka .*data seluler/,
    ],
    [
      'a runtime that gets no security fixes',
      { host: { now: () => Date.parse('2031-01-01') } },
      /^Node .* tidak diperbaiki lagi/,
    ],
  ])('finds %s', async (_name, about, words) => {
    const problems = await findProblems(about);
    expect(
      problems.some((problem) => words.test(problem)),
      problems.join('\n'),
    ).toBe(true);
  });

  it('says which ports of the router lead to ports of its own', async () => {
    const lines: string[] = [];
    const settings = settingsOf({ PORT: '3000', TLS_PORT: '8443' }, buildDataDir());
    for await (const { what } of checkOn(buildComputer(), settings)) lines.push(what);
    expect(lines).toEqual(
      expect.arrayContaining([
        'PORT=3000: router harus meneruskan porta 80 dari internet ke porta 3000 komputer ini',
        expect.stringMatching(
          /^TLS_PORT=8443: alamat dari internet https:\/\/pbb\.desa\.id:8443, .* 8443 ke porta 8443/,
        ),
      ]),
    );
  });

  it('accepts IPv6 of this computer however it is written, and asks nothing while no server runs', async () => {
    const host = {
      addresses: () => ['192.168.1.10', '2404:c0::1'],
      resolve: async () => [OFFICE, '2404:00c0:0:0::1'],
      fetchStatus: async () => Promise.reject(new Error('asked')),
    };
    expect(await findProblems({ environment: { HOST: '::' }, host }, false)).toEqual([]);
  });

  it('finds admins whose password is one of those tried first, and one that stands in the settings', async () => {
    const dataDir = buildDataDir((sqlite) => {
      addUser(sqlite, 'a@desa.id', 'admin123');
      addUser(sqlite, 'ratna@desa.id', 'Ratna2026');
      addUser(sqlite, 'fitri@desa.id', 'dua-tiga-empat-lima');
      sqlite.prepare("update users set password_hash = 'rusak' where email = 'fitri@desa.id'").run();
      addUser(sqlite, 'joko@desa.id', 'kuda-lumping-hujan-42');
    });
    expect(await findProblems({ dataDir, environment: { ADMIN_PASSWORD: 'kuda-lumping-hujan-42' } })).toEqual([
      expect.stringMatching(/^ADMIN_PASSWORD masih password joko@desa\.id, .*hapus ADMIN_PASSWORD/),
      expect.stringMatching(/^password administrator mudah ditebak: a@desa\.id, ratna@desa\.id\. Ganti sekarang/),
    ]);
    const guesses = listGuesses({ email: 'siti@sukamaju.desa.id', name: 'Siti Aminah' }, [DOMAIN], 2026);
    for (const guess of ['Sitiaminah123', 'sukamaju2026', 'pbb12345', 'Desa@123', 'siti@sukamaju.desa.id'])
      expect(guesses).toContain(guess);
    // Each costs a hash of 20 ms.
    expect(guesses.length).toBeLessThan(450);
  });

  it('finds many new accounts', async () => {
    const dataDir = buildDataDir((sqlite) => {
      addUser(sqlite, 'ratna@desa.id', 'kuda-lumping-hujan-42');
      sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
        insert into users (id, name, email, password_hash, created_at, updated_at)
        select 'u' || i, 'U', i || '@x.id', '', ${NOW - DAY_MS}, 1 from n`);
    });
    expect(await findProblems({ dataDir })).toEqual([expect.stringContaining('akun baru dalam 7 hari: 500. Lihat')]);
  });
});

describe('open ports', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const row = (local: string, state: string, inode: number): string =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1\n`;
  const linux = {
    '/proc/net/tcp':
      head + row('00000000:0016', '0A', 7) + row('0100007F:0CEA', '0A', 8) + row('0A01A8C0:0050', '01', 9),
    '/proc/net/tcp6':
      head +
      row('00000000000000000000000000000000:1538', '0A', 10) +
      row('0000000000000000FFFF00000100007F:18EB', '0A', 11) +
      row('00000000000000000000000001000000:0277', '0A', 12),
    '/proc/41/comm': 'sshd\n',
  };
  const links: Record<string, string> = { '/proc/41/fd/3': 'socket:[7]', '/proc/41/fd/0': '/dev/null' };
  const folders: Record<string, string[]> = { '/proc': ['41', 'net', 'self'], '/proc/41/fd': ['0', '3'] };
  const linuxHost = {
    listFolder: (path: string) => folders[path] ?? [],
    readLink: (path: string) => links[path] ?? null,
  };

  it('names listeners that other computers reach, with their programs', () => {
    expect(listListeners(buildComputer(linuxHost, linux))).toEqual([
      { port: 22, program: 'sshd' },
      { port: 5432, program: null },
    ]);
    const windows: Record<string, string> = {
      'netstat TCP': [
        '  Proto  Local Address          Foreign Address        State           PID',
        '  TCP    0.0.0.0:445            0.0.0.0:0              MENDENGARKAN    4',
        '  TCP    127.0.0.1:5939         0.0.0.0:0              LISTENING       3120',
        '  TCP    192.168.1.10:49712     20.42.73.25:443        ESTABLISHED     3120',
      ].join('\r\n'),
      'netstat TCPv6': '  TCP    [::]:3389              [::]:0                 LISTENING       980\r\n',
      'tasklist /nh': '"System","4","Services","0","144 K"\r\n"svchost.exe","980","Services","0","9 K"\r\n',
    };
    const run = (program: string, args: string[]) => ({ ok: true, output: windows[`${program} ${args.at(-1)}`] ?? '' });
    expect(listListeners(buildComputer({ platform: 'win32', run }))).toEqual([
      { port: 445, program: 'System' },
      { port: 3389, program: 'svchost.exe' },
    ]);
    const lsof =
      'p1\nclaunchd\nf7\nn*:22\np90\ncpostgres\nf5\nn127.0.0.1:5432\nn[::1]:5432\np91\ncnode\nn192.168.1.5:80\n';
    expect(listListeners(buildComputer({ platform: 'darwin', run: () => ({ ok: true, output: lsof }) }))).toEqual([
      { port: 22, program: 'launchd' },
      { port: 80, program: 'node' },
    ]);
    expect(listListeners(buildComputer({ platform: 'aix' }))).toBeNull();
  });

  it('counts open ports as a problem only on a computer without a router before it', async () => {
    expect(await findProblems({ host: linuxHost, files: linux })).toEqual([]);
    const direct = { ...linuxHost, addresses: () => [OFFICE] };
    expect(await findProblems({ host: direct, files: { ...linux, '/etc/ufw/ufw.conf': 'ENABLED=no\n' } })).toEqual([
      expect.stringMatching(
        /^komputer ini langsung di internet \(36\.67\.10\.20\), .*: 22 \(SSH, sshd\), 5432 \(PostgreSQL\)\. /,
      ),
      expect.stringMatching(/^ufw, firewalld, atau nftables tidak menyala\. Nyalakan, .*porta 80 dan 443 \(TCP\)\.$/),
    ]);
  });

  it.each<[NodeJS.Platform, string, boolean]>([
    ['win32', 'on\r\n', true],
    ['win32', 'off\r\n', false],
    ['win32', '', true],
    ['darwin', 'Firewall is enabled. (State = 1)\n', true],
    ['darwin', 'Firewall is disabled. (State = 0)\n', false],
  ])('reads the state of the firewall on %s from %j', async (platform, output, isFine) => {
    const problems = await findProblems({ host: { platform, run: () => ({ ok: true, output }) } });
    expect(problems.filter((problem) => problem.startsWith('firewall'))).toHaveLength(isFine ? 0 : 1);
  });
});

describe('the certificate of the public names', () => {
  const authority = makeAuthority('penerbit', { hosts: [], networks: [] }, NOW);
  const key = createPrivateKey(authority.key);
  const signer = { name: 'penerbit', key, publicKey: createPublicKey(key), notAfterMs: NOW + 3650 * DAY_MS };
  const certifiedDir = async (hosts: string[], state: object = {}): Promise<string> => {
    const dataDir = tempDataDir();
    mkdirSync(dataDir, { recursive: true });
    const files = openAcmeFiles(dataDir);
    await files.writeCertificate(issueCertificate(signer, { hosts, addresses: [] }, NOW));
    await files.writeState({
      directory: settingsOf().tls.public?.directory ?? '',
      names: [DOMAIN],
      attempts: [],
      failed_attempts: 0,
      asked_until: 0,
      not_before: 0,
      last_error: null,
      issued_by: null,
      ...state,
    });
    return dataDir;
  };
  const check = async (dataDir: string, environment: Record<string, string> = {}, nowMs = NOW) => {
    const installation = {
      settings: settingsOf(environment, dataDir),
      isRunning: false,
      computer: buildComputer({ now: () => nowMs }),
      listeners: null,
    };
    const findings: Finding[] = [];
    for await (const finding of checkPublicCertificate(installation)) findings.push(finding);
    return findings;
  };

  it('shows its end, its last failure and the names that it lacks', async () => {
    expect(await check(tempDataDir())).toEqual([
      { what: 'sertifikat untuk pbb.desa.id belum ada; diminta begitu server berjalan' },
    ]);
    const state = {
      directory: settingsOf().tls.public?.directory ?? '',
      names: [DOMAIN],
      asked_until: 0,
      last_error: null,
      issued_by: null,
    };
    const brokenOff = tempDataDir();
    await openAcmeFiles(brokenOff).writeState({
      ...state,
      attempts: [NOW],
      failed_attempts: 1,
      not_before: NOW + MINUTE_MS,
    });
    expect(await check(brokenOff)).toEqual([
      { what: 'sertifikat untuk pbb.desa.id belum ada; diminta 22 Nov 2026, 12.01, bila server berjalan' },
    ]);
    const dataDir = await certifiedDir([DOMAIN]);
    const [valid, ...none] = await check(dataDir);
    expect([valid, none]).toEqual([
      { what: expect.stringMatching(/^sertifikat publik berlaku sampai 2027-12-\d\d$/) },
      [],
    ]);
    expect(await check(dataDir, {}, Date.parse('2027-12-15'))).toEqual([
      { what: valid?.what, advice: expect.stringContaining('Jalankan server') },
    ]);
    const more = await check(dataDir, { TLS_DOMAIN: `${DOMAIN},www.${DOMAIN}` });
    expect(more[1]).toEqual({ what: 'sertifikat belum memuat www.pbb.desa.id', advice: expect.any(String) });

    const last_error = { at: NOW, message: 'Porta 80 tidak terjangkau. Periksa router.' };
    const [failing] = await check(await certifiedDir([DOMAIN], { last_error }));
    expect(failing).toEqual({
      what: expect.stringMatching(/^sertifikat publik berlaku sampai .*; pembaruan 22 Nov 2026, 12\.00 gagal$/),
      advice: expect.stringMatching(
        /^Porta 80 tidak terjangkau\. Periksa router\. Dicoba lagi .*, selama server berjalan\.$/,
      ),
    });
    expect(await check(tempDataDir(), { ACME_CA: '/nowhere.pem' })).toEqual([
      { what: expect.stringContaining('ACME_CA: berkas "/nowhere.pem"'), advice: expect.any(String) },
    ]);
  });
});

describe('the way to the push services', () => {
  const problemsWith = async (
    endpoint: string | null,
    host: Partial<ServerComputer>,
    other?: string,
  ): Promise<string[]> => {
    const dataDir = buildDataDir((sqlite) => {
      addUser(sqlite, 'ratna@desa.id', 'kuda-lumping-hujan-42');
      sqlite.exec(
        "insert into sessions (id, user_id, created_at, last_seen_at, expires_at) values ('s', 'ratna@desa.id', 1, 1, 1), ('t', 'ratna@desa.id', 1, 1, 1)",
      );
      const insert = sqlite.prepare('insert into push_subscriptions values (?, ?, ?, ?, ?, null, 1)');
      if (endpoint !== null) insert.run('s', 'ratna@desa.id', endpoint, 'k', 'a');
      if (other !== undefined) insert.run('t', 'ratna@desa.id', other, 'k', 'a');
    });
    const settings = settingsOf({ HOST: '127.0.0.1', PORT: '0', TLS_PORT: '0', BACKUP_SECOND_DIR: '' }, dataDir);
    const problems = await listProblems(checkOn(buildComputer(host), settings, false, usualChecks));
    return problems.filter((problem) => problem.startsWith('notifikasi'));
  };

  it('asks for push services as soon as an account uses them, and only at public addresses', async () => {
    const asked: string[] = [];
    const fetchStatus = async (url: string) => {
      asked.push(url);
      return null;
    };
    expect(await problemsWith(null, { fetchStatus })).toEqual([]);
    expect(asked).toEqual([]);
    const endpoint = 'https://fcm.googleapis.com/fcm/send/rahasia';
    expect(await problemsWith(endpoint, { fetchStatus })).toEqual([
      expect.stringMatching(/^notifikasi tidak keluar: fcm\.googleapis\.com tidak menjawab\. .*Pesan tidak hilang/),
    ]);
    expect(asked).toEqual(['https://fcm.googleapis.com']);
    expect(await problemsWith(endpoint, { fetchStatus: async () => 404 })).toEqual([]);
    // Somebody made up another one.
    const made = { fetchStatus: async (url: string) => (url.includes('fcm') ? 404 : null) };
    expect(await problemsWith(endpoint, made, 'https://dibuat-buat.example/x')).toEqual([]);
    for (const address of ['192.168.1.1', '127.0.0.1']) {
      expect(await problemsWith(endpoint, { fetchStatus, resolve: async () => [address] })).toHaveLength(1);
    }
    expect(asked).toHaveLength(1);
  });
});

it('adds its checks to those of the command without --publik', async () => {
  const env = { DATA_DIR: tempDataDir(), HOST: '127.0.0.1', PORT: '0', RATE_LIMITS: 'off' };
  const [usual, isPublic] = await Promise.all([
    runProgram(['doctor'], { env }),
    runProgram(['doctor', '--publik'], { env }),
  ]);
  expect(usual.stdout).not.toContain('RATE_LIMITS');
  expect(isPublic.stdout).toContain('PERIKSA RATE_LIMITS=off: password dapat dicoba tanpa batas. Hapus setelan itu.');
  expect(isPublic.code).toBe(1);
});
