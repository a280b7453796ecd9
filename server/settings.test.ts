import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { LOG_LEVELS, settingsTable } from './settings-table.ts';
import { addToEnvironment, listChangedSettings, readSettings, type Settings } from './settings.ts';

function requireSettingsOf(environment: NodeJS.ProcessEnv): Settings {
  const result = readSettings(environment);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.settings;
}

function problemsOf(environment: NodeJS.ProcessEnv): string[] {
  const result = readSettings(environment);
  return result.ok ? [] : result.problems;
}

describe('readSettings', () => {
  it('uses the default of every setting that is not given (R-RUN-1)', () => {
    const defaults = {
      host: '0.0.0.0',
      port: 3000,
      dataDir: resolve('data'),
      postgres: null,
      filesDir: null,
      admin: { email: 'admin@pbb.local', password: null, name: 'Administrator' },
      timeZone: 'Asia/Jakarta',
      jwtSecret: null,
      corsOrigins: [],
      trustedProxies: null,
      rateLimits: true,
      logLevel: 'info',
      backup: { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir: null, runningCopy: true },
      tls: { files: null, local: false, port: 3443, public: null },
      pushAllow: [],
      serviceWorker: true,
      metricsToken: null,
      quota: { records: 500, proofBytes: 314_572_800 },
      erasureHours: 72,
      adminsNeedFactor: false,
    };
    expect(requireSettingsOf({})).toEqual(defaults);
    // An empty value counts as not set.
    expect(requireSettingsOf({ PORT: '', HOST: ' ', JWT_SECRET: '', CORS_ORIGIN: ' , ', ADMIN_PASSWORD: '' })).toEqual(
      defaults,
    );
  });

  it('reads every setting that is given', () => {
    const given = {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: '/srv/pbb data ',
      DATABASE_URL: 'postgres://pbb:rahasia@10.0.0.5,10.0.0.6:5433/pbb',
      DATABASE_POOL: '20',
      FILES_DIR: '/mnt/berkas',
      ADMIN_EMAIL: ' Ratna@Kantor.GO.ID ',
      ADMIN_PASSWORD: ' rahasia ',
      ADMIN_NAME: ' Ibu Ratna ',
      APP_TIMEZONE: 'Asia/Makassar',
      JWT_SECRET: 'k'.repeat(32),
      CORS_ORIGIN: 'https://pajak.example, http://10.0.0.5:8080',
      TRUST_PROXY: 'on',
      RATE_LIMITS: 'OFF',
      LOG_LEVEL: 'WARN',
      BACKUP_EVERY_HOURS: '0',
      BACKUP_KEEP: '6, 3,0',
      BACKUP_SECOND_DIR: '/media/usb',
      BACKUP_RUNNING_COPY: 'off',
      TLS: 'on',
      TLS_CERT: '/etc/pbb/cert.pem',
      TLS_KEY: '/etc/pbb/key.pem',
      TLS_PORT: '8443',
      PUSH_ALLOW: 'https://127.0.0.1:8444',
      SERVICE_WORKER: 'off',
      METRICS_TOKEN: 'kunci-untuk-pemantau',
      QUOTA_RECORDS: '0',
      QUOTA_PROOFS_MB: '2',
      ERASURE_HOURS: '48',
      REQUIRE_ADMIN_SECOND_FACTOR: 'on',
    };
    expect(requireSettingsOf(given)).toEqual({
      host: '127.0.0.1',
      port: 0,
      dataDir: '/srv/pbb data',
      postgres: {
        address: {
          hosts: [
            { host: '10.0.0.5', port: 5432 },
            { host: '10.0.0.6', port: 5433 },
          ],
          user: 'pbb',
          password: 'rahasia',
          database: 'pbb',
          ssl: 'disable',
        },
        pool: 20,
      },
      filesDir: '/mnt/berkas',
      // Only the password keeps its spaces.
      admin: { email: 'ratna@kantor.go.id', password: ' rahasia ', name: 'Ibu Ratna' },
      timeZone: 'Asia/Makassar',
      jwtSecret: 'k'.repeat(32),
      corsOrigins: ['https://pajak.example', 'http://10.0.0.5:8080'],
      trustedProxies: [],
      rateLimits: false,
      logLevel: 'warn',
      backup: { everyHours: 0, keep: { periods: 6, days: 3, months: 0 }, secondDir: '/media/usb', runningCopy: false },
      tls: { files: { cert: '/etc/pbb/cert.pem', key: '/etc/pbb/key.pem' }, local: true, port: 8443, public: null },
      pushAllow: ['https://127.0.0.1:8444'],
      serviceWorker: false,
      metricsToken: 'kunci-untuk-pemantau',
      quota: { records: null, proofBytes: 2_097_152 },
      erasureHours: 48,
      adminsNeedFactor: true,
    });
  });

  it('reads public names, which change the default ports (R-ACME-1)', () => {
    const given = {
      TLS_DOMAIN: ' PBB.desa.id, pajak.desa.id,pbb.desa.id',
      TLS_EMAIL: 'kantor@desa.id',
      TLS_HSTS: 'on',
    };
    const { port, tls } = requireSettingsOf(given);
    expect([port, tls]).toEqual([
      80,
      {
        files: null,
        local: false,
        port: 443,
        public: {
          domains: ['pbb.desa.id', 'pajak.desa.id'],
          email: 'kantor@desa.id',
          directory: 'https://acme-v02.api.letsencrypt.org/directory',
          caFile: null,
          hsts: true,
        },
      },
    ]);
    const own = requireSettingsOf({
      ...given,
      PORT: '8080',
      TLS_PORT: '8443',
      ACME_DIRECTORY: 'https://127.0.0.1:14000/dir',
      ACME_CA: '/etc/pbb/ca.pem',
    });
    expect([own.port, own.tls.port]).toEqual([8080, 8443]);
    expect(own.tls.public).toMatchObject({ directory: 'https://127.0.0.1:14000/dir', caFile: '/etc/pbb/ca.pem' });
  });

  it.each(['1', 'true', 'on', 'yes', 'ON'])('reads "%s" as on', (word) => {
    expect(requireSettingsOf({ TRUST_PROXY: word }).trustedProxies).toEqual([]);
  });

  it('reads the addresses and networks of proxies', () => {
    expect(requireSettingsOf({ TRUST_PROXY: ' 10.0.0.5, 172.18.0.0/16 ,::1' }).trustedProxies).toEqual([
      '10.0.0.5',
      '172.18.0.0/16',
      '::1',
    ]);
  });

  it.each(['0', 'false', 'off', 'no', 'Off'])('reads "%s" as off', (word) => {
    expect(requireSettingsOf({ RATE_LIMITS: word }).rateLimits).toBe(false);
  });

  it.each(LOG_LEVELS)('accepts the log level %s', (level) => {
    expect(requireSettingsOf({ LOG_LEVEL: level }).logLevel).toBe(level);
  });
});

it('takes the value of the settings file where the environment has none or an empty one (R-RUN-1)', () => {
  vi.stubEnv('PORT', '8090');
  vi.stubEnv('HOST', '');
  vi.stubEnv('APP_TIMEZONE', undefined);
  try {
    addToEnvironment({ PORT: '1', HOST: '127.0.0.1', APP_TIMEZONE: 'Asia/Jayapura' });
    expect(Object.fromEntries(listChangedSettings())).toMatchObject({
      PORT: '8090',
      HOST: '127.0.0.1',
      APP_TIMEZONE: 'Asia/Jayapura',
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

describe('readSettings with an invalid value (R-RUN-2)', () => {
  it.each([
    ['PORT', 'abc', 'bilangan bulat 0 sampai 65535'],
    ['PORT', '-1', 'bilangan bulat 0 sampai 65535'],
    ['PORT', '65536', 'bilangan bulat 0 sampai 65535'],
    ['PORT', '3000.5', 'bilangan bulat 0 sampai 65535'],
    ['PORT', '0x10', 'bilangan bulat 0 sampai 65535'],
    ['PORT', '1e3', 'bilangan bulat 0 sampai 65535'],
    ['DATABASE_POOL', '0', 'bilangan bulat 1 sampai 100'],
    ['DATABASE_POOL', '101', 'bilangan bulat 1 sampai 100'],
    ['FILES_DIR', '/mnt/berkas', 'kosong bila DATABASE_URL kosong'],
    ['TLS_DOMAIN', 'desa', 'nama domain seperti pbb.desa.id, dipisah koma'],
    ['TLS_DOMAIN', '10.0.0.5', 'nama domain seperti pbb.desa.id, dipisah koma'],
    ['TLS_DOMAIN', 'https://pbb.desa.id', 'nama domain seperti pbb.desa.id, dipisah koma'],
    ['TLS_DOMAIN', '*.desa.id', 'nama domain seperti pbb.desa.id, dipisah koma'],
    ['TLS_DOMAIN', 'pbb_.desa.id', 'nama domain seperti pbb.desa.id, dipisah koma'],
    ['TLS_DOMAIN', 'pbb.desa.id:80', 'nama domain seperti pbb.desa.id, dipisah koma'],
    ['ACME_DIRECTORY', 'http://acme.example/dir', 'alamat https sebuah direktori ACME'],
    ['TLS_EMAIL', 'kantor', 'alamat email seperti admin@pbb.local'],
    ['PUSH_ALLOW', 'https://push.example/x', 'asal seperti https://pajak.example, dipisah koma'],
    ['APP_TIMEZONE', 'Asia/Bandung', 'nama zona waktu IANA seperti Asia/Jakarta'],
    ['APP_TIMEZONE', 'WIB', 'nama zona waktu IANA seperti Asia/Jakarta'],
    ['ADMIN_EMAIL', 'admin', 'alamat email seperti admin@pbb.local'],
    ['ADMIN_EMAIL', 'admin@kantor', 'alamat email seperti admin@pbb.local'],
    ['ADMIN_EMAIL', 'admin@kantor,desa.id', 'alamat email seperti admin@pbb.local'],
    ['CORS_ORIGIN', '*', 'asal seperti https://pajak.example, dipisah koma'],
    ['CORS_ORIGIN', 'pajak.example', 'asal seperti https://pajak.example, dipisah koma'],
    ['CORS_ORIGIN', 'https://pajak.example/', 'asal seperti https://pajak.example, dipisah koma'],
    ['CORS_ORIGIN', 'https://Pajak.example', 'asal seperti https://pajak.example, dipisah koma'],
    ['CORS_ORIGIN', 'ftp://pajak.example', 'asal seperti https://pajak.example, dipisah koma'],
    ['CORS_ORIGIN', 'null', 'asal seperti https://pajak.example, dipisah koma'],
    ['TRUST_PROXY', 'mungkin', 'on, off, atau alamat IP proksi seperti 10.0.0.5, dipisah koma'],
    ['TRUST_PROXY', '10.0.0.0/33', 'on, off, atau alamat IP proksi seperti 10.0.0.5, dipisah koma'],
    ['RATE_LIMITS', '10', 'on atau off'],
    ['LOG_LEVEL', 'loud', 'fatal, error, warn, info, debug, trace, silent'],
    ['BACKUP_EVERY_HOURS', '25', 'bilangan bulat 0 (mati) sampai 24'],
    ['BACKUP_EVERY_HOURS', '1.5', 'bilangan bulat 0 (mati) sampai 24'],
    ['BACKUP_RUNNING_COPY', 'mati', 'on atau off'],
    ['BACKUP_KEEP', '24,14', 'tiga bilangan seperti 24,14,12 (berkala, harian, bulanan); yang pertama minimal 1'],
    ['BACKUP_KEEP', '0,14,12', 'tiga bilangan seperti 24,14,12 (berkala, harian, bulanan); yang pertama minimal 1'],
    ['QUOTA_RECORDS', '-1', 'bilangan bulat 0 (tanpa batas) sampai 9999999'],
    ['QUOTA_PROOFS_MB', '1,5', 'bilangan bulat 0 (tanpa batas) sampai 9999999'],
    ['ERASURE_HOURS', '23', 'bilangan bulat 24 sampai 720'],
    ['ERASURE_HOURS', '721', 'bilangan bulat 24 sampai 720'],
    ['TLS', 'sendiri', 'on atau off'],
    ['TLS_CERT', '/etc/cert.pem', 'berkas PEM bersama TLS_KEY, atau keduanya kosong'],
    ['TLS_PORT', '99999', 'bilangan bulat 0 sampai 65535'],
  ])('names the setting, the value and what is accepted: %s=%s', (name, given, accepted) => {
    expect(problemsOf({ [name]: given })).toEqual([
      `${name}: nilai "${given}" tidak dapat dipakai; yang diterima: ${accepted}`,
    ]);
  });

  it.each([
    ['JWT_SECRET', 'k'.repeat(31), '(31 karakter)', 'teks dengan paling sedikit 32 karakter'],
    ['ADMIN_PASSWORD', 'pendek1', '(7 karakter)', '8 sampai 200 karakter'],
    ['ADMIN_PASSWORD', 'p'.repeat(201), '(201 karakter)', '8 sampai 200 karakter'],
    ['ADMIN_NAME', 'n'.repeat(256), '(256 karakter)', '1 sampai 255 karakter'],
    ['ADMIN_NAME', '\u202E\u200B', '(2 karakter)', 'nama yang terlihat'],
    ['METRICS_TOKEN', 'pendek-sekali', '(13 karakter)', 'paling sedikit 16 karakter'],
    ['METRICS_TOKEN', 'ada spasi di dalamnya', '(21 karakter)', 'huruf, angka, dan -._~+/= tanpa spasi'],
  ])('gives only the length of a value that is secret or long: %s', (name, given, shown, accepted) => {
    const problems = problemsOf({ [name]: given });
    expect(problems).toEqual([`${name}: nilai "${shown}" tidak dapat dipakai; yang diterima: ${accepted}`]);
    expect(problems.join()).not.toContain(given);
  });

  it('cleans the name of the first admin like every other name', () => {
    expect(requireSettingsOf({ ADMIN_NAME: 'Ibu\u202E\tRat\u0007na' }).admin.name).toBe('Ibu Ratna');
  });

  it('makes a line for each invalid value', () => {
    const lines = problemsOf({ PORT: 'abc', APP_TIMEZONE: 'x', CORS_ORIGIN: '*,https://a.example,b', LOG_LEVEL: '9' });
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'APP_TIMEZONE',
      'CORS_ORIGIN',
      'CORS_ORIGIN',
      'LOG_LEVEL',
    ]);
  });

  it('refuses one port for http and https', () => {
    const refused = 'TLS_PORT: nilai "8080" tidak dapat dipakai; yang diterima: porta lain daripada PORT';
    for (const name of [{ TLS: 'on' }, { TLS_DOMAIN: 'pbb.desa.id' }]) {
      expect(problemsOf({ PORT: '8080', TLS_PORT: '8080', ...name })).toEqual([refused]);
      expect(requireSettingsOf({ PORT: '0', TLS_PORT: '0', ...name }).port).toBe(0);
    }
    expect(requireSettingsOf({ PORT: '8080', TLS_PORT: '8080' }).port).toBe(8080);
  });

  it('makes one line of a value with a line break', () => {
    const [line = ''] = problemsOf({ PORT: '30\n00' });
    expect(line).toContain('"30\\n00"');
    expect(line).not.toContain('\n');
  });
});

describe('the settings table', () => {
  const names = Object.keys(settingsTable);

  it('contains only settings that readSettings reads, and all of them', () => {
    const read = new Set<string>();
    const environment = new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get(_target, name) {
          if (typeof name === 'string') read.add(name);
          return undefined;
        },
      },
    );
    readSettings(environment);
    expect([...read].toSorted()).toEqual(names.toSorted());
  });

  it('contains the settings of docs/requirements.md R-RUN-1', () => {
    const [, section = ''] = readFileSync('docs/requirements.md', 'utf8').split('**R-RUN-1**');
    const [table = ''] = section.split('**R-RUN-2**');
    const rowNames = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/[A-Z_]+/g) ?? []);
    expect(rowNames.toSorted()).toEqual(names.toSorted());
  });
});
