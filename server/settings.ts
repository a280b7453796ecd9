import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { BYTES_PER_MB } from '#shared/limits.ts';
import { parsePostgresUrl, type PostgresAddress } from '#server/db/postgres/address.ts';
import {
  settingDefinitions,
  settingsTable,
  type LogLevel,
  type SettingDefinition,
  type SettingName,
  type SettingValues,
} from './settings-table.ts';

/** Everything that can be set from outside, checked once at start. Only this file reads process.env. */
export type Settings = {
  host: string;
  port: number;
  dataDir: string;
  /** PostgreSQL in place of the file in the data folder; null: that file. */
  postgres: { address: PostgresAddress; pool: number } | null;
  /** The folder of photos and files; null: in the data folder. */
  filesDir: string | null;
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
  /** The hours in which the office decides about a request to delete an account. */
  erasureHours: number;
  /** Whether admins without a second factor reach only its set-up (R-ACCESS-70). */
  adminsNeedFactor: boolean;
};

/** The limits of one account; null: no limit. */
export type Quota = { records: number | null; proofBytes: number | null };

export type BackupSettings = {
  /** Hours between automatic backups; 0: none. */
  everyHours: number;
  /** The numbers of the newest backups that are kept: of each period, of each day, of each month. */
  keep: { periods: number; days: number; months: number };
  /** A second folder (a USB disk, a network share) that gets a copy of each backup. */
  secondDir: string | null;
  /** Whether the second folder has a running copy too. */
  runningCopy: boolean;
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
 * @param options.isMove an office moves between the engines, so the settings of both may be there
 * @returns the settings, or one line for each invalid setting
 */
export function readSettings(
  environment: NodeJS.ProcessEnv = process.env,
  defaultDataDir: string = settingsTable.DATA_DIR.defaultText,
  { isMove = false } = {},
): SettingsResult {
  const { values, problems } = readValues(environment, defaultDataDir);
  problems.push(...(isMove ? [] : findEngineConflicts(values)), ...findConflicts(values));
  if (problems.length > 0 || !isComplete(values)) return { ok: false, problems };
  return { ok: true, settings: toSettings(values) };
}

/** Reads each setting alone. @returns the valid ones, and a line for each mistake in the others */
function readValues(
  environment: NodeJS.ProcessEnv,
  defaultDataDir: string,
): { values: Partial<SettingValues>; problems: string[] } {
  const values: Partial<Record<SettingName, unknown>> = {};
  const problems: string[] = [];
  for (const { name, definition, text } of listTexts(environment, defaultDataDir)) {
    const result = definition.schema.safeParse(text, { reportInput: true });
    if (result.success) values[name] = result.data;
    else
      problems.push(
        ...result.error.issues.map((issue) => refusal(name, shownValue(definition, text, issue), issue.message)),
      );
  }
  return { values: values as Partial<SettingValues>, problems };
}

/** Each setting with its text: the given one, or else its default. */
function listTexts(environment: NodeJS.ProcessEnv, defaultDataDir: string) {
  const isPublic = /[^\s,]/.test(environment['TLS_DOMAIN'] ?? '');
  return settingDefinitions.map(([name, definition]) => {
    const given = definition.keepsSpaces ? environment[name] : environment[name]?.trim();
    const publicDefault = isPublic ? definition.publicDefaultText : undefined;
    const defaultText = name === 'DATA_DIR' ? defaultDataDir : (publicDefault ?? definition.defaultText);
    return { name, definition, text: given || defaultText, defaultText };
  });
}

/**
 * The settings that differ from their defaults, as text for another process.
 * @param environment one that `readSettings` accepts
 * @returns paths are absolute, because that process may run in another folder
 */
export function listChangedSettings(environment: NodeJS.ProcessEnv = process.env): [SettingName, string][] {
  return listTexts(environment, settingsTable.DATA_DIR.defaultText)
    .filter(({ definition: { schema }, text, defaultText }) => {
      return !isDeepStrictEqual(schema.parse(text), schema.parse(defaultText));
    })
    .map(({ name, definition, text }) => [name, definition.isPath ? resolve(text) : text]);
}

/** An error line repeats the value, or of a list the wrong entry or the number of entries. */
function shownValue({ isHidden }: SettingDefinition, text: string, { path, input }: z.core.$ZodIssue): string {
  if (isHidden) return `(${text.length} karakter)`;
  if (Array.isArray(input)) return String(input.length);
  return path.length > 0 ? String(input) : text;
}

/** The value is escaped: one with a line break still makes one line. */
const refusal = (name: SettingName, given: string, accepted: string): string =>
  `${name}: nilai ${JSON.stringify(given)} tidak dapat dipakai; yang diterima: ${accepted}`;

/** Compares the settings of PostgreSQL with each other. */
function findEngineConflicts(values: Partial<SettingValues>): string[] {
  const { DATABASE_URL: databaseUrl = null, FILES_DIR: filesDir = null, JWT_SECRET: secret } = values;
  const conflicts: string[] = [];
  if (databaseUrl !== null && secret === null) {
    conflicts.push(refusal('JWT_SECRET', '', 'teks dengan paling sedikit 32 karakter, bila DATABASE_URL diisi'));
  }
  if (databaseUrl === null && filesDir !== null) {
    conflicts.push(refusal('FILES_DIR', filesDir, 'kosong bila DATABASE_URL kosong'));
  }
  return conflicts;
}

/** Compares settings with each other; one that is invalid has its own line. */
function findConflicts(values: Partial<SettingValues>): string[] {
  const {
    PORT: port,
    TLS_PORT: tlsPort,
    TLS_CERT: cert = null,
    TLS_KEY: key = null,
    TLS_DOMAIN: domains = [],
  } = values;
  const conflicts: string[] = [];
  if ((cert === null) !== (key === null)) {
    conflicts.push(refusal('TLS_CERT', cert ?? '', 'berkas PEM bersama TLS_KEY, atau keduanya kosong'));
  }
  const usesHttps = domains.length > 0 || cert !== null || values.TLS === true;
  if (usesHttps && tlsPort !== undefined && tlsPort === port && port !== 0) {
    conflicts.push(refusal('TLS_PORT', String(tlsPort), 'porta lain daripada PORT'));
  }
  if (domains.length > 0 && cert !== null) {
    const accepted = 'kosong bila TLS_CERT dan TLS_KEY diisi: hanya salah satu yang dapat dipakai';
    conflicts.push(refusal('TLS_DOMAIN', domains.join(','), accepted));
  }
  return conflicts;
}

const isComplete = (values: Partial<SettingValues>): values is SettingValues =>
  settingDefinitions.every(([name]) => name in values);

function toSettings(values: SettingValues): Settings {
  const quotaMb = values.QUOTA_PROOFS_MB;
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    postgres: toPostgresSettings(values),
    filesDir: resolveOptional(values.FILES_DIR),
    admin: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD, name: values.ADMIN_NAME },
    timeZone: values.APP_TIMEZONE,
    jwtSecret: values.JWT_SECRET,
    corsOrigins: values.CORS_ORIGIN,
    trustedProxies: values.TRUST_PROXY,
    rateLimits: values.RATE_LIMITS,
    logLevel: values.LOG_LEVEL,
    backup: {
      everyHours: values.BACKUP_EVERY_HOURS,
      keep: values.BACKUP_KEEP,
      secondDir: resolveOptional(values.BACKUP_SECOND_DIR),
      runningCopy: values.BACKUP_RUNNING_COPY,
    },
    tls: toTlsSettings(values),
    pushAllow: values.PUSH_ALLOW,
    serviceWorker: values.SERVICE_WORKER,
    metricsToken: values.METRICS_TOKEN,
    quota: { records: values.QUOTA_RECORDS, proofBytes: quotaMb === null ? null : quotaMb * BYTES_PER_MB },
    erasureHours: values.ERASURE_HOURS,
    adminsNeedFactor: values.REQUIRE_ADMIN_SECOND_FACTOR,
  };
}

function toPostgresSettings({ DATABASE_URL: url, DATABASE_POOL: pool }: SettingValues): Settings['postgres'] {
  const address = url === null ? null : parsePostgresUrl(url);
  return address && { address, pool };
}

function toTlsSettings(values: SettingValues): TlsSettings {
  const [cert, key] = [resolveOptional(values.TLS_CERT), resolveOptional(values.TLS_KEY)];
  const domains = values.TLS_DOMAIN;
  return {
    files: cert !== null && key !== null ? { cert, key } : null,
    local: values.TLS,
    port: values.TLS_PORT,
    public:
      domains.length === 0
        ? null
        : {
            domains,
            email: values.TLS_EMAIL,
            directory: values.ACME_DIRECTORY,
            caFile: resolveOptional(values.ACME_CA),
            hsts: values.TLS_HSTS,
          },
  };
}

const resolveOptional = (path: string | null): string | null => (path === null ? null : resolve(path));

/** Adds settings of a file to the environment; it replaces no value, and an empty one counts as not set. */
export function addToEnvironment(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ||= value;
}
