import { z } from 'zod';
import { email as emailSchema } from '#shared/api/fields.ts';
import { cleanName } from '#shared/domain/users/person-name.ts';
import { parsePostgresUrl } from '#server/db/postgres/address.ts';
import { isAddressOrNetwork } from '#server/security/ip-addresses.ts';
import {
  DEFAULT_TIME_ZONE,
  ERASURE_HOURS_DEFAULT,
  NAME_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN_REGISTER,
  QUOTA_PROOFS_MB_DEFAULT,
  QUOTA_RECORDS_DEFAULT,
} from '#shared/limits.ts';

export type SettingDefinition = {
  /** The value of a setting that is not given, as it is written in .env.example; empty: no value. */
  defaultText: string;
  /** The default while `TLS_DOMAIN` has a name. */
  publicDefaultText?: string;
  /** Makes the value from the text. The message of an issue says what is accepted, in Indonesian. */
  schema: z.ZodType;
  /** Error lines give only its length: a secret may not end in a log. */
  isHidden?: boolean;
  /** Spaces around the value belong to it. */
  keepsSpaces?: boolean;
  /** Relative to the folder in which the program runs. */
  isPath?: boolean;
  /** English, for the table in README.md. */
  description: string;
  /** The default in README.md, where `defaultText` does not say it. */
  defaultDescription?: string;
  /** Indonesian, for .env.example: the lines above this setting; empty: those of the setting before it say it. */
  help: string;
};

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const PORT_MAX = 65_535;
/** Letters, digits and hyphens, at least two labels, and a last one that is no number, as in RFC 1123. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
const DOMAIN_MAX = 253;
/** Let's Encrypt puts no more names into one certificate. */
const DOMAINS_MAX = 100;
const SECRET_MIN_LENGTH = 32;
const METRICS_TOKEN_MIN_LENGTH = 16;
const BACKUP_HOURS_MAX = 24;
const QUOTA_MAX = 9_999_999;

const splitList = (given: string): string[] =>
  given
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** An empty text means that there is no value. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((given) => (given === '' ? null : given), schema.nullable());

const flag = z.stringbool({
  truthy: ['1', 'true', 'on', 'yes'],
  falsy: ['0', 'false', 'off', 'no'],
  error: 'on atau off',
});

/** Refuses signs, fractions, exponents and leading zeros beyond the longest number. */
const integer = (max: number, accepted: string) =>
  z
    .string()
    .refine((given) => /^\d+$/.test(given) && given.length <= String(max).length && Number(given) <= max, accepted)
    .transform(Number);

const POOL_MAX = 100;
const poolSize = integer(POOL_MAX, `bilangan bulat 1 sampai ${POOL_MAX}`).refine(
  (size) => size > 0,
  `bilangan bulat 1 sampai ${POOL_MAX}`,
);

/** The text stays as it is, because another process may read it too. */
const databaseUrl = optional(
  z
    .string()
    .refine(
      (given) => parsePostgresUrl(given) !== null,
      'postgres://nama:sandi@host:5432/database (beberapa host dipisah koma)',
    ),
);

const port = integer(PORT_MAX, `bilangan bulat 0 sampai ${PORT_MAX}`);

/** The value is null for 0: no limit. */
const quota = integer(QUOTA_MAX, `bilangan bulat 0 (tanpa batas) sampai ${QUOTA_MAX}`).transform(
  (value) => value || null,
);

const ERASURE_HOURS = { min: 24, max: 720 };
const erasureHoursAccepted = `bilangan bulat ${ERASURE_HOURS.min} sampai ${ERASURE_HOURS.max}`;
const hoursOfErasure = integer(ERASURE_HOURS.max, erasureHoursAccepted).refine(
  (hours) => hours >= ERASURE_HOURS.min,
  erasureHoursAccepted,
);

/** Accepts what the login form accepts: an administrator with another address could never sign in. */
const email = z
  .string()
  .refine((given) => emailSchema().safeParse(given).success, 'alamat email seperti admin@pbb.local')
  .pipe(emailSchema());

const origins = z
  .string()
  .transform(splitList)
  .pipe(z.array(z.string().refine(isOrigin, 'asal seperti https://pajak.example, dipisah koma')));

/** Public host names; an address or a single label can have no certificate of a public authority. */
const domains = z
  .string()
  .transform((given) => [...new Set(splitList(given.toLowerCase()))])
  .pipe(
    z
      .array(
        z
          .string()
          .refine(
            (domain) => DOMAIN.test(domain) && domain.length <= DOMAIN_MAX,
            'nama domain seperti pbb.desa.id, dipisah koma',
          ),
      )
      .max(DOMAINS_MAX, `paling banyak ${DOMAINS_MAX} nama domain`),
  );

/** The proxies beside this computer; null: `X-Forwarded-*` headers of none count. */
const trustedProxies = z
  .string()
  .transform((given) => {
    const isOn = flag.safeParse(given).data;
    if (isOn === undefined) return splitList(given);
    return isOn ? [] : null;
  })
  .pipe(
    z
      .array(z.string().refine(isAddressOrNetwork, 'on, off, atau alamat IP proksi seperti 10.0.0.5, dipisah koma'))
      .nullable(),
  );

const adminName = z
  .string()
  .refine((given) => cleanName(given) !== '', 'nama yang terlihat')
  .transform(cleanName)
  .pipe(z.string().max(NAME_MAX, `1 sampai ${NAME_MAX} karakter`));

/** Numbers of periodic, daily and monthly backups; at least one periodic. */
const backupKeep = z
  .string()
  .regex(
    /^(?!0+,)\d{1,3},\s*\d{1,3},\s*\d{1,3}$/,
    'tiga bilangan seperti 24,14,12 (berkala, harian, bulanan); yang pertama minimal 1',
  )
  .transform((given) => {
    const [periods = 0, days = 0, months = 0] = given.split(',').map(Number);
    return { periods, days, months };
  });

const metricsToken = z
  .string()
  .regex(/^[\w.~+/=-]+$/, { error: 'huruf, angka, dan -._~+/= tanpa spasi', abort: true })
  .min(METRICS_TOKEN_MIN_LENGTH, `paling sedikit ${METRICS_TOKEN_MIN_LENGTH} karakter`);

/**
 * Every setting, once (docs/requirements.md R-RUN-1, R-RUN-2). `npm run settings` writes the table in README.md and
 * .env.example from it.
 */
export const settingsTable = {
  HOST: {
    defaultText: '0.0.0.0',
    schema: z.string(),
    description: 'the address on which the server listens',
    help: 'Di mana server mendengarkan. PORT=0 mengambil porta bebas. Dengan TLS_DOMAIN bawaannya 80.',
  },
  PORT: {
    defaultText: '3000',
    publicDefaultText: '80',
    schema: port,
    description: 'the port for http; `0` takes a free one',
    help: '',
  },
  DATA_DIR: {
    defaultText: './data',
    schema: z.string(),
    description: 'the one folder with everything to keep',
    defaultDescription: '`./data`; the single binary: `data` beside it',
    help:
      'Satu folder untuk semua yang harus disimpan: database, foto dan dokumen, kunci, cadangan, log.\n' +
      'Hanya berlaku dalam .env, tidak dalam setelan.env yang ada di folder itu sendiri.',
  },
  DATABASE_URL: {
    defaultText: '',
    schema: databaseUrl,
    isHidden: true,
    description:
      'a database of PostgreSQL 15 or newer in place of the file: `postgres://user:password@host1:5432,host2:5432/name`',
    defaultDescription: 'a file of SQLite in `DATA_DIR`',
    help:
      'Database PostgreSQL (15 atau lebih baru) sebagai ganti berkas di DATA_DIR; kosong berarti berkas itu.\n' +
      'Contoh: postgres://nama:sandi@10.0.0.5:5432,10.0.0.6:5432/pbb. JWT_SECRET wajib diisi.',
  },
  DATABASE_POOL: {
    defaultText: '10',
    schema: poolSize,
    description: 'with `DATABASE_URL`: connections to PostgreSQL at most',
    help: 'Dengan DATABASE_URL: paling banyak sambungan ke PostgreSQL, dan folder berkas di luar DATA_DIR.',
  },
  FILES_DIR: {
    defaultText: '',
    schema: optional(z.string()),
    isPath: true,
    description: 'with `DATABASE_URL`: the folder of photos and files',
    defaultDescription: 'in `DATA_DIR`',
    help: '',
  },
  ADMIN_EMAIL: {
    defaultText: 'admin@pbb.local',
    schema: email,
    description: 'the first administrator, made when there is none',
    help:
      'Administrator pertama; hanya dibuat bila belum ada satu pun. Tanpa ADMIN_PASSWORD, password dibuat\n' +
      'dan ditampilkan sekali di terminal.',
  },
  ADMIN_PASSWORD: {
    defaultText: '',
    schema: optional(
      z
        .string()
        .min(PASSWORD_MIN_REGISTER, `${PASSWORD_MIN_REGISTER} sampai ${PASSWORD_MAX} karakter`)
        .max(PASSWORD_MAX, `${PASSWORD_MIN_REGISTER} sampai ${PASSWORD_MAX} karakter`),
    ),
    isHidden: true,
    // A password is never changed (R-AUTH-7).
    keepsSpaces: true,
    description: 'the first administrator’s password, 8 to 200 characters',
    defaultDescription: 'generated, shown once',
    help: '',
  },
  ADMIN_NAME: {
    defaultText: 'Administrator',
    schema: adminName,
    isHidden: true,
    description: 'the first administrator’s name',
    help: '',
  },
  APP_TIMEZONE: {
    defaultText: DEFAULT_TIME_ZONE,
    schema: z.string().refine(isTimeZone, 'nama zona waktu IANA seperti Asia/Jakarta'),
    description: 'decides what "today" and "this year" mean',
    help: 'Zona waktu yang menentukan "hari ini", "bulan ini", dan "tahun ini".',
  },
  JWT_SECRET: {
    defaultText: '',
    schema: optional(z.string().min(SECRET_MIN_LENGTH, `teks dengan paling sedikit ${SECRET_MIN_LENGTH} karakter`)),
    isHidden: true,
    description: 'signs tokens and proof links, 32 characters at least',
    defaultDescription: 'generated, kept in `DATA_DIR`',
    help: 'Kunci penanda tangan token, paling sedikit 32 karakter; kosong berarti dibuat dan disimpan di DATA_DIR.',
  },
  CORS_ORIGIN: {
    defaultText: '',
    schema: origins,
    description: 'other origins that may call the API and the socket, comma-separated',
    help: 'Asal lain yang boleh memanggil API dan soket, dipisah koma; kosong berarti hanya alamat sendiri.',
  },
  TRUST_PROXY: {
    defaultText: 'off',
    schema: trustedProxies,
    description:
      'believe the `X-Forwarded-*` headers of a proxy: `on` of one on this computer, or also of the addresses and networks listed here (`10.0.0.5,172.18.0.0/16`)',
    help: 'Percayai X-Forwarded-* dari proksi: on untuk proksi di komputer ini, atau alamat proksi lain dipisah koma.',
  },
  RATE_LIMITS: {
    defaultText: 'on',
    schema: flag,
    description: '`off` for load tests only',
    help: 'off hanya untuk uji beban.',
  },
  QUOTA_RECORDS: {
    defaultText: String(QUOTA_RECORDS_DEFAULT),
    schema: quota,
    description: 'records that one account may have; `0`: no limit',
    help: 'Paling banyak data PBB untuk satu akun; 0 berarti tanpa batas.',
  },
  QUOTA_PROOFS_MB: {
    defaultText: String(QUOTA_PROOFS_MB_DEFAULT),
    schema: quota,
    description: 'megabytes of payment proofs and files in messages that one account may have; `0`: no limit',
    help: 'Paling banyak foto bukti dan berkas obrolan untuk satu akun, dalam MB; 0 berarti tanpa batas.',
  },
  ERASURE_HOURS: {
    defaultText: String(ERASURE_HOURS_DEFAULT),
    schema: hoursOfErasure,
    description: 'hours from a request to delete the own account to the deadline of the office',
    help: 'Tenggat kantor untuk memutuskan permintaan hapus akun, dalam jam.',
  },
  REQUIRE_ADMIN_SECOND_FACTOR: {
    defaultText: 'off',
    schema: flag,
    description: '`on`: administrators without a second factor reach only its set-up',
    help: 'on: administrator wajib memasang kode kedua sebelum dapat bekerja.',
  },
  LOG_LEVEL: {
    defaultText: 'info',
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(LOG_LEVELS, LOG_LEVELS.join(', '))),
    description: 'pino level; JSON lines in `DATA_DIR/logs`, and on standard output unless that is a terminal',
    help: 'fatal, error, warn, info, debug, trace, atau silent.',
  },
  BACKUP_EVERY_HOURS: {
    defaultText: '2',
    schema: integer(BACKUP_HOURS_MAX, `bilangan bulat 0 (mati) sampai ${BACKUP_HOURS_MAX}`),
    description: 'hours between automatic backups; `0`: none',
    help: 'Cadangan otomatis setiap sekian jam; 0 mematikannya.',
  },
  BACKUP_KEEP: {
    defaultText: '24,14,12',
    schema: backupKeep,
    description: 'how many periodic, daily and monthly backups are kept',
    help: 'Berapa yang disimpan: berkala, harian, bulanan.',
  },
  BACKUP_SECOND_DIR: {
    defaultText: '',
    schema: optional(z.string()),
    isPath: true,
    description: 'a second folder (a USB disk, a network share) that gets each backup too, and the running copy',
    help: 'Folder kedua (disk USB, folder jaringan) yang juga mendapat setiap cadangan, dan salinan berjalan.',
  },
  BACKUP_RUNNING_COPY: {
    defaultText: 'on',
    schema: flag,
    description: 'a running copy of all data in the second folder, never more than a minute behind',
    help: 'Salinan berjalan di folder kedua: semua data, paling lama tertinggal satu menit (on atau off).',
  },
  TLS: {
    defaultText: 'off',
    schema: flag,
    description: 'https beside http, with a certificate authority of its own',
    help: 'https untuk jaringan kantor dengan sertifikat buatan sendiri (on), atau dengan berkas PEM sendiri.',
  },
  TLS_PORT: {
    defaultText: '3443',
    publicDefaultText: '443',
    schema: port,
    description: 'the port for https',
    help: 'Dengan TLS_DOMAIN bawaannya 443.',
  },
  TLS_CERT: {
    defaultText: '',
    schema: optional(z.string()),
    isPath: true,
    description: 'https with this certificate (a PEM file) instead; needs `TLS_KEY`',
    help: 'https dengan berkas PEM sendiri.',
  },
  TLS_KEY: {
    defaultText: '',
    schema: optional(z.string()),
    isPath: true,
    description: 'the private key of `TLS_CERT` (a PEM file)',
    help: '',
  },
  TLS_DOMAIN: {
    defaultText: '',
    schema: domains,
    description: 'public host names, comma-separated, for which the server gets and renews certificates by ACME',
    help: 'Nama domain publik, misalnya pbb.desa.id: sertifikat asli diambil dan diperbarui sendiri. Lihat panduan.',
  },
  TLS_EMAIL: {
    defaultText: '',
    schema: optional(email),
    description: 'contact address for the ACME directory',
    help: 'Email yang dapat dihubungi penerbit sertifikat (boleh kosong).',
  },
  ACME_DIRECTORY: {
    defaultText: 'https://acme-v02.api.letsencrypt.org/directory',
    schema: z.string().refine(isHttpsUrl, 'alamat https sebuah direktori ACME'),
    description: 'the ACME directory',
    help: 'Penerbit sertifikat (ACME) dan, untuk uji coba, berkas PEM yang menjaminnya.',
  },
  ACME_CA: {
    defaultText: '',
    schema: optional(z.string()),
    isPath: true,
    description: 'a PEM file with an authority to trust for the connection to a test directory',
    help: '',
  },
  TLS_HSTS: {
    defaultText: 'off',
    schema: flag,
    description:
      'with `TLS_DOMAIN`: tell browsers to use only https for these names for half a year; cannot be taken back before',
    help: 'on: peramban hanya memakai https untuk domain itu selama setengah tahun; tidak dapat dibatalkan lebih awal.',
  },
  PUSH_ALLOW: {
    defaultText: '',
    schema: origins,
    description: 'origins of push services that are not public, comma-separated; for tests only',
    help: 'Hanya untuk pengujian: asal layanan notifikasi yang tidak publik, dipisah koma.',
  },
  SERVICE_WORKER: {
    defaultText: 'on',
    schema: flag,
    description: '`off` removes the service worker and the files that it keeps from every browser at its next visit',
    help: 'off menghapus service worker dan berkas yang disimpannya dari setiap peramban pada kunjungan berikutnya.',
  },
  METRICS_TOKEN: {
    defaultText: '',
    schema: optional(metricsToken),
    isHidden: true,
    description: 'opens `GET /metrics` (Prometheus) to this bearer token, 16 characters at least',
    help: 'Membuka /metrics (Prometheus) bagi yang mengirim token ini sebagai bearer; paling sedikit 16 karakter.',
  },
} satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof settingsTable;

export type SettingValues = { [Name in SettingName]: z.output<(typeof settingsTable)[Name]['schema']> };

/** All definitions in the order of the table. */
export const settingDefinitions = Object.entries(settingsTable) as [SettingName, SettingDefinition][];

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

function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
