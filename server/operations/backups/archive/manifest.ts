import { z } from 'zod';
import { MANIFEST_NAME } from '../archive-names.ts';

/**
 * The description of an archive. An archive of format 2 is a folder, or the same files in one tar; an archive of format 1,
 * which earlier versions made, is always a tar. In a tar the manifest is the last entry.
 */

export const ARCHIVE_FORMAT = 2;
/** The database, packed: in format 2 as it was when it was last packed whole. */
export const DATABASE_ENTRY = 'pbb.sqlite.gz';
/** Format 2: the pages that have changed since then, as a write-ahead log of SQLite. Without changes there is none. */
export const CHANGES_ENTRY = 'pbb.sqlite-wal.gz';
/** Format 2: a hash of each page of `DATABASE_ENTRY`, to find the pages that have changed. */
export const PAGE_HASHES_ENTRY = 'pbb.sqlite.pages';
/** The largest unpacked size of a gzip member. Members are packed and unpacked whole, in memory. */
export const MEMBER_BYTES = 4 * 1024 * 1024;
const PROOF_ENTRY = /^proofs\/([\w-][\w.-]{0,79})$/;

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Lengths of gzip members in order. Each can be unpacked alone. */
const members = z.array(count.max(2 * MEMBER_BYTES));

const about = {
  app_version: z.string(),
  /** ISO 8601. The database is from this time or a little later. */
  created_at: z.iso.datetime(),
  /** The time of the newest migration in the database (epoch milliseconds); 0 without one. */
  newest_migration: count,
  /** Every other entry, in the order of the archive. */
  entries: z.array(z.object({ name: z.string(), size: count, sha256 })),
  /** Proofs and files of messages that are missing on the disk or cannot be read. */
  missing_proofs: z.array(z.string()),
};

const version1Schema = z.object({
  format: z.literal(1),
  ...about,
  database: z.object({ size: count, sha256, members }),
});

const pagedDatabaseSchema = z.object({
  /** Bytes. */
  page_size: z.union([512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536].map((size) => z.literal(size))),
  /** Pages of the database. */
  pages: count,
  /** Pages of `DATABASE_ENTRY`. */
  base_pages: count,
  /** Of the hashes of all pages, one after the other. */
  sha256,
  /** Of `DATABASE_ENTRY` and `CHANGES_ENTRY`. */
  base_members: members,
  changes_members: members,
});
export type PagedDatabase = z.infer<typeof pagedDatabaseSchema>;

const folderSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  /** Bytes of all entries, shared ones included. It stands near the beginning, where the list of archives reads it. */
  size_bytes: count,
  /** ISO 8601: when an archive was last made of which the database and each shared file were read completely. */
  checked_at: z.iso.datetime(),
  ...about,
  database: pagedDatabaseSchema,
});
export type FolderManifest = z.infer<typeof folderSchema>;

export const manifestSchema = z.discriminatedUnion('format', [version1Schema, folderSchema]);
export type Manifest = z.infer<typeof manifestSchema>;
export type ArchiveEntry = Manifest['entries'][number];

/** @returns the name of the file in the proofs folder; null when the entry is no proof or leads to another folder */
export function findProofName(entry: string): string | null {
  return PROOF_ENTRY.exec(entry)?.[1] ?? null;
}

export const proofEntryName = (name: string): string => `proofs/${name}`;
/** Whether an archive can contain a proof of this name. */
export const isProofName = (name: string): boolean => findProofName(proofEntryName(name)) !== null;

/** Whether an archive may contain an entry of this name. No such name leads out of the folder of the archive. */
export const isEntryName = (name: string): boolean =>
  [DATABASE_ENTRY, CHANGES_ENTRY, PAGE_HASHES_ENTRY, MANIFEST_NAME].includes(name) || findProofName(name) !== null;

export const databaseBytes = ({ format, database }: Manifest): number =>
  format === 1 ? database.size : database.pages * database.page_size;

export const countProofs = ({ entries }: Manifest): number =>
  entries.filter(({ name }) => findProofName(name) !== null).length;
