import { z } from 'zod';

/** What an archive says about itself, as its last entry: whoever wrote it knows only then what went in. */

export const ARCHIVE_FORMAT = 1;
export const DATABASE_ENTRY = 'pbb.sqlite.gz';
export const MANIFEST_ENTRY = 'manifest.json';
/** What one gzip member unpacks to, at most: members are packed and unpacked whole, in memory. */
export const MEMBER_BYTES = 4 * 1024 * 1024;
const PROOF_ENTRY = /^proofs\/([\w-][\w.-]{0,79})$/;

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  app_version: z.string(),
  /** ISO 8601: the database is from this moment or a little later. */
  created_at: z.iso.datetime(),
  /** Of the newest migration in the database, in epoch milliseconds; 0 when it has none. */
  newest_migration: count,
  database: z.object({
    size: count,
    sha256,
    /** Lengths of the gzip members, one after the other: each can be unpacked by itself. */
    members: z.array(count.max(2 * MEMBER_BYTES)),
  }),
  /** Every other entry, in the order of the archive. */
  entries: z.array(z.object({ name: z.string(), size: count, sha256 })),
  /** Proofs that the database names but whose file was gone or could not be read. */
  missing_proofs: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** @returns the file's name in the proofs folder; null for an entry that is no proof, or would be written elsewhere */
export function findProofName(entry: string): string | null {
  return PROOF_ENTRY.exec(entry)?.[1] ?? null;
}

export const proofEntryName = (name: string): string => `proofs/${name}`;
/** Whether a proof's name can stand in an archive. */
export const isProofName = (name: string): boolean => findProofName(proofEntryName(name)) !== null;
