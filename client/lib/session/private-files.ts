import type { UseStore } from 'idb-keyval';

/**
 * Files of this browser that are too large for local storage, each under its account. They are stored as bytes, because some
 * browsers lose the blobs in a database. Nothing here throws: without a database the caller keeps its files in memory.
 */

type StoredFile = { bytes: ArrayBuffer; type: string };

const DATABASE = 'pbb-files';
/** Opening hangs for ever in some versions of Safari, and the message must not hang with it. */
const TIMEOUT_MS = 6000;

const keyOf = (accountId: string, name: string): string => `${accountId}:${name}`;

/** Loaded on its own: the first load does without it. */
const loadLibrary = () => import('idb-keyval');
type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Loads what stores files, so that it is there when the connection is lost before the first one is chosen. */
export function preparePrivateFiles(): void {
  loadLibrary().catch(() => undefined);
}

let database: UseStore | undefined;

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The database does not answer')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work` on the database, once more on a new connection: a phone may close it while the page sleeps. */
async function withDatabase<T>(work: (store: UseStore, library: Library) => Promise<T>): Promise<T> {
  const library = await loadLibrary();
  try {
    database ??= library.createStore(DATABASE, 'files');
    return await within(work(database, library));
  } catch {
    database = library.createStore(DATABASE, 'files');
    return within(work(database, library));
  }
}

/** Stores some files of an account, all or none. @returns whether a reload keeps them */
export async function writePrivateFiles(accountId: string, files: Readonly<Record<string, Blob>>): Promise<boolean> {
  try {
    const entries = await Promise.all(
      Object.entries(files).map(async ([name, blob]): Promise<[string, StoredFile]> => [
        keyOf(accountId, name),
        { bytes: await blob.arrayBuffer(), type: blob.type },
      ]),
    );
    await withDatabase((store, { setMany }) => setMany(entries, store));
    return true;
  } catch {
    // A private window, a full disk, or no database at all.
    return false;
  }
}

export async function readPrivateFile(accountId: string, name: string): Promise<Blob | null> {
  try {
    const stored = await withDatabase((store, { get }) => get<StoredFile>(keyOf(accountId, name), store));
    return stored ? new Blob([stored.bytes], { type: stored.type }) : null;
  } catch {
    return null;
  }
}

/** The names of all stored files, of every account. */
export async function listPrivateFiles(): Promise<{ accountId: string; name: string }[]> {
  try {
    const all = await withDatabase((store, { keys }) => keys<string>(store));
    return all.map((key) => {
      const [accountId = '', name = ''] = key.split(':');
      return { accountId, name };
    });
  } catch {
    return [];
  }
}

export async function removePrivateFiles(accountId: string, names: readonly string[]): Promise<void> {
  try {
    await withDatabase((store, { delMany }) =>
      delMany(
        names.map((name) => keyOf(accountId, name)),
        store,
      ),
    );
  } catch {
    // Without a database there is nothing to remove.
  }
}

/** Removes all files of an account. */
export async function erasePrivateFiles(accountId: string): Promise<void> {
  const all = await listPrivateFiles();
  const own = all.filter((file) => file.accountId === accountId);
  if (own.length > 0)
    await removePrivateFiles(
      accountId,
      own.map(({ name }) => name),
    );
}
