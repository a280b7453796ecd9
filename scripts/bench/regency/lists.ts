import { adminGet, type CallRow, createNextRecord, type Regency } from './regency-calls.ts';

const MAX_MS = 100;

/** Lists without a search; those of the inbox are in `inbox.ts`. */
export function listRows(regency: Regency): CallRow[] {
  const row = (name: string, path: string): CallRow => ({ name, calls: [adminGet(regency, path)], maxMs: MAX_MS });
  const own = (name: string, path: string): CallRow => ({
    name,
    calls: regency.data.users.slice(0, 20).map(({ token }) => ({ method: 'GET', path: `/api${path}`, token })),
    maxMs: MAX_MS,
  });
  // A list on screen asks these again whenever a record changes.
  const before = createNextRecord(regency.data);
  const afterChange = (name: string, filter: string): CallRow => ({
    ...row(`records: ${name}, after each change`, `/admin/tax-records?${filter}`),
    before,
  });
  return [
    row('records: first page', '/admin/tax-records'),
    row('records: status and year', '/admin/tax-records?status=proses&year=2025'),
    row('records: sorted by amount', '/admin/tax-records?sort=-amount'),
    row('records: overdue', '/admin/tax-records?outstanding=1'),
    row('records: with a proof', '/admin/tax-records?proof=1'),
    row('records: without a proof', '/admin/tax-records?proof=0'),
    row('records: paid in a year', '/admin/tax-records?payment_from=2023-01-01&payment_to=2023-12-31'),
    row('records: paid in a month', '/admin/tax-records?payment_from=2023-03-01&payment_to=2023-03-31'),
    afterChange('two letters', 'search=su'),
    afterChange('the beginning of many numbers', 'search=35.15.11'),
    afterChange('paid in a year', 'payment_from=2023-01-01&payment_to=2023-12-31'),
    afterChange('without a proof', 'proof=0'),
    row('list of the office: owners proposed', '/admin/dhkp/matches?year=2026'),
    row('users: first page', '/admin/users'),
    row('verifications: those that wait', '/admin/verifications?state=pending'),
    row('audit: first page', '/admin/audit'),
    own('own list', '/tax-records'),
    own('own statistics', '/tax-records/statistics'),
  ];
}
