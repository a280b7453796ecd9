import type { ComponentType } from 'react';
import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom';
import { PageLoading } from '#client/ui/page/page-loading.tsx';
import { requestPageFocus } from '#client/ui/page/page-focus.ts';
import { GuestOnly, RequireAdmin, RequireSession } from './guards.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { paths } from '#client/paths.ts';
import { RootLayout } from './layouts/root-layout.tsx';
import { RouteError } from './pages/route-error.tsx';
import { rememberTarget, withFreshCode } from './pages/stale-code.ts';

/** Every page is loaded when it is first opened, so that the first one comes fast. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return async () => ({ Component: (await withFreshCode(load))[name] });
}

const guestRoutes: RouteObject[] = [
  {
    path: paths.login,
    lazy: page(() => import('#client/features/auth/login-page.tsx'), 'LoginPage'),
  },
  {
    path: paths.register,
    lazy: page(() => import('#client/features/auth/register-page.tsx'), 'RegisterPage'),
  },
];

const userRoutes: RouteObject[] = [
  {
    path: paths.dashboard,
    lazy: page(() => import('#client/features/dashboard/user/dashboard-page.tsx'), 'DashboardPage'),
  },
  {
    path: paths.records,
    lazy: page(() => import('#client/features/tax-records/own/list-page.tsx'), 'RecordListPage'),
  },
  {
    path: paths.recordCreate,
    lazy: page(() => import('#client/features/tax-records/own/create-page.tsx'), 'RecordCreatePage'),
  },
  {
    path: `${paths.records}/:id`,
    lazy: page(() => import('#client/features/tax-records/own/detail-page.tsx'), 'RecordDetailPage'),
  },
  {
    path: `${paths.records}/:id/edit`,
    lazy: page(() => import('#client/features/tax-records/own/edit-page.tsx'), 'RecordEditPage'),
  },
  {
    path: paths.reports,
    lazy: page(() => import('#client/features/reports/own/reports-page.tsx'), 'ReportsPage'),
  },
  {
    path: paths.account,
    lazy: page(() => import('#client/features/account/account-page.tsx'), 'AccountPage'),
  },
];

const adminRoutes: RouteObject[] = [
  {
    path: paths.adminDashboard,
    lazy: page(() => import('./pages/admin-dashboard-page.tsx'), 'AdminDashboardPage'),
  },
  {
    path: paths.adminUsers,
    lazy: page(() => import('#client/features/users/users-page.tsx'), 'UsersPage'),
  },
  {
    path: paths.adminUserCreate,
    lazy: page(() => import('#client/features/users/create-page.tsx'), 'UserCreatePage'),
  },
  {
    path: paths.adminAccount,
    lazy: page(() => import('#client/features/account/account-page.tsx'), 'AccountPage'),
  },
  {
    path: paths.adminRecords,
    lazy: page(() => import('#client/features/tax-records/admin/list-page.tsx'), 'AdminRecordsPage'),
  },
  {
    path: paths.adminRecordCreate,
    lazy: page(() => import('#client/features/tax-records/admin/create-page.tsx'), 'AdminRecordCreatePage'),
  },
  {
    path: `${paths.adminRecords}/:id`,
    lazy: page(() => import('#client/features/tax-records/admin/detail-page.tsx'), 'AdminRecordDetailPage'),
  },
  {
    path: `${paths.adminRecords}/:id/edit`,
    lazy: page(() => import('#client/features/tax-records/admin/edit-page.tsx'), 'AdminRecordEditPage'),
  },
  {
    path: paths.adminReports,
    lazy: page(() => import('#client/features/reports/admin/reports-page.tsx'), 'AdminReportsPage'),
  },
  {
    path: paths.adminAudit,
    lazy: page(() => import('#client/features/audit/audit-page.tsx'), 'AuditPage'),
  },
  {
    path: paths.adminChat,
    // The desk uses the whole room beside the menu and scrolls inside itself.
    handle: { fills: true },
    lazy: page(() => import('#client/features/chat/inbox/desk-page.tsx'), 'DeskPage'),
  },
  {
    path: paths.adminSettings,
    lazy: page(() => import('./pages/admin-settings-page.tsx'), 'AdminSettingsPage'),
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
        children: [{ lazy: page(() => import('./layouts/user-layout.tsx'), 'UserLayout'), children: userRoutes }],
      },
      {
        Component: RequireAdmin,
        children: [
          { path: paths.admin, loader: () => redirect(paths.adminDashboard), Component: PageLoading },
          { lazy: page(() => import('./layouts/admin-layout.tsx'), 'AdminLayout'), children: adminRoutes },
          // Below /admin even an unknown address is for administrators only.
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
    rememberTarget(next ? next.pathname + next.search : null);
    if (state.location.pathname === pathname) return;
    pathname = state.location.pathname;
    requestPageFocus(pathname);
  });
  return router;
}
