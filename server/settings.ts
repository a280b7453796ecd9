import { resolve } from 'node:path';
import { BYTES_PER_MB } from '#shared/limits.ts';
import { settingsTable, type LogLevel, type SettingDefinition, type SettingName } from './settings-table.ts';

/** Everything that can be set from outside, checked once at start. Only this file reads process.env. */
export type Settings = {
  host: string;
  port: number;
  dataDir: string;
  admin: { email: string; password: string | null; name: string };
  timeZone: string;
  /** null: generated and kept in the data folder. */
  jwtSecret: string | null;
  corsOrigins: string[];
  /** Proxies beside this computer whose `X-Forwarded-*` headers count; null: no such header counts. */
  trustedProxies: string[] | null;
  rateLimits: boolean;
  logLevel: LogLevel;
  backup: BackupSettings;
  tls: TlsSettings;
  /** Origins that push subscriptions may name although they are not public. */
  pushAllow: string[];
  /** Whether browsers keep the app's own files, where they can. */
  serviceWorker: boolean;
  /** The bearer token that opens `/metrics`; null: that page does not exist. */
  metricsToken: string | null;
  quota: Quota;
};

/** What one account may store; null: no limit. */
export type Quota = { records: number | null; proofBytes: number | null };

export type BackupSettings = {
  /** Hours between automatic backups; 0: none. */
  everyHours: number;
  /** How many of the newest backups are kept: of each period, of each day, of each month. */
  keep: { periods: number; days: number; months: number };
  /** A second folder (a USB disk, a network share) that gets a copy of each backup. */
  secondDir: string | null;
};

export type TlsSettings = {
  /** PEM files with a certificate and its key. */
  files: { cert: string; key: string } | null;
  /** Without files: make a local certificate authority and use it. */
  local: boolean;
  /** The port for https, beside http; 0 takes a free one. */
  port: number;
  /** Public names with certificates by ACME. */
  public: PublicTlsSettings | null;
};

export type PublicTlsSettings = {
  /** In lower case, at least one. */
  domains: string[];
  email: string | null;
  directory: string;
  /** A PEM file to trust for the connection to the directory. */
  caFile: string | null;
  hsts: boolean;
};

export type SettingsResult = { ok: true; settings: Settings } | { ok: false; problems: string[] };

/**
 * @param environment usually process.env; an empty value counts as not set
 * @param defaultDataDir the data folder when DATA_DIR is not set
 * @returns the settings, or one line for each invalid setting
 */
export function readSettings(
  environment: NodeJS.ProcessEnv = process.env,
  defaultDataDir: string = settingsTable.DATA_DIR.defaultText,
): SettingsResult {
  const problems: string[] = [];
  const refuse = (name: SettingName, given: string, accepted: string): void => {
    // Escaped: a value with a line break still makes one line.
    problems.push(`${name}: nilai ${JSON.stringify(given)} tidak dapat dipakai; yang diterima: ${accepted}`);
  };
  const read = <T>(name: SettingName, { defaultText, parse, keepsSpaces }: SettingDefinition<T>): T => {
    const given = keepsSpaces ? environment[name] : environment[name]?.trim();
    const text = given || defaultText;
    return parse(text, (accepted, shown = text) => refuse(name, shown, accepted));
  };

  const domains = read('TLS_DOMAIN', settingsTable.TLS_DOMAIN);
  const withPublicDefault = (definition: SettingDefinition<number>, defaultText: string): SettingDefinition<number> =>
    domains.length > 0 ? { ...definition, defaultText } : definition;
  const port = read('PORT', withPublicDefault(settingsTable.PORT, '80'));
  const timeZone = read('APP_TIMEZONE', settingsTable.APP_TIMEZONE);
  const jwtSecret = read('JWT_SECRET', settingsTable.JWT_SECRET);
  const admin = {
    email: read('ADMIN_EMAIL', settingsTable.ADMIN_EMAIL),
    password: read('ADMIN_PASSWORD', settingsTable.ADMIN_PASSWORD),
    name: read('ADMIN_NAME', settingsTable.ADMIN_NAME),
  };
  const corsOrigins = read('CORS_ORIGIN', settingsTable.CORS_ORIGIN);
  const logLevel = read('LOG_LEVEL', settingsTable.LOG_LEVEL);
  const everyHours = read('BACKUP_EVERY_HOURS', settingsTable.BACKUP_EVERY_HOURS);
  const keep = read('BACKUP_KEEP', settingsTable.BACKUP_KEEP);
  const secondDir = read('BACKUP_SECOND_DIR', settingsTable.BACKUP_SECOND_DIR);
  const cert = read('TLS_CERT', settingsTable.TLS_CERT);
  const key = read('TLS_KEY', settingsTable.TLS_KEY);
  if ((cert === null) !== (key === null)) {
    refuse('TLS_CERT', cert ?? '', 'berkas PEM bersama TLS_KEY, atau keduanya kosong');
  }
  const localTls = read('TLS', settingsTable.TLS);
  const tlsPort = read('TLS_PORT', withPublicDefault(settingsTable.TLS_PORT, '443'));
  const usesHttps = domains.length > 0 || cert !== null || localTls;
  if (usesHttps && tlsPort === port && port !== 0) refuse('TLS_PORT', String(tlsPort), 'porta lain daripada PORT');
  if (domains.length > 0 && cert !== null) {
    refuse(
      'TLS_DOMAIN',
      domains.join(','),
      'kosong bila TLS_CERT dan TLS_KEY diisi: hanya salah satu yang dapat dipakai',
    );
  }
  const acme = {
    email: read('TLS_EMAIL', settingsTable.TLS_EMAIL),
    directory: read('ACME_DIRECTORY', settingsTable.ACME_DIRECTORY),
    caFile: read('ACME_CA', settingsTable.ACME_CA),
  };
  const hsts = read('TLS_HSTS', settingsTable.TLS_HSTS);
  const pushAllow = read('PUSH_ALLOW', settingsTable.PUSH_ALLOW);
  const serviceWorker = read('SERVICE_WORKER', settingsTable.SERVICE_WORKER);
  const metricsToken = read('METRICS_TOKEN', settingsTable.METRICS_TOKEN);
  const quotaRecords = read('QUOTA_RECORDS', settingsTable.QUOTA_RECORDS);
  const quotaProofsMb = read('QUOTA_PROOFS_MB', settingsTable.QUOTA_PROOFS_MB);
  const trustedProxies = read('TRUST_PROXY', settingsTable.TRUST_PROXY);
  const rateLimits = read('RATE_LIMITS', settingsTable.RATE_LIMITS);
  const host = read('HOST', settingsTable.HOST);
  const dataDir = read('DATA_DIR', { ...settingsTable.DATA_DIR, defaultText: defaultDataDir });
  if (problems.length > 0) return { ok: false, problems };

  const settings: Settings = {
    host,
    port,
    dataDir: resolve(dataDir),
    admin,
    timeZone,
    jwtSecret,
    corsOrigins,
    trustedProxies,
    rateLimits,
    logLevel,
    backup: { everyHours, keep, secondDir: secondDir === null ? null : resolve(secondDir) },
    tls: {
      files: cert !== null && key !== null ? { cert: resolve(cert), key: resolve(key) } : null,
      local: localTls,
      port: tlsPort,
      public:
        domains.length > 0
          ? { domains, ...acme, caFile: acme.caFile === null ? null : resolve(acme.caFile), hsts }
          : null,
    },
    pushAllow,
    serviceWorker,
    metricsToken,
    quota: { records: quotaRecords, proofBytes: quotaProofsMb === null ? null : quotaProofsMb * BYTES_PER_MB },
  };
  return { ok: true, settings };
}

/** Adds settings of a file to the environment; like process.loadEnvFile it never replaces a value. */
export function addToEnvironment(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}
