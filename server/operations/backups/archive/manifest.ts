import { z } from 'zod';

/** The description of an archive. It is the last entry, because its content is only known at the end. */

export const ARCHIVE_FORMAT = 1;
export const DATABASE_ENTRY = 'pbb.sqlite.gz';
export const MANIFEST_ENTRY = 'manifest.json';
/** The largest unpacked size of a gzip member. Members are packed and unpacked whole, in memory. */
export const MEMBER_BYTES = 4 * 1024 * 1024;
const PROOF_ENTRY = /^proofs\/([\w-][\w.-]{0,79})$/;

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  app_version: z.string(),
  /** ISO 8601. The database is from this time or a little later. */
  created_at: z.iso.datetime(),
  /** The time of the newest migration in the database (epoch milliseconds); 0 without one. */
  newest_migration: count,
  database: z.object({
    size: count,
    sha256,
    /** Lengths of the gzip members in order. Each can be unpacked alone. */
    members: z.array(count.max(2 * MEMBER_BYTES)),
  }),
  /** Every other entry, in the order of the archive. */
  entries: z.array(z.object({ name: z.string(), size: count, sha256 })),
  /** Proofs and files of messages that are missing on the disk or cannot be read. */
  missing_proofs: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** @returns the name of the file in the proofs folder; null when the entry is no proof or leads to another folder */
export function findProofName(entry: string): string | null {
  return PROOF_ENTRY.exec(entry)?.[1] ?? null;
}

export const proofEntryName = (name: string): string => `proofs/${name}`;
/** Whether an archive can contain a proof of this name. */
export const isProofName = (name: string): boolean => findProofName(proofEntryName(name)) !== null;
