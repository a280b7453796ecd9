import { BUILD, FIRST_FILES, isHashed, PAGE } from './shell-files.ts';

/** The kept files of the shell: one cache for each build. */

const PREFIX = 'pbb-shell-';
const CACHE = PREFIX + BUILD;

/** The attribute with which a page names its build. */
const BUILD_MARK = `data-build="${BUILD}"`;

/** The browser cannot keep more. */
export class StorageError extends Error {}

/** The headers of the answer belong to its transport, but for these. */
const KEPT_HEADERS = ['content-type', 'content-security-policy', 'x-content-type-options', 'referrer-policy'];

const openCache = (): Promise<Cache> => caches.open(CACHE);

/** A file of any build that is kept. A cache that the browser cannot read counts as empty. */
export async function findKept(path: string): Promise<Response | undefined> {
  try {
    return (await (await openCache()).match(path)) ?? (isHashed(path) ? await caches.match(path) : undefined);
  } catch {
    return undefined;
  }
}

/** Keeps an answer. Its whole body is read first, so that a broken connection is never taken for a full disk. */
export async function keepAnswer(path: string, answer: Response): Promise<void> {
  const body = await answer.blob();
  const headers = new Headers();
  for (const name of KEPT_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  try {
    await (await openCache()).put(path, new Response(body, { headers }));
  } catch (error) {
    throw new StorageError('The browser keeps no more files', { cause: error });
  }
}

/** A large file takes half of this on a weak 2G network. */
const FETCH_TIMEOUT_MS = 60_000;

/**
 * Fetches for the worker itself. What hangs is given up, because a worker that waits cannot be replaced by a newer one.
 * @param signal ends it earlier
 */
export async function fetchOwn(path: string, signal?: AbortSignal): Promise<Response> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const timer = setTimeout(stop, FETCH_TIMEOUT_MS);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    const answer = await fetch(path, { signal: abort.signal, ...(isHashed(path) ? {} : { cache: 'no-cache' }) });
    // With the whole body, which may hang as well.
    return new Response(await answer.blob(), answer);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function fetchFile(path: string, signal?: AbortSignal): Promise<Response> {
  const answer = await fetchOwn(path, signal);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  if (path !== PAGE) return answer;
  const text = await answer.clone().text();
  // The server was replaced in between; its own worker comes next.
  if (!text.includes(BUILD_MARK)) throw new Error('The page is of another build');
  return answer;
}

let isWholeKnown = false;

/** Something of this build is gone, here or on the server. */
export function forgetWhole(): void {
  isWholeKnown = false;
}

async function keptPaths(): Promise<Set<string>> {
  const requests = await (await openCache()).keys();
  return new Set(requests.map(({ url }) => new URL(url).pathname));
}

/** Whether everything is kept without which there is no page. */
export async function isWhole(): Promise<boolean> {
  if (isWholeKnown) return true;
  try {
    const kept = await keptPaths();
    isWholeKnown = FIRST_FILES.every((path) => kept.has(path));
  } catch {
    isWholeKnown = false;
  }
  return isWholeKnown;
}

/**
 * Keeps the files that are not kept yet, one after the other, because a page may be loading beside it.
 * @param renewed whether a kept file with a fixed name is fetched again
 * @param signal stops after the file that is under way
 * @throws {StorageError} when the browser keeps no more
 */
export async function keepFiles(
  files: readonly string[],
  { renewed = false, signal }: { renewed?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  let kept: Set<string>;
  try {
    kept = await keptPaths();
  } catch (error) {
    throw new StorageError('The browser keeps no files', { cause: error });
  }
  for (const path of files) {
    if (kept.has(path) && !(renewed && !isHashed(path))) continue;
    await keepAnswer(path, (isHashed(path) ? await findKept(path) : undefined) ?? (await fetchFile(path, signal)));
  }
}

/**
 * Pages are opened from the network from now on, until this build is whole again.
 * @returns whether the page was kept until now
 */
export async function dropPage(): Promise<boolean> {
  forgetWhole();
  return (await openCache()).delete(PAGE);
}

/** Removes what other builds left, but for the newest of them if pages of it may still be open. */
export async function removeOtherBuilds({ exceptNewest }: { exceptNewest: boolean }): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const removed = exceptNewest ? others.slice(0, -1) : others;
  await Promise.all(removed.map((name) => caches.delete(name)));
}

export async function removeOwnBuild(): Promise<void> {
  forgetWhole();
  await caches.delete(CACHE);
}
