import { adminGet, type CallRow, type Regency } from './regency-calls.ts';

const MAX_MS = 100;
const CHAT_STATISTICS_MAX_MS = 150;
const CHAT_STATISTICS_MAX_KB = 50;

/** Statistics and reports, and what the admins' dashboard asks. */
export function statisticsRows(regency: Regency): CallRow[] {
  const get = (path: string) => adminGet(regency, path);
  const year = new Date().getUTCFullYear();
  return [
    { name: 'statistics', calls: [get('/admin/statistics')], maxMs: MAX_MS },
    {
      name: 'report of a year',
      calls: [get(`/admin/reports/overview?from=${year}-01-01&to=${year}-12-31`)],
      maxMs: MAX_MS,
    },
    {
      name: 'chat statistics',
      calls: [get('/admin/chat-statistics')],
      maxMs: CHAT_STATISTICS_MAX_MS,
      maxKb: CHAT_STATISTICS_MAX_KB,
    },
    { name: 'retention: what each term would delete', calls: [get('/admin/retention')], maxMs: MAX_MS },
    {
      name: 'dashboard: each of its calls',
      calls: [
        '/admin/statistics',
        '/admin/users?limit=6',
        '/admin/tax-records?limit=6',
        '/messages/conversations?state=waiting&sort=waiting&limit=1',
        '/admin/first-steps',
      ].map(get),
      maxMs: MAX_MS,
    },
  ];
}
