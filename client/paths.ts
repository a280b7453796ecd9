/** Every address of the client (docs/requirements.md R-UI-3, R-UI-4). */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  dashboard: '/dashboard',
  records: '/tax-records',
  recordCreate: '/tax-records/create',
  record: (id: string) => `/tax-records/${encodeURIComponent(id)}`,
  recordEdit: (id: string) => `/tax-records/${encodeURIComponent(id)}/edit`,
  reports: '/reports',
  account: '/account',
  admin: '/admin',
  adminDashboard: '/admin/dashboard',
  adminUsers: '/admin/users',
  adminUserCreate: '/admin/users/create',
  adminUserEdit: (id: string) => `/admin/users?edit=${encodeURIComponent(id)}`,
  adminRecords: '/admin/tax-records',
  adminRecordCreate: '/admin/tax-records/create',
  adminRecord: (id: string) => `/admin/tax-records/${encodeURIComponent(id)}`,
  adminRecordEdit: (id: string) => `/admin/tax-records/${encodeURIComponent(id)}/edit`,
  adminRecordsOf: (userId: string) => `/admin/tax-records?pemilik=${encodeURIComponent(userId)}`,
  adminReports: '/admin/reports',
  adminAudit: '/admin/audit',
  adminChat: '/admin/chat',
  adminConversation: (userId: string) => `/admin/chat?user=${encodeURIComponent(userId)}`,
  adminSettings: '/admin/settings',
  adminAccount: '/admin/account',
} as const;

export function isAdminPath(path: string): boolean {
  return path === paths.admin || path.startsWith(`${paths.admin}/`);
}

/** The first page after a login (R-UI-2). */
export function startPath(isAdmin: boolean): string {
  return isAdmin ? paths.adminDashboard : paths.dashboard;
}

/** The page after a login: the one on which the session ended, if the role may still open it. */
export function pathAfterLogin(isAdmin: boolean, returnTo: string | null): string {
  if (!returnTo || returnTo === paths.login || returnTo === paths.register) return startPath(isAdmin);
  return isAdminPath(returnTo) === isAdmin ? returnTo : startPath(isAdmin);
}
