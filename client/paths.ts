/** The filter of the admins' list of records in its URL. `adminRecordParams` names each part there. */
export type AdminRecordsWhere = {
  search?: string;
  status?: string;
  property_type?: string;
  year?: string | number;
  user_id?: string;
  /** All records by default. */
  view?: 'overdue' | 'unpaid' | '';
  /** Whether a payment proof is there. */
  proof?: 'with' | 'without' | '';
  /** The result of the check of a reported payment: one or several of `VERIFICATION_FILTERS`, separated by commas. */
  verification?: string;
  /** Dates are yyyy-mm-dd, and both ends of a range belong to it. */
  due_from?: string;
  due_to?: string;
  payment_from?: string;
  payment_to?: string;
  sort?: string;
};

export const adminRecordParams = {
  search: 'cari',
  status: 'status',
  property_type: 'properti',
  year: 'tahun',
  user_id: 'pemilik',
  view: 'tampilan',
  proof: 'bukti',
  verification: 'pencocokan',
  due_from: 'jatuh_dari',
  due_to: 'jatuh_sampai',
  payment_from: 'bayar_dari',
  payment_to: 'bayar_sampai',
  sort: 'urut',
} as const satisfies Record<keyof AdminRecordsWhere, string>;
export const adminRecordViews = { overdue: 'tunggakan', unpaid: 'belum-lunas' } as const;
export const adminRecordProofs = { with: 'ada', without: 'tidak' } as const;

/** The parameters that a filter adds to the URL of the list. */
function adminRecordSearch(where: AdminRecordsWhere): URLSearchParams {
  const params = new URLSearchParams();
  for (const [part, name] of Object.entries(adminRecordParams)) {
    const value = where[part as keyof AdminRecordsWhere];
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  if (where.view) params.set(adminRecordParams.view, adminRecordViews[where.view]);
  if (where.proof) params.set(adminRecordParams.proof, adminRecordProofs[where.proof]);
  return params;
}

function adminRecordsWhere(where: AdminRecordsWhere): string {
  const params = String(adminRecordSearch(where));
  return params !== '' ? `/admin/tax-records?${params}` : '/admin/tax-records';
}

/** Names the tax year in the addresses of the office's list. */
export const DHKP_YEAR_PARAM = 'tahun';

/** The answered requests of users in their address. */
export const CLAIM_VIEW_PARAM = 'tampil';
export const claimViews = { approved: 'disetujui', rejected: 'ditolak' } as const;
type ClaimView = keyof typeof claimViews;

/** The ids of the sections of the settings page that other pages lead to. */
export const settingsSections = { backups: 'cadangan', addresses: 'alamat-kantor' } as const;

/** Every address of the client (docs/requirements.md R-UI-3, R-UI-4). */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  /** A new password with a code of the office, which may stand behind a #: `client/public/boot.js` takes it away. */
  recover: '/pulih',
  /** A card with its PIN; the code of the card may stand behind a #, as above. */
  card: '/masuk',
  /** The only page of a session that must choose a new password first. */
  newPassword: '/new-password',
  /** The only page of a session whose account must set up a second factor first. */
  secondFactor: '/second-factor',
  dashboard: '/dashboard',
  /** The user's chat, open and ready to write. */
  openChat: '/dashboard?obrolan=1',
  records: '/tax-records',
  /** The own records, with the question of 'Tahun Baru' open. */
  newYear: '/tax-records#tahun-baru',
  /** The own list with only some records: the overdue, the unpaid or the refused ones. */
  recordsShown: (display: 'tunggakan' | 'belum-lunas' | 'ditolak') => `/tax-records?tampilan=${display}`,
  recordCreate: '/tax-records/create',
  /** Asks the office for an object of its list. */
  recordClaims: '/tax-records/claims',
  record: (id: string) => `/tax-records/${encodeURIComponent(id)}`,
  recordEdit: (id: string) => `/tax-records/${encodeURIComponent(id)}/edit`,
  reports: '/reports',
  account: '/account',
  admin: '/admin',
  adminDashboard: '/admin/dashboard',
  adminUsers: '/admin/users',
  adminUserCreate: '/admin/users/create',
  /** The page of one user. */
  adminUser: (id: string) => `/admin/users/${encodeURIComponent(id)}`,
  /** The people who cannot get into their account and asked the office. */
  adminRecoveries: '/admin/recoveries',
  /** The people who asked the office to delete their account. */
  adminErasures: '/admin/erasures',
  adminUserEdit: (id: string) => `/admin/users?edit=${encodeURIComponent(id)}`,
  adminRecords: '/admin/tax-records',
  /** The payments that users reported and no admin has checked. */
  adminInbound: '/admin/tax-records/bukti-masuk',
  /** The check of one record. */
  adminInboundRecord: (id: string) => `/admin/tax-records/bukti-masuk?data=${encodeURIComponent(id)}`,
  adminRecordCreate: '/admin/tax-records/create',
  adminRecordCreateFor: (userId: string) => `/admin/tax-records/create?pemilik=${encodeURIComponent(userId)}`,
  adminRecord: (id: string) => `/admin/tax-records/${encodeURIComponent(id)}`,
  adminRecordEdit: (id: string) => `/admin/tax-records/${encodeURIComponent(id)}/edit`,
  /** The list with a filter. */
  adminRecordsWhere,
  /** The office's own list (DHKP). */
  adminDhkp: '/admin/dhkp',
  /** The list of one tax year. */
  adminDhkpYear: (year: number) => `/admin/dhkp?${DHKP_YEAR_PARAM}=${year}`,
  adminDhkpObject: (id: string) => `/admin/dhkp/${encodeURIComponent(id)}`,
  /** The objects of one tax year that have no account yet; without a year of the newest list. */
  adminDhkpMatches: (year?: number) =>
    year === undefined ? '/admin/dhkp/matches' : `/admin/dhkp/matches?${DHKP_YEAR_PARAM}=${year}`,
  /** Users' requests to link an object: those that wait, or those with an answer. */
  adminClaims: (view?: ClaimView) =>
    view === undefined ? '/admin/dhkp/claims' : `/admin/dhkp/claims?${CLAIM_VIEW_PARAM}=${claimViews[view]}`,
  adminDhkpImport: '/admin/dhkp/import',
  /** The import of a list for one tax year. */
  adminDhkpImportOf: (year: number) => `/admin/dhkp/import?${DHKP_YEAR_PARAM}=${year}`,
  adminDhkpBatch: (id: string) => `/admin/dhkp/import/${encodeURIComponent(id)}`,
  adminReports: '/admin/reports',
  /** The report on the chat. */
  adminChatReport: '/admin/reports/chat',
  adminAudit: '/admin/audit',
  /** The audit of what one user or admin has done. */
  adminAuditBy: (userId: string) => `/admin/audit?orang=${encodeURIComponent(userId)}`,
  /** The audit of an account; its entries are named by the e-mail. */
  adminAuditAbout: (email: string) => `/admin/audit?cari=${encodeURIComponent(email)}`,
  adminChat: '/admin/chat',
  /** The inbox with the filter 'Belum dibalas'. */
  adminUnansweredChat: '/admin/chat?show=waiting',
  adminConversation: (userId: string) => `/admin/chat?user=${encodeURIComponent(userId)}`,
  /** The search over all messages. */
  adminMessageSearch: (q: string) => `/admin/chat?cari=${encodeURIComponent(q)}`,
  adminSettings: '/admin/settings',
  /** Sections of the settings; the ids stand in `settingsSections`. */
  adminBackups: `/admin/settings#${settingsSections.backups}`,
  adminAddresses: `/admin/settings#${settingsSections.addresses}`,
  quickReplies: '/admin/settings/quick-replies',
  adminOfficeHours: '/admin/settings/office-hours',
  adminTaxYears: '/admin/settings/tax-years',
  adminRetention: '/admin/settings/retention',
  adminOfficeIdentity: '/admin/settings/office-identity',
  adminDhkpSettings: '/admin/settings/dhkp',
  adminAreas: '/admin/settings/areas',
  adminAccount: '/admin/account',
} as const;

/** Behind the address of the own records: the question of 'Tahun Baru' opens. */
export const NEW_YEAR_HASH = '#tahun-baru';

/** Behind the address of a conversation: its field takes the focus. */
export const ANSWER_HASH = '#balas';

export function isAdminPath(path: string): boolean {
  return path === paths.admin || path.startsWith(`${paths.admin}/`);
}

/** The first page after a login (R-UI-2). */
export function startPath(isAdmin: boolean): string {
  return isAdmin ? paths.adminDashboard : paths.dashboard;
}

/** The page after a login: the one on which the session ended, if the role may still open it. */
export function pathAfterLogin(isAdmin: boolean, returnTo: string | null): string {
  const { login, register, recover, card } = paths;
  if (!returnTo || [login, register, recover, card].some((path) => path === returnTo)) return startPath(isAdmin);
  return isAdminPath(returnTo) === isAdmin ? returnTo : startPath(isAdmin);
}
