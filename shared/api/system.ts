import { z } from 'zod';
import { singleOf } from './envelope.ts';

/** The program itself as its administrators see it: what runs, what it takes up, and what is kept aside. */

export const systemTexts = {
  backupRunning: 'Pencadangan sedang berjalan',
  backupMissing: 'Cadangan tidak ditemukan',
  passwordWrong: 'Password salah',
} as const;

/** Why and for how long a backup is kept: every so many hours, the first of a day, the first of a month, or asked for. */
export const BACKUP_KINDS = ['periodic', 'manual'] as const;

export const backupFile = z
  .object({
    /** The file's name in the backups folder; also what it is asked for by. */
    name: z.string(),
    kind: z.enum(BACKUP_KINDS),
    /** ISO 8601: the moment that the archive shows. */
    created_at: z.string(),
    size_bytes: z.number().int(),
  })
  .meta({ id: 'Cadangan' });
export type BackupFile = z.infer<typeof backupFile>;

export const backupStatus = z
  .object({
    /** What the server's clock says; by it, and not by the reader's own, ages are counted. */
    now: z.string(),
    /** 0: automatic backups are off. */
    every_hours: z.number().int(),
    next_at: z.string().nullable(),
    /** The newest; one that bears a date in the future came from a wrong clock and does not count. */
    last: backupFile.nullable(),
    /** null as soon as a later one went well. `message` says what to do. */
    failure: z.object({ at: z.string(), message: z.string() }).nullable(),
    running: z.object({ started_at: z.string(), percent: z.number().int().min(0).max(100) }).nullable(),
    /** null: there is none. */
    second_folder: z
      .object({ path: z.string(), last_at: z.string().nullable(), failure: z.string().nullable() })
      .nullable(),
    total_bytes: z.number().int(),
  })
  .meta({ id: 'StatusCadangan' });
export type BackupStatus = z.infer<typeof backupStatus>;

export const backupsData = z.object({ status: backupStatus, backups: z.array(backupFile) });
export type BackupsData = z.infer<typeof backupsData>;
/** Newest first. */
export const backupsAnswer = singleOf(backupsData);

export const backupParams = z.object({ name: z.string().max(100) });
export const downloadBody = z.object({ password: z.string('Password wajib diisi').min(1, 'Password wajib diisi') });
/** A link for this session only, good for a few minutes. */
export const downloadAnswer = singleOf(z.object({ url: z.string() }));
export const ticketParams = z.object({ ticket: z.string().max(200) });

export const systemInfo = z
  .object({
    /** As in `v1.0.0`. */
    version: z.string(),
    started_at: z.string(),
    database: z.object({ size_bytes: z.number().int() }),
    proofs: z.object({ count: z.number().int(), size_bytes: z.number().int() }),
    /** Of the disk that holds the data folder; null where the system does not tell. */
    disk: z.object({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
    connected: z.object({ residents: z.number().int(), administrators: z.number().int(), sockets: z.number().int() }),
    /** Where the office can reach this server, as in `http://192.168.1.10:3000`. */
    addresses: z.array(z.string()),
    /** The same over https; empty while it is off. */
    secure_addresses: z.array(z.string()),
    /** Whether devices have to be told to trust this server: its own authority's certificate is at `/ca.crt`. */
    has_local_authority: z.boolean(),
    backup: backupStatus,
  })
  .meta({ id: 'InformasiSistem' });
export type SystemInfo = z.infer<typeof systemInfo>;
export const systemAnswer = singleOf(systemInfo);
