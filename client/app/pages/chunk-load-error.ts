import { probeServer } from '#client/lib/api.ts';
import { reportNoAnswer } from '#client/lib/server-reachability.ts';

const RELOADED_AT_KEY = 'pbb-reloaded-at';
const RELOAD_LOOP_GUARD_MS = 60_000;

/** Leaves the current page. An object, so that tests can replace the functions. */
export const browser = {
  reload: () => window.location.reload(),
  open: (path: string) => window.location.assign(path),
};

/** The code of a page is not here yet, and the server does not answer. */
export class ServerUnreachableError extends Error {}

/** Whether code could not be loaded: without a connection, or because an upgrade has removed the old files. */
export function isChunkLoadError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The messages of Chromium, Firefox, Safari and Vite's preloader.
  return /dynamically imported module|importing a module script failed|preload css|error loading dynamically/i.test(
    error.message,
  );
}

let pendingPath: string | null = null;

/** Remembers the target of the navigation while the code of that page is loaded. */
export function setPendingPath(path: string | null): void {
  pendingPath = path;
}

/**
 * Reloads the app at the target of the navigation.
 * @returns false when it just did, because a permanent error must not reload for ever
 */
function reloadOnce(): boolean {
  try {
    const last = Number(window.sessionStorage.getItem(RELOADED_AT_KEY) ?? 0);
    if (Date.now() - last < RELOAD_LOOP_GUARD_MS) return false;
    window.sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
  } catch {
    // Without storage, a loop cannot be detected; the user can reload with the button.
    return false;
  }
  if (pendingPath === null) browser.reload();
  else browser.open(pendingPath);
  return true;
}

/**
 * Loads code. Reloads the whole page when the server answers, but no longer has that code. Without an answer a reload would
 * put the browser's own error page in place of the app.
 * @throws {ServerUnreachableError} when the server does not answer
 */
export async function loadChunkOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isChunkLoadError(error)) throw error;
    if (!(await probeServer())) {
      reportNoAnswer();
      throw new ServerUnreachableError('The code of the page cannot be loaded', { cause: error });
    }
  }
  try {
    // The connection may have been back since.
    return await load();
  } catch (error) {
    // Never resolves: the current page stays until the browser has reloaded.
    if (isChunkLoadError(error) && reloadOnce()) return new Promise<T>(() => {});
    throw error;
  }
}
