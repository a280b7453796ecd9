import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import classes from './root-layout.module.css';

/** Around every page: restores scroll positions and shows a progress line while the next page is loaded. */
export function RootLayout() {
  const { state } = useNavigation();
  return (
    <>
      {state === 'loading' ? (
        <output className={`${classes['progress']} no-print`} aria-label="Memuat halaman" />
      ) : null}
      <Outlet />
      <ScrollRestoration getKey={(location) => location.pathname} />
    </>
  );
}
