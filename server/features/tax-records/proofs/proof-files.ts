import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '#server/files/atomic.ts';
import { type FormFile, PARTIAL_SUFFIX } from '#server/http/multipart-form.ts';
import { createKeyedQueue } from '#server/http/rate-limit.ts';
import { cleanImage } from '#server/images/clean-image.ts';

/** Proofs are stored and served only under names of this form. */
export const PROOF_NAME_PATTERN =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.(jpg|png|gif)$/;

/** An image in the proofs folder. */
export type StoredProof = { name: string; bytes: number };

/** The result of a change, and the image that no record refers to any more. */
export type ProofChange<T> = { value: T; removedProof: string | null };

/** The image files of the records (R-PROOF-8). */
export function createProofFiles(proofsDir: string) {
  const queue = createKeyedQueue();

  /** The file is written under another name, flushed and renamed, so that it is never incomplete under its own name. */
  async function store({ path }: FormFile): Promise<StoredProof> {
    const image = cleanImage(await readFile(path));
    const name = `${randomUUID()}.${image.extension}`;
    const file = join(proofsDir, name);
    await writeFileAtomic(file, image.bytes, { temporaryFile: `${file}${PARTIAL_SUFFIX}` });
    return { name, bytes: image.bytes.length };
  }

  /** One image after the other: memory then holds a single one, however many arrive at the same moment. */
  async function takeIn(upload: FormFile): Promise<StoredProof> {
    try {
      return await queue('images', () => store(upload));
    } finally {
      await rm(upload.path, { force: true }).catch(() => undefined);
    }
  }

  /** An error is ignored: a file that cannot be removed now (on Windows while it is read) is removed at the next start. */
  async function discard(name: string): Promise<void> {
    await rm(join(proofsDir, name), { force: true }).catch(() => undefined);
  }

  return {
    /** Removes images whose records are gone; called after the commit that removed the reference. */
    async discardAll(names: readonly string[]): Promise<void> {
      await Promise.all(names.map((name) => discard(name)));
    },

    /**
     * Stores an uploaded image and runs the change that refers to it. After the commit it removes the replaced image; when
     * the change fails, it removes the new one.
     * @param change gets the stored image, or null without an upload
     * @throws 415 as `cleanImage`; 507 when the disk is full; every error of `change`
     */
    async keep<T>(
      upload: FormFile | undefined,
      change: (stored: StoredProof | null) => Promise<ProofChange<T>>,
    ): Promise<T> {
      const stored = upload ? await takeIn(upload) : null;
      let result: ProofChange<T>;
      try {
        result = await change(stored);
      } catch (error) {
        if (stored) await discard(stored.name);
        throw error;
      }
      if (result.removedProof) await discard(result.removedProof);
      return result.value;
    },
  };
}
export type ProofFiles = ReturnType<typeof createProofFiles>;
