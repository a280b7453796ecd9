import { z } from 'zod';
import { singleOf } from './envelope.ts';
import { deviceToken } from './fields.ts';

/** The system page of the admins: version, disk usage, addresses and backups. */

export const systemTexts = {
  downloadTooEarly: (from: string) =>
    `Cadangan baru dapat Anda unduh mulai ${from}: akun dan password administrator harus berumur 24 jam. Sebelum itu hanya administrator yang lebih lama yang dapat mengunduhnya.`,
  backupsOutside: 'Cadangan diatur di PostgreSQL.',
  backupRunning: 'Pencadangan sedang berjalan',
  copyNotEmptied:
    'Tidak ada salinan berjalan yang perlu dimulai dari sini: itu hanya bila folder salinan kosong, padahal sudah pernah berisi salinan',
  backupMissing: 'Cadangan tidak ditemukan',
  passwordWrong: 'Password salah',
  certificateFine: 'Tidak ada permintaan sertifikat yang gagal',
  certificateTooEarly: (minutes: number) =>
    `Penerbit sertifikat membatasi jumlah permintaan. Coba lagi dalam ${minutes} menit.`,
} as const;

/** Why a backup is kept: as a periodic one, the first of a day, the first of a month, or because an admin made it. */
export const BACKUP_KINDS = ['periodic', 'manual'] as const;

const backupFile = z
  .object({
    /** Name of the file in the backups folder; a download names it. */
    name: z.string(),
    kind: z.enum(BACKUP_KINDS),
    /** ISO 8601: the instant whose state the archive holds. */
    created_at: z.string(),
    size_bytes: z.number().int(),
  })
  .meta({ id: 'Cadangan' });
export type BackupFile = z.infer<typeof backupFile>;

const runningCopy = z
  .object({
    /** The folder of the copy. */
    path: z.string(),
    /** The instant that the copy holds, ISO 8601; null without a whole copy. */
    at: z.string().nullable(),
    /** `now` − `at`. */
    behind_seconds: z.number().int().nullable(),
    state: z.enum(['ok', 'starting', 'stopped']),
    /** Why it is stopped, with its full stop; null unless stopped. */
    message: z.string().nullable(),
    /** null unless starting. */
    percent: z.number().int().min(0).max(100).nullable(),
    /** Why it is stopped, for what the screen adds; null unless stopped. */
    reason: z.enum(['moved on', 'emptied', 'other office', 'disk']).nullable().optional(),
  })
  .meta({ id: 'SalinanBerjalan' });
export type RunningCopy = z.infer<typeof runningCopy>;

const backupStatus = z
  .object({
    /** The server's clock. The client computes ages from it, because its own clock may be wrong. */
    now: z.string(),
    /** With `postgres` the operator makes the backups. A server of version 1.0.0 leaves it out. */
    engine: z.enum(['sqlite', 'postgres']).optional(),
    /** 0 means that automatic backups are off. */
    every_hours: z.number().int(),
    next_at: z.string().nullable(),
    /** The backup that was made last, also when the clock was set since. */
    last: backupFile.nullable(),
    /** Its age by a time that no clock changes; a server of version 1.0.0 leaves it out. */
    last_age_ms: z.number().int().nullable().optional(),
    /** The last failure; null as soon as a later backup succeeded. `message` says what to do. */
    failure: z.object({ at: z.string(), message: z.string() }).nullable(),
    running: z.object({ started_at: z.string(), percent: z.number().int().min(0).max(100) }).nullable(),
    /** null when there is none. */
    second_folder: z
      .object({ path: z.string(), last_at: z.string().nullable(), failure: z.string().nullable() })
      .nullable(),
    /** null: none is kept. A server of version 1.0.0 leaves it out. */
    running_copy: runningCopy.nullable().optional(),
    total_bytes: z.number().int(),
  })
  .meta({ id: 'StatusCadangan' });
export type BackupStatus = z.infer<typeof backupStatus>;

const backupsData = z.object({
  /** As in `status`; with `postgres` the list is empty. */
  engine: backupStatus.shape.engine,
  status: backupStatus,
  backups: z.array(backupFile),
});
export type BackupsData = z.infer<typeof backupsData>;
/** Newest first. */
export const backupsAnswer = singleOf(backupsData);

export const downloadBody = z.object({
  password: z.string('Password wajib diisi').min(1, 'Password wajib diisi'),
  device_token: deviceToken,
});
/** A link that works for this session only, and for a few minutes. */
export const downloadAnswer = singleOf(z.object({ url: z.string() }));

/** A failure with the time and, in Indonesian, what to do about it. */
const failure = z.object({ at: z.string(), message: z.string() });

const publicReach = z
  .object({
    /** The names in `TLS_DOMAIN`. */
    domains: z.array(z.string()),
    /** As in `https://pbb.desa.id`; null until https answers for the first name. */
    address: z.string().nullable(),
    certificate: z.object({
      /** Names that the certificate lacks; all while there is none. */
      missing_names: z.array(z.string()),
      /** null: there is no valid certificate. */
      valid_until: z.string().nullable(),
      issuing: z.boolean(),
      failed_attempts: z.number().int(),
      /** Why the last attempt failed; null after a success. */
      last_error: failure.nullable(),
      next_attempt_at: z.string().nullable(),
    }),
  })
  .meta({ id: 'JangkauanPublik' });
/** The state right after the directory was asked again. */
export const certificateRetryAnswer = singleOf(publicReach);
export type PublicReach = z.infer<typeof publicReach>;

const pushReach = z
  .object({
    /** Browsers that get pushes. */
    subscriptions: z.number().int(),
    /** Pushes that wait for their turn or for another attempt. */
    waiting: z.number().int(),
    /** Since the start of the server: accepted by a push service, and given up or refused. */
    sent: z.number().int(),
    failed: z.number().int(),
    last_failure: failure.nullable(),
    /** Whether the last attempt reached a push service; null before the first one. */
    reaches_out: z.boolean().nullable(),
  })
  .meta({ id: 'JangkauanNotifikasi' });
export type PushReach = z.infer<typeof pushReach>;

const systemInfo = z
  .object({
    /** For example `v1.0.0`. */
    version: z.string(),
    started_at: z.string(),
    database: z.object({
      size_bytes: z.number().int(),
      /** With PostgreSQL the host that takes writes, as in `10.0.0.11:5432`; null: none does. Else absent. */
      primary: z.string().nullable().optional(),
    }),
    /** Zero while this process has lost the folder of files. */
    proofs: z.object({ count: z.number().int(), size_bytes: z.number().int() }),
    /** The computers that have lost that folder; absent where it is on the disk of the database (R-RUN-29). */
    files_lost_at: z.array(z.string()).optional(),
    /**
     * Of the disk that holds the data folder; null where the operating system does not report it, and while the folder of files
     * is lost. `users_refused`: so little is free that changes, messages and uploads of users get 507.
     */
    disk: z.object({ free_bytes: z.number(), total_bytes: z.number(), users_refused: z.boolean() }).nullable(),
    /** Connected accounts and sockets. The names belong to the API and stay: `residents` are users, `administrators` admins. */
    connected: z.object({ residents: z.number().int(), administrators: z.number().int(), sockets: z.number().int() }),
    /** Addresses of this server in the local network, for example `http://192.168.1.10:3000`. */
    addresses: z.array(z.string()),
    /** The same over https; empty while https is off. */
    secure_addresses: z.array(z.string()),
    /** Whether devices must first trust the local authority, whose certificate is at `/ca.crt`. */
    has_local_authority: z.boolean(),
    /** null without `TLS_DOMAIN`. A server of version 1.0.0 leaves this out, and the next one. */
    public: publicReach.nullable().optional(),
    push: pushReach.optional(),
    backup: backupStatus,
  })
  .meta({ id: 'InformasiSistem' });
export type SystemInfo = z.infer<typeof systemInfo>;
export const systemAnswer = singleOf(systemInfo);
