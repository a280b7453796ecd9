import { rm } from 'node:fs/promises';
import { errorTexts } from '#shared/texts.ts';
import { AppError } from '#server/http/errors.ts';
import type { FormFile } from '#server/http/bodies/multipart-form.ts';
import { cleanImage } from '#server/images/clean-image.ts';
import type { StoredUpload, UploadFiles } from './upload-files.ts';

/** The result of a change, and the image that no row refers to any more. */
export type ImageChange<T> = { value: T; removedImage: string | null };

type Change<T> = (stored: StoredUpload | null) => Promise<ImageChange<T>>;

/** The proofs of the records, and the logo of the office: an image is stored before a row names it (R-PROOF-8). */
export function createImageFiles(uploads: UploadFiles) {
  async function takeIn(upload: FormFile): Promise<StoredUpload> {
    try {
      return await uploads.inTurn(async () => {
        const image = cleanPrintable(await uploads.read(upload.path));
        return uploads.write(image.extension, image.bytes);
      });
    } finally {
      await rm(upload.path, { force: true }).catch(() => undefined);
    }
  }

  /** @returns null when `current` is the same picture already */
  async function copy(source: string, current: string | null): Promise<StoredUpload | null> {
    const image = cleanPrintable(await uploads.readStored(source));
    // If the file of the current image is missing, the new image counts as a different one.
    const stored = current === null ? null : await uploads.readStored(current).catch(() => null);
    return stored?.equals(image.bytes) ? null : uploads.write(image.extension, image.bytes);
  }

  async function changeWith<T>(stored: StoredUpload | null, change: Change<T>): Promise<T> {
    let result: ImageChange<T>;
    try {
      result = await change(stored);
    } catch (error) {
      if (stored) await uploads.discard(stored.name);
      throw error;
    }
    if (result.removedImage) await uploads.discard(result.removedImage);
    return result.value;
  }

  return {
    /** Removes the image of a row that is gone; called after that commit. */
    discard: (name: string): Promise<void> => uploads.discard(name),

    /**
     * Stores an uploaded image and runs the change that refers to it. After the commit it removes the replaced image; when
     * the change fails, it removes the new one.
     * @param change gets the stored image, or null without an upload
     * @throws 415 for what is no JPG, PNG or GIF, or has too many pixels; 507 when the disk is full; every error of `change`
     */
    async keep<T>(upload: FormFile | undefined, change: Change<T>): Promise<T> {
      return changeWith(upload ? await takeIn(upload) : null, change);
    },

    /**
     * Does the same as `keep` with a copy of another upload. The two files are independent from then on.
     * @param files the source, and the image that the row has; `change` gets null when both are the same picture
     * @throws ENOENT when the source is gone
     */
    async keepCopy<T>(files: { source: string; current: string | null }, change: Change<T>): Promise<T> {
      return changeWith(await uploads.inTurn(() => copy(files.source, files.current)), change);
    },
  };
}
export type ImageFiles = ReturnType<typeof createImageFiles>;

function cleanPrintable(bytes: Buffer) {
  const image = cleanImage(bytes);
  if (image === 'tooManyPixels') throw new AppError(415, errorTexts.proofTooManyPixels);
  // Browsers of today show WebP, but what an office prints and keeps for years is one of the older types.
  if (image === 'unreadable' || image.extension === 'webp') throw new AppError(415, errorTexts.proofNotImage);
  return image;
}
