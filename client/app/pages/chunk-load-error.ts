const RELOADED_AT_KEY = 'pbb-reloaded-at';
const RELOAD_LOOP_GUARD_MS = 60_000;

/** Whether the code of a page could not be loaded: an upgrade removes the old files from the server. */
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
  if (pendingPath === null) window.location.reload();
  else window.location.assign(pendingPath);
  return true;
}

/** Loads code. Reloads the whole page when that code no longer exists. */
export async function loadChunkOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // Never resolves: the current page stays until the browser has reloaded.
    if (isChunkLoadError(error) && reloadOnce()) return new Promise<T>(() => {});
    throw error;
  }
}
