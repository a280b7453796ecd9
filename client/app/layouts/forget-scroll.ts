import { GUEST_SCROLL_KEY, USER_SCROLL_KEY } from '#client/lib/private-data.ts';

/** Removes the position of the shown entry of the history: after a reload its rows come later, and the page would jump then. */
export function forgetScrollOfReload(): void {
  window.history.scrollRestoration = 'manual';
  const state: unknown = window.history.state;
  const key = typeof state === 'object' && state !== null && 'key' in state ? String(state.key) : 'default';
  try {
    for (const storageKey of [USER_SCROLL_KEY, GUEST_SCROLL_KEY]) {
      const positions: unknown = JSON.parse(window.sessionStorage.getItem(storageKey) ?? '{}');
      const others = Object.entries(positions ?? {}).filter(([entry]) => entry !== key);
      window.sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(others)));
    }
  } catch {
    // Without access to the storage, no position is restored.
  }
}
