import { resolve } from 'node:path';
import { email as emailSchema } from '#shared/api/fields.ts';
import { DEFAULT_TIME_ZONE, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN_REGISTER } from '#shared/limits.ts';

/** Everything that can be set from outside, checked once at start (contract 1). The only reader of process.env. */
export type Settings = {
  host: string;
  port: number;
  dataDir: string;
  admin: { email: string; password: string | null; name: string };
  timeZone: string;
  /** null: generated and kept in the data folder. */
  jwtSecret: string | null;
  corsOrigins: string[];
  trustProxy: boolean;
  rateLimits: boolean;
  logLevel: LogLevel;
  backup: BackupSettings;
  tls: TlsSettings;
  /** Opens `/metrics` to whoever sends it as a bearer token; null: there is no such page. */
  metricsToken: string | null;
};

export type BackupSettings = {
  /** Hours between automatic backups; 0: none. */
  everyHours: number;
  /** How many of the newest are kept: of each period, of each day, of each month. */
  keep: { periods: number; days: number; months: number };
  /** A second folder (a USB disk, a network share) that gets a copy of each. */
  secondDir: string | null;
};

export type TlsSettings = {
  /** An own certificate and key, PEM files. */
  files: { cert: string; key: string } | null;
  /** Without files: make a local certificate authority and use it. */
  local: boolean;
  /** Where https listens, beside http; 0 takes a free port. */
  port: number;
};

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type SettingsResult = { ok: true; settings: Settings } | { ok: false; problems: string[] };

const FLAGS = new Map([
  ...['1', 'true', 'on', 'yes'].map((word) => [word, true] as const),
  ...['0', 'false', 'off', 'no'].map((word) => [word, false] as const),
]);
const SECRET_MIN = 32;
const METRICS_TOKEN_MIN = 16;
const BACKUP_HOURS_MAX = 24;
const BACKUP_KEEP = /^(\d{1,3}),\s*(\d{1,3}),\s*(\d{1,3})$/;

/**
 * @param environment usually process.env; an empty value counts as not set
 * @param defaultDataDir the data folder where none is given
 * @returns the settings, or one line for each setting that makes no sense
 */
export function readSettings(environment: NodeJS.ProcessEnv = process.env, defaultDataDir = './data'): SettingsResult {
  const problems: string[] = [];
  const value = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const refuse = (name: string, given: string, accepted: string): void => {
    // Escaped, so that a value with a line break still makes one line.
    problems.push(`${name}: nilai ${JSON.stringify(given)} tidak dapat dipakai; yang diterima: ${accepted}`);
  };
  const flag = (name: string, byDefault: boolean): boolean => {
    const given = value(name);
    const known = FLAGS.get(given?.toLowerCase() ?? '');
    if (given !== undefined && known === undefined) refuse(name, given, 'on atau off');
    return known ?? byDefault;
  };

  const portOf = (name: string, byDefault: string): number => {
    const given = value(name) ?? byDefault;
    if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535) refuse(name, given, 'bilangan bulat 0 sampai 65535');
    return Number(given);
  };
  const port = portOf('PORT', '3000');

  const timeZone = value('APP_TIMEZONE') ?? DEFAULT_TIME_ZONE;
  if (!isTimeZone(timeZone)) refuse('APP_TIMEZONE', timeZone, 'nama zona waktu IANA seperti Asia/Jakarta');

  const jwtSecret = value('JWT_SECRET') ?? null;
  // The secret itself is not repeated: this line may end in a log.
  if (jwtSecret !== null && jwtSecret.length < SECRET_MIN) {
    refuse('JWT_SECRET', `(${jwtSecret.length} karakter)`, `teks dengan paling sedikit ${SECRET_MIN} karakter`);
  }

  // By the rule of the login form: an address that it refuses could never sign in.
  const givenEmail = value('ADMIN_EMAIL') ?? 'admin@pbb.local';
  const email = emailSchema().safeParse(givenEmail);
  if (!email.success) refuse('ADMIN_EMAIL', givenEmail, 'alamat email seperti admin@pbb.local');

  // Passwords are never trimmed (contract 2).
  const password = environment['ADMIN_PASSWORD'] || null;
  if (password !== null && (password.length < PASSWORD_MIN_REGISTER || password.length > PASSWORD_MAX)) {
    const accepted = `${PASSWORD_MIN_REGISTER} sampai ${PASSWORD_MAX} karakter`;
    refuse('ADMIN_PASSWORD', `(${password.length} karakter)`, accepted);
  }

  const name = value('ADMIN_NAME') ?? 'Administrator';
  if (name.length > NAME_MAX) refuse('ADMIN_NAME', `(${name.length} karakter)`, `1 sampai ${NAME_MAX} karakter`);

  const corsOrigins = (value('CORS_ORIGIN') ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  for (const origin of corsOrigins) {
    if (!isOrigin(origin)) refuse('CORS_ORIGIN', origin, 'asal seperti https://pajak.example, dipisah koma');
  }

  const givenLevel = value('LOG_LEVEL') ?? 'info';
  const logLevel = LOG_LEVELS.find((level) => level === givenLevel.toLowerCase());
  if (!logLevel) refuse('LOG_LEVEL', givenLevel, LOG_LEVELS.join(', '));

  const everyHours = value('BACKUP_EVERY_HOURS') ?? '2';
  if (!/^\d{1,2}$/.test(everyHours) || Number(everyHours) > BACKUP_HOURS_MAX) {
    refuse('BACKUP_EVERY_HOURS', everyHours, `bilangan bulat 0 (mati) sampai ${BACKUP_HOURS_MAX}`);
  }
  const givenKeep = value('BACKUP_KEEP') ?? '24,14,12';
  const [, periods = '', days = '', months = ''] = BACKUP_KEEP.exec(givenKeep) ?? [];
  if (Number(periods) < 1) {
    refuse(
      'BACKUP_KEEP',
      givenKeep,
      'tiga bilangan seperti 24,14,12 (berkala, harian, bulanan); yang pertama minimal 1',
    );
  }
  const secondDir = value('BACKUP_SECOND_DIR');

  const cert = value('TLS_CERT');
  const key = value('TLS_KEY');
  if ((cert === undefined) !== (key === undefined)) {
    refuse('TLS_CERT', cert ?? '', 'berkas PEM bersama TLS_KEY, atau keduanya kosong');
  }
  const tlsPort = portOf('TLS_PORT', '3443');

  const metricsToken = value('METRICS_TOKEN') ?? null;
  if (metricsToken !== null && !/^[\w.~+/=-]+$/.test(metricsToken)) {
    refuse('METRICS_TOKEN', `(${metricsToken.length} karakter)`, 'huruf, angka, dan -._~+/= tanpa spasi');
  } else if (metricsToken !== null && metricsToken.length < METRICS_TOKEN_MIN) {
    refuse('METRICS_TOKEN', `(${metricsToken.length} karakter)`, `paling sedikit ${METRICS_TOKEN_MIN} karakter`);
  }

  const trustProxy = flag('TRUST_PROXY', false);
  const rateLimits = flag('RATE_LIMITS', true);
  const localTls = flag('TLS', false);
  if (problems.length > 0 || !email.success || !logLevel) return { ok: false, problems };

  const settings: Settings = {
    host: value('HOST') ?? '0.0.0.0',
    port,
    dataDir: resolve(value('DATA_DIR') ?? defaultDataDir),
    admin: { email: email.data, password, name },
    timeZone,
    jwtSecret,
    corsOrigins,
    trustProxy,
    rateLimits,
    logLevel,
    backup: {
      everyHours: Number(everyHours),
      keep: { periods: Number(periods), days: Number(days), months: Number(months) },
      secondDir: secondDir === undefined ? null : resolve(secondDir),
    },
    tls: { files: cert && key ? { cert: resolve(cert), key: resolve(key) } : null, local: localTls, port: tlsPort },
    metricsToken,
  };
  return { ok: true, settings };
}

/** What a file says, below what the environment says already (as process.loadEnvFile, for a text that was read before). */
export function addToEnvironment(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('id-ID', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Scheme, host and port as a browser's Origin header spells them: no path, no closing slash. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
