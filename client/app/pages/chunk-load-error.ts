import { fetchServerBuild, probeServer } from '#client/lib/api/api.ts';
import { reportNoAnswer } from '#client/lib/api/server-reachability.ts';
import { allowUnload } from '#client/ui/form/allow-unload.ts';
import { leaveOldVersion, loadPage, ownBuild } from '#client/lib/browser/worker-registration.ts';

const RELOADED_AT_KEY = 'pbb-reloaded-at';
/** Which builds of the page were left for which builds of the server within the last minute. */
const RELOADED_FOR_KEY = 'pbb-reloaded-for';
const RELOAD_LOOP_GUARD_MS = 60_000;

/** Leaves the current page. An object, so that tests can replace the functions. */
export const browser = {
  reload: () => loadPage(() => window.location.reload()),
  open: (path: string) => loadPage(() => window.location.assign(path)),
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

/** The target of the navigation, or the shown page. */
const currentTarget = (): string => pendingPath ?? window.location.pathname + window.location.search;

/** Remembers the target of the navigation while the code of that page is loaded. */
export function setPendingPath(path: string | null): void {
  pendingPath = path;
}

/**
 * Whether a reload may help: once a minute, and besides once for each other build of the page or the server in that time. A
 * service worker that waited may have opened a build in between, which the server has left, too.
 */
function mayReload(build: string | null): boolean {
  try {
    const { sessionStorage } = window;
    const isRecent = Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY)) < RELOAD_LOOP_GUARD_MS;
    const steps = isRecent ? (sessionStorage.getItem(RELOADED_FOR_KEY) ?? '').split(' ') : [];
    const step = `${ownBuild()}>${build ?? ''}`;
    if (isRecent && (build === null || build === ownBuild() || steps.includes(step))) return false;
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
    sessionStorage.setItem(RELOADED_FOR_KEY, [...steps, step].join(' '));
    return true;
  } catch {
    // Without storage, a loop cannot be detected; the user can reload with the button.
    return false;
  }
}

/**
 * Reloads the app at the target of the navigation.
 * @returns false when it just did, because a permanent error must not reload for ever; also when the person has gone
 * elsewhere meanwhile
 */
async function reloadOnce(target: string): Promise<boolean> {
  const build = await fetchServerBuild();
  if (currentTarget() !== target || !mayReload(build)) return false;
  // Else a service worker may open the version again whose code is gone.
  await leaveOldVersion();
  if (currentTarget() !== target) return false;
  if (pendingPath === null) {
    browser.reload();
  } else {
    // A form that is left for this navigation has asked before.
    allowUnload();
    browser.open(pendingPath);
  }
  return true;
}

/**
 * Loads code. Reloads the whole page when the server answers, but no longer has that code. Without an answer a reload would
 * put the browser's own error page in place of the app.
 * @throws {ServerUnreachableError} when the server does not answer
 */
export async function loadChunkOrReload<T>(load: () => Promise<T>): Promise<T> {
  let target: string;
  try {
    return await load();
  } catch (error) {
    if (!isChunkLoadError(error)) throw error;
    // The router sets the pending path only after it has asked for the code.
    target = currentTarget();
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
    if (isChunkLoadError(error) && (await reloadOnce(target))) return new Promise<T>(() => {});
    throw error;
  }
}
