const RELOADED_AT_KEY = 'pbb-reloaded-at';
const RELOAD_LOOP_GUARD_MS = 60_000;

/** Whether a page's code could not be loaded: after an upgrade the old file names are gone from the server. */
export function isChunkLoadError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Chromium, Firefox, Safari and Vite's preloader, each in its own words.
  return /dynamically imported module|importing a module script failed|preload css|error loading dynamically/i.test(
    error.message,
  );
}

let pendingPath: string | null = null;

/** Where the person is on the way to, while that page's code is loading. */
export function setPendingPath(path: string | null): void {
  pendingPath = path;
}

/** Loads the new version of where the person wanted to go; false when that was just tried, so that a real fault does not reload for ever. */
function reloadOnce(): boolean {
  try {
    const last = Number(window.sessionStorage.getItem(RELOADED_AT_KEY) ?? 0);
    if (Date.now() - last < RELOAD_LOOP_GUARD_MS) return false;
    window.sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
  } catch {
    // Without storage a loop could not be told from a first try; the person decides with the button.
    return false;
  }
  if (pendingPath === null) window.location.reload();
  else window.location.assign(pendingPath);
  return true;
}

/** Loads code, and the whole page afresh when that code is no longer there. */
export async function loadChunkOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // What is on the screen stays until the new page comes.
    if (isChunkLoadError(error) && reloadOnce()) return new Promise<T>(() => {});
    throw error;
  }
}
