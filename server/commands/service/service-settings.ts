import { BYTES_PER_MB } from '#shared/limits.ts';
import { settingsTable, type SettingName } from '#server/settings-table.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { CommandError } from '../terminal/command-errors.ts';

const onOff = (flag: boolean): string => (flag ? 'on' : 'off');

/** The service gets the data folder as an option, and the first administrator is made before it starts. */
type StoredSetting = Exclude<SettingName, 'DATA_DIR' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD' | 'ADMIN_NAME'>;

/** Turns settings back into the text of their environment variables. */
function toEnvironment({ backup, tls, quota, ...settings }: Settings): Record<StoredSetting, string> {
  return {
    HOST: settings.host,
    PORT: String(settings.port),
    APP_TIMEZONE: settings.timeZone,
    JWT_SECRET: settings.jwtSecret ?? '',
    CORS_ORIGIN: settings.corsOrigins.join(','),
    TRUST_PROXY: settings.trustedProxies?.join(',') || onOff(settings.trustedProxies !== null),
    RATE_LIMITS: onOff(settings.rateLimits),
    QUOTA_RECORDS: String(quota.records ?? 0),
    QUOTA_PROOFS_MB: String((quota.proofBytes ?? 0) / BYTES_PER_MB),
    LOG_LEVEL: settings.logLevel,
    BACKUP_EVERY_HOURS: String(backup.everyHours),
    BACKUP_KEEP: [backup.keep.periods, backup.keep.days, backup.keep.months].join(','),
    BACKUP_SECOND_DIR: backup.secondDir ?? '',
    TLS_CERT: tls.files?.cert ?? '',
    TLS_KEY: tls.files?.key ?? '',
    TLS: onOff(tls.local),
    TLS_PORT: String(tls.port),
    TLS_DOMAIN: tls.public?.domains.join(',') ?? '',
    TLS_EMAIL: tls.public?.email ?? '',
    ACME_DIRECTORY: tls.public?.directory ?? settingsTable.ACME_DIRECTORY.defaultText,
    ACME_CA: tls.public?.caFile ?? '',
    TLS_HSTS: onOff(tls.public?.hsts ?? false),
    PUSH_ALLOW: settings.pushAllow.join(','),
    SERVICE_WORKER: onOff(settings.serviceWorker),
    METRICS_TOKEN: settings.metricsToken ?? '',
  };
}

/**
 * The lines of the settings file of a service: it starts with another environment than this command.
 * @returns one line for each setting that differs from its default
 * @throws CommandError for a value that the file cannot hold
 */
export function settingsLines(settings: Settings): string[] {
  const environment = toEnvironment(settings);
  // The default ports depend on TLS_DOMAIN.
  const defaults = readSettings({ TLS_DOMAIN: environment.TLS_DOMAIN });
  const byDefault: Record<string, string> = defaults.ok ? toEnvironment(defaults.settings) : {};
  byDefault['TLS_DOMAIN'] = '';
  return Object.entries(environment)
    .filter(([name, value]) => value !== byDefault[name])
    .map(([name, value]) => `${name}=${quoteValue(name, value)}`);
}

function quoteValue(name: string, value: string): string {
  if (/^[\w.:/@,+=~-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark));
  if (quote !== undefined && !value.includes('\n')) return `${quote}${value}${quote}`;
  throw new CommandError(
    `${name}: nilainya tidak dapat disimpan dalam berkas setelan; yang diterima: tanpa tanda kutip`,
  );
}
