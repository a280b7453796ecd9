import type { ComponentType } from 'react';
import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom';
import { PageLoading } from '#client/ui/page/page-loading.tsx';
import { requestPageFocus } from '#client/ui/page/page-focus.ts';
import { GuestOnly, RequireAdmin, RequireSession } from './guards.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { paths } from '#client/paths.ts';
import { RootLayout } from './layouts/root-layout.tsx';
import { RouteError } from './pages/route-error.tsx';
import { setPendingPath, loadChunkOrReload } from './pages/chunk-load-error.ts';

/** Loads a page when it is first opened, which keeps the first load small (docs/requirements.md R-UI-17). */
function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return async () => ({ Component: (await loadChunkOrReload(load))[name] });
}

const guestRoutes: RouteObject[] = [
  {
    path: paths.login,
    lazy: lazyPage(() => import('#client/features/auth/login-page.tsx'), 'LoginPage'),
  },
  {
    path: paths.register,
    lazy: lazyPage(() => import('#client/features/auth/register-page.tsx'), 'RegisterPage'),
  },
];

const userRoutes: RouteObject[] = [
  {
    path: paths.dashboard,
    lazy: lazyPage(() => import('#client/features/dashboard/user/dashboard-page.tsx'), 'UserDashboardPage'),
  },
  {
    path: paths.records,
    lazy: lazyPage(() => import('#client/features/tax-records/own/list/list-page.tsx'), 'OwnRecordListPage'),
  },
  {
    path: paths.recordCreate,
    lazy: lazyPage(() => import('#client/features/tax-records/own/create-page.tsx'), 'OwnRecordCreatePage'),
  },
  {
    path: `${paths.records}/:id`,
    lazy: lazyPage(() => import('./pages/own-record-detail-page.tsx'), 'OwnRecordDetailPage'),
  },
  {
    path: `${paths.records}/:id/edit`,
    lazy: lazyPage(() => import('#client/features/tax-records/own/edit-page.tsx'), 'OwnRecordEditPage'),
  },
  {
    path: paths.reports,
    lazy: lazyPage(() => import('#client/features/reports/own/reports-page.tsx'), 'ReportsPage'),
  },
  {
    path: paths.account,
    lazy: lazyPage(() => import('#client/features/account/account-page.tsx'), 'AccountPage'),
  },
];

const adminRoutes: RouteObject[] = [
  {
    path: paths.adminDashboard,
    lazy: lazyPage(() => import('./pages/admin-dashboard-page.tsx'), 'AdminDashboardPage'),
  },
  {
    path: paths.adminUsers,
    lazy: lazyPage(() => import('#client/features/users/list/users-page.tsx'), 'UsersPage'),
  },
  {
    path: paths.adminUserCreate,
    lazy: lazyPage(() => import('#client/features/users/create/create-page.tsx'), 'UserCreatePage'),
  },
  {
    path: paths.adminAccount,
    lazy: lazyPage(() => import('#client/features/account/account-page.tsx'), 'AccountPage'),
  },
  {
    path: paths.adminRecords,
    lazy: lazyPage(() => import('#client/features/tax-records/admin/list/list-page.tsx'), 'AdminRecordListPage'),
  },
  {
    path: paths.adminRecordCreate,
    lazy: lazyPage(() => import('#client/features/tax-records/admin/create-page.tsx'), 'AdminRecordCreatePage'),
  },
  {
    path: `${paths.adminRecords}/:id`,
    lazy: lazyPage(() => import('./pages/admin-record-detail-page.tsx'), 'AdminRecordDetailPage'),
  },
  {
    path: `${paths.adminRecords}/:id/edit`,
    lazy: lazyPage(() => import('#client/features/tax-records/admin/edit-page.tsx'), 'AdminRecordEditPage'),
  },
  {
    path: paths.adminReports,
    lazy: lazyPage(() => import('#client/features/reports/admin/reports-page.tsx'), 'AdminReportsPage'),
  },
  {
    path: paths.adminAudit,
    lazy: lazyPage(() => import('#client/features/audit/audit-page.tsx'), 'AuditPage'),
  },
  {
    path: paths.adminChat,
    // The inbox fills the whole area beside the menu and scrolls inside.
    handle: { fullBleed: true },
    lazy: lazyPage(() => import('#client/features/chat/inbox/inbox-page.tsx'), 'InboxPage'),
  },
  {
    path: paths.adminSettings,
    lazy: lazyPage(() => import('./pages/admin-settings-page.tsx'), 'AdminSettingsPage'),
  },
];

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: PageLoading,
    children: [
      { path: paths.home, loader: () => redirect(paths.login), Component: PageLoading },
      { Component: GuestOnly, children: guestRoutes },
      {
        Component: RequireSession,
        children: [
          { lazy: lazyPage(() => import('./layouts/user/user-layout.tsx'), 'UserLayout'), children: userRoutes },
        ],
      },
      {
        Component: RequireAdmin,
        children: [
          { path: paths.admin, loader: () => redirect(paths.adminDashboard), Component: PageLoading },
          { lazy: lazyPage(() => import('./layouts/admin/admin-layout.tsx'), 'AdminLayout'), children: adminRoutes },
          // Below /admin an unknown address is for admins only, too.
          { path: `${paths.admin}/*`, Component: NotFoundPage },
        ],
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
];

export function createAppRouter() {
  const router = createBrowserRouter(routes);
  let { pathname } = router.state.location;
  router.subscribe((state) => {
    const next = state.navigation.location;
    setPendingPath(next ? next.pathname + next.search : null);
    if (state.location.pathname === pathname) return;
    pathname = state.location.pathname;
    requestPageFocus(pathname);
  });
  return router;
}
