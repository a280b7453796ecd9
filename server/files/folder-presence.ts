import { stat } from 'node:fs/promises';

/** A folder on a disk that hangs must not delay the page that asks. */
const ANSWER_MAX_MS = 500;

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Looks whether a folder is there now, such as one on a USB disk. One look at a time: a disk that hangs would else take
 * every thread of libuv's pool.
 * @returns a function that resolves to false also while the disk does not answer
 */
export function createFolderPresence(
  folder: string,
  look: typeof isFolder = isFolder,
  answerMaxMs = ANSWER_MAX_MS,
): () => Promise<boolean> {
  let looking: Promise<boolean> | null = null;
  return () => {
    looking ??= look(folder).finally(() => {
      looking = null;
    });
    const { promise: silence, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), answerMaxMs);
    return Promise.race([looking, silence]).finally(() => clearTimeout(timer));
  };
}
