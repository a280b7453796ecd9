import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom';
import { PageLoading } from '#client/ui/page/page-loading.tsx';
import { requestPageFocus } from '#client/ui/page/page-focus.ts';
import { adminLayout, adminPages } from './admin-pages.ts';
import { bindLaunchesOfInstalledApp } from './launches/bind-launches.ts';
import { homeTarget } from './launches/home-target.ts';
import { GuestOnly, RequireAdmin, RequireSession } from './guards.tsx';
import { paths } from '#client/paths.ts';
import { RootLayout } from './layouts/root-layout.tsx';
import { RouteError } from './pages/route-error.tsx';
import { loadMenuDrawer } from './layouts/user/load-menu.ts';
import { loadOverlays } from './overlays/load-overlays.ts';
import { setPendingPath } from './pages/chunk-load-error.ts';
import { type LazyPage, lazyPage, page } from './pages/lazy-page.tsx';
import { prefetchPages } from './pages/prefetch-pages.ts';
import { resolveRoute } from './pages/resolve-route.ts';
import { currentSession } from '#client/lib/session/session.ts';

const routesOf = (pages: readonly LazyPage[]): RouteObject[] => pages.map(({ route }) => route);

const guestPages = [
  page(paths.login, () => import('#client/features/auth/login-page.tsx'), 'LoginPage'),
  page(paths.register, () => import('#client/features/auth/register-page.tsx'), 'RegisterPage'),
];

/** Open with and without a session: another person may still be signed in on this device. */
const openPages = [
  page(paths.recover, () => import('#client/features/auth/recover-page.tsx'), 'RecoverPage'),
  page(paths.card, () => import('#client/features/auth/card/card-page.tsx'), 'CardPage'),
  page(paths.newPassword, () => import('./layouts/new-password-page.tsx'), 'NewPasswordPage'),
  page(paths.secondFactor, () => import('./layouts/second-factor-page.tsx'), 'SecondFactorPage'),
];

const notFoundPage = lazyPage(() => import('./pages/not-found-page.tsx'), 'NotFoundPage');

const userPages = [
  page(paths.dashboard, () => import('#client/features/dashboard/user/dashboard-page.tsx'), 'UserDashboardPage'),
  page(paths.records, () => import('#client/features/tax-records/own/list/list-page.tsx'), 'OwnRecordListPage'),
  page(paths.recordCreate, () => import('#client/features/tax-records/own/form-pages.tsx'), 'OwnRecordCreatePage'),
  page(paths.recordClaims, () => import('#client/features/tax-records/own/claims/claims-page.tsx'), 'ClaimsPage'),
  page(`${paths.records}/:id`, () => import('./pages/own-record-detail-page.tsx'), 'OwnRecordDetailPage'),
  page(
    `${paths.records}/:id/edit`,
    () => import('#client/features/tax-records/own/form-pages.tsx'),
    'OwnRecordEditPage',
  ),
  page(paths.reports, () => import('#client/features/reports/own/reports-page.tsx'), 'ReportsPage'),
  page(paths.account, () => import('#client/features/account/account-page.tsx'), 'AccountPage'),
];

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: PageLoading,
    children: [
      {
        path: paths.home,
        loader: ({ request }) => redirect(homeTarget(new URL(request.url).search)),
        Component: PageLoading,
      },
      { Component: GuestOnly, children: routesOf(guestPages) },
      ...routesOf(openPages),
      {
        Component: RequireSession,
        children: [
          {
            lazy: lazyPage(() => import('./layouts/user/user-layout.tsx'), 'UserLayout'),
            children: routesOf(userPages),
          },
        ],
      },
      {
        Component: RequireAdmin,
        children: [
          { path: paths.admin, loader: () => redirect(paths.adminDashboard), Component: PageLoading },
          {
            lazy: adminLayout,
            children: routesOf(adminPages),
          },
          // Below /admin an unknown address is for admins only, too.
          { path: `${paths.admin}/*`, lazy: notFoundPage },
        ],
      },
      { path: '*', lazy: notFoundPage },
    ],
  },
];

type AppRouter = ReturnType<typeof createBrowserRouter>;

const prefetchedAreas = new Set<'user' | 'admin'>();

/** The other pages of the area that was opened, and the login page to which each logout leads. */
function prefetchArea(router: AppRouter, pathname: string): void {
  if (!currentSession()) return;
  const area = pathname.startsWith(paths.admin) ? 'admin' : 'user';
  if (prefetchedAreas.has(area)) return;
  prefetchedAreas.add(area);
  const pages = [...(area === 'admin' ? adminPages : userPages), ...guestPages.slice(0, 1)];
  const loadPages = pages.map(
    ({ path, load }) =>
      async () =>
        resolveRoute(router, path, await load()),
  );
  prefetchPages([loadOverlays, loadMenuDrawer, ...loadPages]);
}

export function createAppRouter() {
  const router = createBrowserRouter(routes);
  let { pathname } = router.state.location;
  router.subscribe((state) => {
    if (state.navigation.state === 'idle') prefetchArea(router, state.location.pathname);
    const next = state.navigation.location;
    setPendingPath(next ? next.pathname + next.search : null);
    if (state.location.pathname === pathname) return;
    pathname = state.location.pathname;
    requestPageFocus(pathname);
  });
  bindLaunchesOfInstalledApp((to) => router.navigate(to));
  return router;
}
