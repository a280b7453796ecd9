import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import { GUEST_SCROLL_KEY } from '#client/lib/private-data.ts';
import { useSession } from '#client/lib/session.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import classes from './root-layout.module.css';

/** Around every page: restores scroll positions and shows a progress line while the next page is loaded. */
export function RootLayout() {
  const { state } = useNavigation();
  const isSignedIn = useSession() !== null;
  return (
    <>
      {state === 'loading' ? (
        <output className={`${classes['progress']} no-print`} aria-label="Memuat halaman" />
      ) : null}
      {isSignedIn ? null : <ConnectionBanner />}
      <Outlet />
      <ScrollRestoration
        getKey={(location) => location.pathname}
        {...(isSignedIn ? {} : { storageKey: GUEST_SCROLL_KEY })}
      />
    </>
  );
}
