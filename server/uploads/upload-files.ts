import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '#server/files/atomic.ts';
import { PARTIAL_SUFFIX } from '#server/http/bodies/multipart-form.ts';
import { createKeyedQueue } from '#server/http/limits/rate-limit.ts';
import { newUploadName, type UploadExtension } from './upload-names.ts';

/** A file in the folder of uploads. */
export type StoredUpload = { name: string; bytes: number };

/**
 * The folder of all uploads. A file never changes under its name (R-FILE-8).
 * @param beforeRemoved called before a file is removed
 * @param requireFolder called before files are read or written. @throws 503
 */
export function createUploadFiles(
  folder: string,
  beforeRemoved: () => void = () => undefined,
  requireFolder: () => Promise<void> = async () => undefined,
) {
  const queue = createKeyedQueue();

  /** An error is ignored: a file that cannot be removed now (on Windows while it is read) is removed at the next start. */
  async function discard(name: string): Promise<void> {
    beforeRemoved();
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }

  return {
    /** One file after the other is read and judged: memory then holds a single one, however many arrive at the same moment. */
    inTurn: async <T>(judge: () => Promise<T>): Promise<T> =>
      queue('uploads', async () => {
        await requireFolder();
        return judge();
      }),

    /** The content of an upload that is still under its temporary name. */
    read: async (path: string): Promise<Buffer> => readFile(path),

    /** The content of a stored file. @throws 503, ENOENT when it is gone */
    readStored: async (name: string): Promise<Buffer> => {
      await requireFolder();
      return readFile(join(folder, name));
    },

    /** The file is written under another name, flushed and renamed, so that it is never incomplete under its own name. */
    async write(extension: UploadExtension, bytes: Buffer): Promise<StoredUpload> {
      const name = newUploadName(extension);
      const file = join(folder, name);
      await writeFileAtomic(file, bytes, { temporaryFile: `${file}${PARTIAL_SUFFIX}` });
      return { name, bytes: bytes.length };
    },

    discard,

    /** Removes files that the database does not name any more; called after that commit. */
    async discardAll(names: readonly string[]): Promise<void> {
      await Promise.all(names.map((name) => discard(name)));
    },
  };
}
export type UploadFiles = ReturnType<typeof createUploadFiles>;
