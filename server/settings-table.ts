import { email as emailSchema } from '#shared/api/fields.ts';
import { cleanName } from '#shared/domain/person-name.ts';
import { isAddressOrNetwork } from '#server/security/ip-addresses.ts';
import {
  DEFAULT_TIME_ZONE,
  NAME_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN_REGISTER,
  QUOTA_PROOFS_MB_DEFAULT,
  QUOTA_RECORDS_DEFAULT,
} from '#shared/limits.ts';

/**
 * Refuses a value. The error line says what is accepted, in Indonesian.
 * @param shown stands in the line instead of the value: a secret may not end in a log
 */
export type Refuse = (accepted: string, shown?: string) => void;

export type SettingDefinition<T> = {
  /** The value of a setting that is not given, as it is written in .env.example; empty: no value. */
  defaultText: string;
  /** @returns the parsed value; what it returns after a refusal is never used */
  parse: (given: string, refuse: Refuse) => T;
  /** Spaces around the value belong to it. */
  keepsSpaces?: boolean;
  /** English, for the table in README.md. */
  description: string;
  /** The default in README.md, where `defaultText` does not say it. */
  defaultDescription?: string;
  /** Indonesian, for the comments in .env.example; empty: the comment of a related setting explains it. */
  help: string;
};

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const FLAGS = new Map([
  ...['1', 'true', 'on', 'yes'].map((word) => [word, true] as const),
  ...['0', 'false', 'off', 'no'].map((word) => [word, false] as const),
]);
const PORT_MAX = 65_535;
/** Letters, digits and hyphens, at least two labels, and a last one that is no number, as in RFC 1123. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
const DOMAIN_MAX = 253;
/** As many names as Let's Encrypt puts into one certificate. */
const DOMAINS_MAX = 100;
const SECRET_MIN_LENGTH = 32;
const METRICS_TOKEN_MIN_LENGTH = 16;
const BACKUP_HOURS_MAX = 24;
const BACKUP_KEEP = /^(\d{1,3}),\s*(\d{1,3}),\s*(\d{1,3})$/;

/**
 * Every setting, once. settings.test.ts compares README.md and .env.example with it (docs/requirements.md R-RUN-1,
 * R-RUN-2).
 */
export const settingsTable = {
  HOST: {
    defaultText: '0.0.0.0',
    parse: parseText,
    description: 'the address on which the server listens',
    help: 'Di mana server mendengarkan.',
  },
  PORT: {
    defaultText: '3000',
    parse: parsePort,
    description: 'the port for http; `0` takes a free one',
    defaultDescription: '`3000`; with `TLS_DOMAIN` `80`',
    help: 'PORT=0 mengambil porta bebas. Dengan TLS_DOMAIN bawaannya 80.',
  },
  DATA_DIR: {
    defaultText: './data',
    parse: parseText,
    description: 'the one folder with everything to keep',
    defaultDescription: '`./data`; the single binary: `data` beside it',
    help: 'Satu folder untuk semua yang harus disimpan: database, foto dan dokumen, kunci, cadangan, log.',
  },
  ADMIN_EMAIL: {
    defaultText: 'admin@pbb.local',
    parse: parseEmail,
    description: 'the first administrator, made when there is none',
    help: 'Administrator pertama; hanya dibuat bila belum ada satu pun.',
  },
  ADMIN_PASSWORD: {
    defaultText: '',
    parse: optional((given, refuse) => {
      if (given.length < PASSWORD_MIN_REGISTER || given.length > PASSWORD_MAX) {
        refuse(`${PASSWORD_MIN_REGISTER} sampai ${PASSWORD_MAX} karakter`, countCharacters(given));
      }
      return given;
    }),
    // A password is never changed (R-AUTH-7).
    keepsSpaces: true,
    description: 'the first administrator’s password, 8 to 200 characters',
    defaultDescription: 'generated, shown once',
    help: 'Tanpa ADMIN_PASSWORD, password dibuat dan ditampilkan sekali di terminal.',
  },
  ADMIN_NAME: {
    defaultText: 'Administrator',
    parse: (given: string, refuse: Refuse): string => {
      const name = cleanName(given);
      if (name === '') refuse('nama yang terlihat', countCharacters(given));
      if (name.length > NAME_MAX) refuse(`1 sampai ${NAME_MAX} karakter`, countCharacters(name));
      return name;
    },
    description: 'the first administrator’s name',
    help: '',
  },
  APP_TIMEZONE: {
    defaultText: DEFAULT_TIME_ZONE,
    parse: (given: string, refuse: Refuse): string => {
      if (!isTimeZone(given)) refuse('nama zona waktu IANA seperti Asia/Jakarta');
      return given;
    },
    description: 'decides what "today" and "this year" mean',
    help: 'Zona waktu yang menentukan "hari ini", "bulan ini", dan "tahun ini".',
  },
  JWT_SECRET: {
    defaultText: '',
    parse: optional((given, refuse) => {
      if (given.length < SECRET_MIN_LENGTH) {
        refuse(`teks dengan paling sedikit ${SECRET_MIN_LENGTH} karakter`, countCharacters(given));
      }
      return given;
    }),
    description: 'signs tokens and proof links, 32 characters at least',
    defaultDescription: 'generated, kept in `DATA_DIR`',
    help: 'Kunci penanda tangan token, paling sedikit 32 karakter; kosong berarti dibuat dan disimpan di DATA_DIR.',
  },
  CORS_ORIGIN: {
    defaultText: '',
    parse: parseOrigins,
    description: 'other origins that may call the API and the socket, comma-separated',
    help: 'Asal lain yang boleh memanggil API dan soket, dipisah koma; kosong berarti hanya alamat sendiri.',
  },
  TRUST_PROXY: {
    defaultText: 'off',
    parse: parseTrustedProxies,
    description:
      'believe the `X-Forwarded-*` headers of a proxy: `on` of one on this computer, or also of the addresses and networks listed here (`10.0.0.5,172.18.0.0/16`)',
    help: 'Percayai X-Forwarded-* dari proksi: on untuk proksi di komputer ini, atau alamat proksi lain dipisah koma.',
  },
  RATE_LIMITS: {
    defaultText: 'on',
    parse: parseFlag,
    description: '`off` for load tests only',
    help: 'off hanya untuk uji beban.',
  },
  QUOTA_RECORDS: {
    defaultText: String(QUOTA_RECORDS_DEFAULT),
    parse: parseQuota,
    description: 'records that one account may have; `0`: no limit',
    help: 'Paling banyak data PBB untuk satu akun; 0 berarti tanpa batas.',
  },
  QUOTA_PROOFS_MB: {
    defaultText: String(QUOTA_PROOFS_MB_DEFAULT),
    parse: parseQuota,
    description: 'megabytes of payment proofs and files in messages that one account may have; `0`: no limit',
    help: 'Paling banyak foto bukti dan berkas obrolan untuk satu akun, dalam MB; 0 berarti tanpa batas.',
  },
  LOG_LEVEL: {
    defaultText: 'info',
    parse: (given: string, refuse: Refuse): LogLevel => {
      const level = LOG_LEVELS.find((known) => known === given.toLowerCase());
      if (!level) refuse(LOG_LEVELS.join(', '));
      return level ?? 'info';
    },
    description: 'pino level; JSON lines in `DATA_DIR/logs`, and on standard output unless that is a terminal',
    help: 'fatal, error, warn, info, debug, trace, atau silent.',
  },
  BACKUP_EVERY_HOURS: {
    defaultText: '2',
    parse: (given: string, refuse: Refuse): number => {
      if (!/^\d{1,2}$/.test(given) || Number(given) > BACKUP_HOURS_MAX) {
        refuse(`bilangan bulat 0 (mati) sampai ${BACKUP_HOURS_MAX}`);
      }
      return Number(given);
    },
    description: 'hours between automatic backups; `0`: none',
    help: 'Cadangan otomatis setiap sekian jam; 0 mematikannya.',
  },
  BACKUP_KEEP: {
    defaultText: '24,14,12',
    parse: (given: string, refuse: Refuse): { periods: number; days: number; months: number } => {
      const [, periods = '', days = '', months = ''] = BACKUP_KEEP.exec(given) ?? [];
      if (Number(periods) < 1) {
        refuse('tiga bilangan seperti 24,14,12 (berkala, harian, bulanan); yang pertama minimal 1');
      }
      return { periods: Number(periods), days: Number(days), months: Number(months) };
    },
    description: 'how many periodic, daily and monthly backups are kept',
    help: 'Berapa yang disimpan: berkala, harian, bulanan.',
  },
  BACKUP_SECOND_DIR: {
    defaultText: '',
    parse: optional(parseText),
    description: 'a second folder (a USB disk, a network share) that gets each backup too',
    help: 'Folder kedua (disk USB, folder jaringan) yang juga mendapat setiap cadangan.',
  },
  TLS: {
    defaultText: 'off',
    parse: parseFlag,
    description: 'https beside http, with a certificate authority of its own',
    help: 'https untuk jaringan kantor dengan sertifikat buatan sendiri (on), atau dengan berkas PEM sendiri.',
  },
  TLS_PORT: {
    defaultText: '3443',
    parse: parsePort,
    description: 'the port for https',
    defaultDescription: '`3443`; with `TLS_DOMAIN` `443`',
    help: 'Dengan TLS_DOMAIN bawaannya 443.',
  },
  TLS_CERT: {
    defaultText: '',
    parse: optional(parseText),
    description: 'https with this certificate (a PEM file) instead; needs `TLS_KEY`',
    help: '',
  },
  TLS_KEY: {
    defaultText: '',
    parse: optional(parseText),
    description: 'the private key of `TLS_CERT` (a PEM file)',
    help: '',
  },
  TLS_DOMAIN: {
    defaultText: '',
    parse: parseDomains,
    description: 'public host names, comma-separated, for which the server gets and renews certificates by ACME',
    help: 'Nama domain publik, misalnya pbb.desa.id: sertifikat asli diambil dan diperbarui sendiri. Lihat panduan.',
  },
  TLS_EMAIL: {
    defaultText: '',
    parse: optional(parseEmail),
    description: 'contact address for the ACME directory',
    help: 'Email yang dapat dihubungi penerbit sertifikat (boleh kosong).',
  },
  ACME_DIRECTORY: {
    defaultText: 'https://acme-v02.api.letsencrypt.org/directory',
    parse: parseDirectory,
    description: 'the ACME directory',
    help: 'Penerbit sertifikat (ACME) dan, untuk uji coba, berkas PEM yang menjaminnya.',
  },
  ACME_CA: {
    defaultText: '',
    parse: optional(parseText),
    description: 'a PEM file with an authority to trust for the connection to a test directory',
    help: '',
  },
  TLS_HSTS: {
    defaultText: 'off',
    parse: parseFlag,
    description:
      'with `TLS_DOMAIN`: tell browsers to use only https for these names for half a year; cannot be taken back before',
    help: 'on: peramban hanya memakai https untuk domain itu selama setengah tahun; tidak dapat dibatalkan lebih awal.',
  },
  PUSH_ALLOW: {
    defaultText: '',
    parse: parseOrigins,
    description: 'origins of push services that are not public, comma-separated; for tests only',
    help: 'Hanya untuk pengujian: asal layanan notifikasi yang tidak publik, dipisah koma.',
  },
  SERVICE_WORKER: {
    defaultText: 'on',
    parse: parseFlag,
    description: '`off` removes the service worker and the files that it keeps from every browser at its next visit',
    help: 'off menghapus service worker dan berkas yang disimpannya dari setiap peramban pada kunjungan berikutnya.',
  },
  METRICS_TOKEN: {
    defaultText: '',
    parse: optional((given, refuse) => {
      if (!/^[\w.~+/=-]+$/.test(given)) refuse('huruf, angka, dan -._~+/= tanpa spasi', countCharacters(given));
      else if (given.length < METRICS_TOKEN_MIN_LENGTH) {
        refuse(`paling sedikit ${METRICS_TOKEN_MIN_LENGTH} karakter`, countCharacters(given));
      }
      return given;
    }),
    description: 'opens `GET /metrics` (Prometheus) to this bearer token, 16 characters at least',
    help: 'Membuka /metrics (Prometheus) bagi yang mengirim token ini sebagai bearer; paling sedikit 16 karakter.',
  },
} satisfies Record<string, SettingDefinition<unknown>>;

export type SettingName = keyof typeof settingsTable;

function optional<T>(parse: (given: string, refuse: Refuse) => T) {
  return (given: string, refuse: Refuse): T | null => (given === '' ? null : parse(given, refuse));
}

function parseText(given: string): string {
  return given;
}

function parseFlag(given: string, refuse: Refuse): boolean {
  const flag = FLAGS.get(given.toLowerCase());
  if (flag === undefined) refuse('on atau off');
  return flag ?? false;
}

/** @returns null for 0: no limit */
function parseQuota(given: string, refuse: Refuse): number | null {
  if (!/^\d{1,7}$/.test(given)) refuse('bilangan bulat 0 (tanpa batas) sampai 9999999');
  return Number(given) || null;
}

function parseTrustedProxies(given: string, refuse: Refuse): string[] | null {
  const flag = FLAGS.get(given.toLowerCase());
  if (flag !== undefined) return flag ? [] : null;
  const proxies = splitList(given);
  for (const proxy of proxies) {
    if (!isAddressOrNetwork(proxy)) refuse('on, off, atau alamat IP proksi seperti 10.0.0.5, dipisah koma', proxy);
  }
  return proxies;
}

function parsePort(given: string, refuse: Refuse): number {
  if (!/^\d{1,5}$/.test(given) || Number(given) > PORT_MAX) refuse(`bilangan bulat 0 sampai ${PORT_MAX}`);
  return Number(given);
}

/** Accepts what the login form accepts: an administrator with another address could never sign in. */
function parseEmail(given: string, refuse: Refuse): string {
  const { data } = emailSchema().safeParse(given);
  if (data === undefined) refuse('alamat email seperti admin@pbb.local');
  return data ?? given;
}

function parseOrigins(given: string, refuse: Refuse): string[] {
  const origins = splitList(given);
  for (const origin of origins) {
    if (!isOrigin(origin)) refuse('asal seperti https://pajak.example, dipisah koma', origin);
  }
  return origins;
}

/** Public host names; an address or a single label can have no certificate of a public authority. */
function parseDomains(given: string, refuse: Refuse): string[] {
  const domains = [...new Set(splitList(given.toLowerCase()))];
  for (const domain of domains) {
    if (!DOMAIN.test(domain) || domain.length > DOMAIN_MAX)
      refuse('nama domain seperti pbb.desa.id, dipisah koma', domain);
  }
  if (domains.length > DOMAINS_MAX) refuse(`paling banyak ${DOMAINS_MAX} nama domain`, String(domains.length));
  return domains;
}

function parseDirectory(given: string, refuse: Refuse): string {
  if (!URL.canParse(given) || new URL(given).protocol !== 'https:') refuse('alamat https sebuah direktori ACME');
  return given;
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('id-ID', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Accepts an origin as a browser sends it: scheme, host and port, without a path or a closing slash. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const splitList = (given: string): string[] =>
  given
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

const countCharacters = (text: string): string => `(${text.length} karakter)`;
