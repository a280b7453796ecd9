import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import classes from './root-layout.module.css';

/** Around every page: scroll positions, and a thin line while the next page's code is on its way. */
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
