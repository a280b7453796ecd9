import { paths } from '#client/paths.ts';
import { lazyPage, page } from './pages/lazy-page.tsx';

/**
 * The pages of the administrators. The build reads from this file which code only administrators load
 * (scripts/client-build/service-worker.ts).
 */
export const adminLayout = lazyPage(() => import('./layouts/admin/admin-layout.tsx'), 'AdminLayout');

export const adminPages = [
  page(paths.adminDashboard, () => import('./pages/admin-dashboard-page.tsx'), 'AdminDashboardPage'),
  page(paths.adminUsers, () => import('#client/features/users/list/users-page.tsx'), 'UsersPage'),
  page(paths.adminUserCreate, () => import('#client/features/users/create/create-page.tsx'), 'UserCreatePage'),
  page(`${paths.adminUsers}/:id`, () => import('./pages/admin-user-detail-page.tsx'), 'AdminUserDetailPage'),
  page(paths.adminRecoveries, () => import('./pages/admin-request-pages.tsx'), 'AdminRecoveriesPage'),
  page(paths.adminErasures, () => import('./pages/admin-request-pages.tsx'), 'AdminErasuresPage'),
  page(paths.adminAccount, () => import('#client/features/account/account-page.tsx'), 'AccountPage'),
  page(
    paths.adminRecords,
    () => import('#client/features/tax-records/admin/list/list-page.tsx'),
    'AdminRecordListPage',
  ),
  page(paths.adminInbound, () => import('#client/features/tax-records/admin/inbound/inbound-page.tsx'), 'InboundPage'),
  page(
    paths.adminRecordCreate,
    () => import('#client/features/tax-records/admin/form-pages.tsx'),
    'AdminRecordCreatePage',
  ),
  page(`${paths.adminRecords}/:id`, () => import('./pages/admin-record-detail-page.tsx'), 'AdminRecordDetailPage'),
  page(
    `${paths.adminRecords}/:id/edit`,
    () => import('#client/features/tax-records/admin/form-pages.tsx'),
    'AdminRecordEditPage',
  ),
  page(paths.adminDhkp, () => import('#client/features/dhkp/list/list-page.tsx'), 'DhkpListPage'),
  page(paths.adminDhkpImport, () => import('#client/features/dhkp/import/import-page.tsx'), 'DhkpImportPage'),
  page(`${paths.adminDhkpImport}/:id`, () => import('#client/features/dhkp/import/batch-page.tsx'), 'DhkpBatchPage'),
  page(paths.adminDhkpMatches(), () => import('#client/features/dhkp/linking/matches-page.tsx'), 'DhkpMatchesPage'),
  page(paths.adminClaims(), () => import('#client/features/dhkp/claims/claims-page.tsx'), 'ClaimsPage'),
  page(`${paths.adminDhkp}/:id`, () => import('#client/features/dhkp/detail/object-page.tsx'), 'DhkpObjectPage'),
  page(paths.adminReports, () => import('#client/features/reports/admin/reports-page.tsx'), 'AdminReportsPage'),
  page(paths.adminChatReport, () => import('#client/features/reports/chat/chat-report-page.tsx'), 'ChatReportPage'),
  page(paths.adminAudit, () => import('#client/features/audit/audit-page.tsx'), 'AuditPage'),
  // The inbox fills the whole area beside the menu and scrolls inside.
  page(paths.adminChat, () => import('#client/features/chat/inbox/inbox-page.tsx'), 'InboxPage', { fullBleed: true }),
  page(paths.quickReplies, () => import('#client/features/quick-replies/quick-replies-page.tsx'), 'QuickRepliesPage'),
  page(paths.adminSettings, () => import('./pages/admin-settings-page.tsx'), 'AdminSettingsPage'),
  page(paths.adminTaxYears, () => import('#client/features/tax-records/settings/tax-years-page.tsx'), 'TaxYearsPage'),
  page(paths.adminRetention, () => import('#client/features/retention/retention-page.tsx'), 'RetentionPage'),
  page(
    paths.adminOfficeIdentity,
    () => import('#client/features/office/identity/identity-page.tsx'),
    'OfficeIdentityPage',
  ),
  page(
    paths.adminDhkpSettings,
    () => import('#client/features/dhkp/settings/dhkp-settings-page.tsx'),
    'DhkpSettingsPage',
  ),
  page(paths.adminAreas, () => import('#client/features/areas/areas-page.tsx'), 'AreasPage'),
  page(paths.adminOfficeHours, () => import('#client/features/office/hours/office-hours-page.tsx'), 'OfficeHoursPage'),
];
