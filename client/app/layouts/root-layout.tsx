import { useEffect } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { useLoadedIdentity } from '#client/features/office/identity/use-loaded-identity.ts';
import { GUEST_SCROLL_KEY, USER_SCROLL_KEY } from '#client/lib/session/private-data.ts';
import { useSession } from '#client/lib/session/session.ts';
import { rememberPath } from '#client/lib/previous-path.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import classes from './root-layout.module.css';

forgetScrollOfReload();

/** Around every page: restores the scroll position on back and forward (R-UI-25) and shows a progress line while the next page is loaded. */
export function RootLayout() {
  const { state } = useNavigation();
  const isSignedIn = useSession() !== null;
  const { pathname, key } = useLocation();
  useLoadedIdentity();
  // A filter makes an entry of its own, with the same path.
  useEffect(() => rememberPath(pathname), [pathname, key]);
  return (
    <>
      {state === 'loading' ? (
        <output className={`${classes['progress']} no-print`} aria-label="Memuat halaman" />
      ) : null}
      {isSignedIn ? null : <ConnectionBanner />}
      <Outlet />
      <ScrollRestoration storageKey={isSignedIn ? USER_SCROLL_KEY : GUEST_SCROLL_KEY} />
    </>
  );
}

/** Removes the position of the shown entry of the history: after a reload its rows come later, and the page would jump then. */
function forgetScrollOfReload(): void {
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
