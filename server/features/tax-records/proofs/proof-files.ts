import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorTexts } from '#shared/texts.ts';
import { writeFileAtomic } from '#server/files/atomic.ts';
import { AppError } from '#server/http/errors.ts';
import type { FormFile } from '#server/http/multipart-form.ts';
import { detectImageType } from './image-type.ts';

/** Ending of a file that is still being written. */
export const PARTIAL_SUFFIX = '.part';

/** The only names that proofs are ever stored and served under. */
export const PROOF_NAME_PATTERN =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.(jpg|png|gif)$/;

/** What a change did: its result, and the image that no record points to since. */
export type ProofChange<T> = { value: T; removedProof: string | null };

/** The images on disk, kept in step with the records (specification 3; contract 2 and 3). */
export function createProofFiles(proofsDir: string) {
  /** Written aside, flushed and renamed: under its final name a file is always whole. */
  async function store(bytes: Buffer): Promise<string> {
    const extension = detectImageType(bytes);
    if (!extension) throw new AppError(415, errorTexts.proofNotImage);
    const name = `${randomUUID()}.${extension}`;
    const file = join(proofsDir, name);
    await writeFileAtomic(file, bytes, { temporaryFile: `${file}${PARTIAL_SUFFIX}` });
    return name;
  }

  /** Nobody waits for a file to be gone: what cannot be removed now (Windows: somebody reads it) goes at the next start. */
  async function discard(name: string): Promise<void> {
    await rm(join(proofsDir, name), { force: true }).catch(() => undefined);
  }

  return {
    /** Removes images whose records are gone; call it after the commit that let go of them. */
    async discardAll(names: readonly string[]): Promise<void> {
      await Promise.all(names.map((name) => discard(name)));
    },

    /**
     * Stores an uploaded image, runs the change that refers to it, and removes whichever of the two images lost:
     * the replaced one after the commit, the new one when the change failed.
     * @param change gets the stored name, or null without an upload
     * @throws 415 when the bytes are no JPG, PNG or GIF; 507 when the disk is full; whatever the change throws
     */
    async keep<T>(
      upload: FormFile | undefined,
      change: (stored: string | null) => Promise<ProofChange<T>>,
    ): Promise<T> {
      const stored = upload ? await store(upload.bytes) : null;
      let result: ProofChange<T>;
      try {
        result = await change(stored);
      } catch (error) {
        if (stored) await discard(stored);
        throw error;
      }
      if (result.removedProof) await discard(result.removedProof);
      return result.value;
    },
  };
}
export type ProofFiles = ReturnType<typeof createProofFiles>;
