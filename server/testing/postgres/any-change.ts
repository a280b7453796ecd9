import fc from 'fast-check';
import { listText, nopOf, objectsFrom } from '../dhkp.ts';
import { ownPassword } from '../factories.ts';
import { TEST_NOW } from '../test-app.ts';

/**
 * One call. `{3}` in its path or body is the fourth id of all answers before it, `{area:3}` that of an area, and
 * `{area:3:updated_at}` what the newest answer said about it.
 */
export type Call = { by: number; method: string; url: string; body?: unknown };

export const WORDS = ['siti', 'BUDI', 'é', 'jl', 'melati 1', '%', "o'", '32.01', 'spt-1', 'Warga', '🏠', ''];
export const NAMES = ['Siti Rahmawati', 'siti rahmawati', 'Budi Santoso', 'BUDI', 'Élan', "O'Neil", 'Ağa', 'Warga 10%'];
export const DATES = ['2025-01-31', '2026-06-10', '2026-05-01', '2024-12-31'];
/** The first of these people are admins. */
export const PEOPLE = { admins: 2, all: 5 };

export const word = fc.constantFrom(...WORDS);
const name = fc.constantFrom(...NAMES);
export const callers = fc.nat({ max: PEOPLE.all - 1 });
export const admins = fc.nat({ max: PEOPLE.admins - 1 });
const user = fc.integer({ min: PEOPLE.admins, max: PEOPLE.all - 1 });
/** Mostly a user: admins have no conversation and own no object. */
const someone = fc
  .oneof({ weight: 5, arbitrary: user }, { weight: 1, arbitrary: admins })
  .map((number) => `{${number}}`);
export const some = fc.nat({ max: 30 });
const idOf = (kind: string): fc.Arbitrary<string> => some.map((number) => `{${kind}:${number}}`);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

/** Rarely the newest message, mostly a later one. */
const upTo = fc.integer({ min: 1, max: 90 }).map(String);

const recordFields = {
  name,
  address: fc.constantFrom('Jl. Melati 1', 'jl. melati 10', 'Gang É 3'),
  spt_number: fc.nat({ max: 40 }).map((number) => `SPT-${number}`),
  year: fc.integer({ min: 2021, max: 2026 }),
  amount: fc.integer({ min: 0, max: 3_000_000 }),
  status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
  property_type: optional(fc.constantFrom('rumah_tinggal', 'kantor', 'lahan_kosong')),
  due_date: optional(fc.constantFrom(...DATES)),
  payment_date: optional(fc.constantFrom(...DATES.slice(0, 2))),
  notes: optional(word),
};
const record = fc.record(recordFields);
const reply = fc.record({
  shortcut: fc.constantFrom('salam', 'bayar', 'Lokasi', 'jam-kantor', 'é'),
  title: name,
  content: word.map((text) => `Halo {nama}, ${text} {?tanggal}`),
  personal: optional(fc.boolean()),
});
const areaKind = fc.constantFrom('dusun', 'rw', 'rt');
const area = fc.record({ name, kind: areaKind, parent_id: orNull(idOf('area')) });
const officeFields = fc.record(
  {
    condition: fc.constantFrom('ok', 'not_found', 'double', 'wrong_name'),
    note: word,
    handed_out_on: fc.constantFrom(...DATES),
    handed_out_to: name,
    area_id: orNull(idOf('area')),
    collector_id: orNull(someone),
  },
  { requiredKeys: ['note'] },
);
/** The caller's own password, which changes of accounts need. */
const checked = { current_password: fc.constant(ownPassword.current_password) };
const account = {
  name,
  email: fc.nat({ max: 9 }).map((number) => `akun${number}@contoh.id`),
  is_admin: fc.boolean(),
  is_active: fc.boolean(),
  ...checked,
};
const months = fc.constantFrom(0, 6, 24);
const reason = word.map((text) => `Alasan yang cukup ${text}`);
const LISTS = [listText(objectsFrom(12)), listText(objectsFrom(10, 5, { name: 'Siti Rahmawati', amount: '75000' }))];
const DAYS = [1, 2, 3, 4, 5, 6, 7];

const adminPath = '/api/admin';
/** A call with a body that is made of its parts. */
const change = <B>(by: fc.Arbitrary<number>, method: string, url: fc.Arbitrary<string>, body?: fc.Arbitrary<B>) =>
  fc.record<Call>({ by, method: fc.constant(method), url, body: body ?? fc.constant(undefined) });
const at = (url: string): fc.Arbitrary<string> => fc.constant(url);

const ofRecords = [
  change(callers, 'POST', at('/api/tax-records'), record),
  change(admins, 'POST', at(`${adminPath}/tax-records`), fc.record({ ...recordFields, user_id: someone })),
  change(
    callers,
    'PUT',
    idOf('record').map((id) => `/api/tax-records/${id}`),
    record,
  ),
  change(
    admins,
    'PUT',
    idOf('record').map((id) => `${adminPath}/tax-records/${id}`),
    record,
  ),
  change(
    callers,
    'DELETE',
    idOf('record').map((id) => `/api/tax-records/${id}`),
  ),
  change(
    admins,
    'DELETE',
    idOf('record').map((id) => `${adminPath}/tax-records/${id}`),
  ),
  change(user, 'POST', at('/api/tax-records/auto-create'), fc.record({ year: fc.constantFrom(2025, 2026) })),
  some.chain((number) =>
    change(
      admins,
      'POST',
      at(`${adminPath}/tax-records/{record:${number}}/verification`),
      fc.constantFrom(
        { result: 'matched', updated_at: `{record:${number}:updated_at}` },
        { result: 'matched', status: 'lunas', payment_date: '2026-06-10', updated_at: `{record:${number}:updated_at}` },
        { result: 'rejected', reason: 'Bukti tidak terbaca', updated_at: `{record:${number}:updated_at}` },
      ),
    ),
  ),
  some.chain((number) =>
    change(
      admins,
      'DELETE',
      at(`${adminPath}/tax-records/{record:${number}}/verification`),
      fc.constant({ updated_at: `{record:${number}:updated_at}` }),
    ),
  ),
  some.chain((number) =>
    change(
      admins,
      'POST',
      at(`${adminPath}/tax-records/bulk`),
      fc.constant({
        changes: [
          {
            id: `{record:${number}}`,
            updated_at: `{record:${number}:updated_at}`,
            status: 'lunas',
            payment_date: '2026-06-10',
          },
          { id: `{record:${number + 1}}`, updated_at: `{record:${number + 1}:updated_at}`, status: 'proses' },
        ],
      }),
    ),
  ),
];

const ofChat = [
  change(
    callers,
    'POST',
    at('/api/messages/send'),
    fc.record({
      to_user_id: someone,
      content: word.map((text) => `Halo ${text}`),
      client_id: optional(fc.constantFrom('a', 'b')),
      record_id: optional(idOf('record')),
    }),
  ),
  change(
    callers,
    'POST',
    someone.map((id) => `/api/messages/conversation/${id}/seen`),
    fc.constant({}),
  ),
  change(
    admins,
    'DELETE',
    someone.map((id) => `/api/messages/conversation/${id}`),
  ),
  change(
    admins,
    'POST',
    someone.map((id) => `${adminPath}/conversations/${id}/claim`),
    fc.record({ take: optional(fc.boolean()) }),
  ),
  change(
    admins,
    'POST',
    someone.map((id) => `${adminPath}/conversations/${id}/release`),
    fc.constant({}),
  ),
  change(
    admins,
    'POST',
    someone.map((id) => `${adminPath}/conversations/${id}/dismiss`),
    fc.record({ up_to: upTo }),
  ),
  change(
    admins,
    'DELETE',
    someone.map((id) => `${adminPath}/conversations/${id}/dismiss`),
  ),
  change(
    admins,
    'POST',
    someone.map((id) => `${adminPath}/conversations/${id}/snooze`),
    fc.record({
      until: fc.constantFrom(3_600_000, 86_400_000).map((ms) => new Date(TEST_NOW + ms).toISOString()),
      up_to: upTo,
    }),
  ),
  change(
    admins,
    'DELETE',
    someone.map((id) => `${adminPath}/conversations/${id}/snooze`),
  ),
  change(
    admins,
    'POST',
    someone.map((id) => `${adminPath}/conversations/${id}/notes`),
    fc.record({
      content: word.map((text) => `Catatan ${text}`),
      client_id: fc.nat({ max: 20 }).map((number) => `c${number}`),
      for_admin_id: optional(admins.map((number) => `{${number}}`)),
    }),
  ),
  change(
    admins,
    'POST',
    someone.map((id) => `${adminPath}/conversations/${id}/notes/seen`),
    fc.constant({}),
  ),
  change(
    admins,
    'DELETE',
    idOf('note').map((id) => `${adminPath}/notes/${id}`),
  ),
  change(admins, 'POST', at(`${adminPath}/quick-replies`), reply),
  change(
    admins,
    'PUT',
    idOf('reply').map((id) => `${adminPath}/quick-replies/${id}`),
    reply,
  ),
  change(
    admins,
    'DELETE',
    idOf('reply').map((id) => `${adminPath}/quick-replies/${id}`),
  ),
  change(
    admins,
    'POST',
    idOf('reply').map((id) => `${adminPath}/quick-replies/${id}/fill`),
    fc.record({ user_id: someone }),
  ),
];

const ofTheList = [
  change(admins, 'POST', at(`${adminPath}/areas`), area),
  change(
    admins,
    'PUT',
    idOf('area').map((id) => `${adminPath}/areas/${id}`),
    area,
  ),
  change(
    admins,
    'DELETE',
    idOf('area').map((id) => `${adminPath}/areas/${id}`),
  ),
  change(
    admins,
    'PUT',
    idOf('assessment').map((id) => `${adminPath}/dhkp/${id}`),
    officeFields,
  ),
  change(
    admins,
    'POST',
    at(`${adminPath}/dhkp/bulk`),
    fc.record({ filter: fc.record({ year: fc.constant(2026), search: word }), set: officeFields }),
  ),
  change(
    admins,
    'PUT',
    at(`${adminPath}/dhkp/blocks`),
    orNull(idOf('area')).map((id) => [{ block: '001', area_id: id }]),
  ),
  change(
    admins,
    'PUT',
    at(`${adminPath}/dhkp/settings`),
    fc.constantFrom(
      { prefix: '3515180012' },
      { due_date_by_year: { 2026: '2026-09-30' } },
      { book_limits: [45_003, 45_006, 60_000, 80_000] },
    ),
  ),
  change(
    admins,
    'POST',
    idOf('assessment').map((id) => `${adminPath}/dhkp/${id}/link`),
    fc.record({
      user_id: someone,
      overwrite: optional(fc.constant(['name', 'amount'])),
    }),
  ),
  change(
    admins,
    'DELETE',
    idOf('assessment').map((id) => `${adminPath}/dhkp/${id}/link`),
  ),
  change(
    admins,
    'POST',
    at(`${adminPath}/dhkp/batches`),
    fc.record({
      year: fc.constantFrom(2025, 2026),
      text: fc.constantFrom(...LISTS),
      client_id: fc.nat({ max: 20 }).map((number) => `b${number}`),
    }),
  ),
  some.chain((number) =>
    change(
      admins,
      'POST',
      at(`${adminPath}/dhkp/batches/{batch:${number}}/apply`),
      fc.constant({ preview_id: `{batch:${number}:preview_id}` }),
    ),
  ),
  change(
    admins,
    'POST',
    idOf('batch').map((id) => `${adminPath}/dhkp/batches/${id}/revert`),
    fc.record({ reason }),
  ),
  change(
    admins,
    'DELETE',
    idOf('batch').map((id) => `${adminPath}/dhkp/batches/${id}`),
  ),
  change(
    user,
    'POST',
    at('/api/tax-records/claims'),
    fc.record({
      nop: fc.integer({ min: 1, max: 14 }).map(nopOf),
      note: optional(word),
    }),
  ),
  change(
    user,
    'DELETE',
    idOf('claim').map((id) => `/api/tax-records/claims/${id}`),
  ),
  fc
    .tuple(some, idOf('assessment'))
    .chain(([number, id]) =>
      change(
        admins,
        'POST',
        at(`${adminPath}/claims/{claim:${number}}/approve`),
        fc.constant({ assessment_id: id, updated_at: `{claim:${number}:updated_at}` }),
      ),
    ),
  change(
    admins,
    'POST',
    idOf('claim').map((id) => `${adminPath}/claims/${id}/reject`),
    fc.record({ reason }),
  ),
];

const ofTheOffice = [
  change(admins, 'POST', at(`${adminPath}/users`), fc.record({ ...account, password: at('kata-sandi-warga') })),
  change(
    admins,
    'PUT',
    idOf('user').map((id) => `${adminPath}/users/${id}`),
    fc.record(account),
  ),
  change(
    admins,
    'PUT',
    idOf('user').map((id) => `${adminPath}/users/${id}/toggle-status`),
    fc.constant(ownPassword),
  ),
  change(
    admins,
    'DELETE',
    idOf('user').map((id) => `${adminPath}/users/${id}`),
    fc.constant(ownPassword),
  ),
  change(callers, 'PUT', at('/api/auth/user'), fc.record({ name, ...checked })),
  change(user, 'POST', at('/api/auth/erasure'), fc.constant({ reason: 'Pindah kota', ...ownPassword })),
  change(user, 'DELETE', at('/api/auth/erasure')),
  change(
    admins,
    'PUT',
    at(`${adminPath}/office-hours`),
    fc.record({
      days: fc.constant(
        DAYS.map((weekday) => ({ weekday, open: weekday < 6 ? '08:00' : null, close: weekday < 6 ? '15:00' : null })),
      ),
      holidays: fc.constantFrom([], [{ date: '2026-08-17', name: 'Hari Kemerdekaan' }]),
      closed_today: fc.boolean(),
    }),
  ),
  change(
    admins,
    'PUT',
    at(`${adminPath}/office-identity`),
    fc.record({ name, address: word, phone: at('0321-123'), whatsapp: fc.constantFrom('', '+62 812') }),
  ),
  change(
    admins,
    'PUT',
    at(`${adminPath}/record-settings`),
    fc.record({
      user_years: fc.constantFrom([2026], [2021, 2022, 2023, 2024, 2025, 2026]),
      rollover: fc.constantFrom('automatic', 'offer'),
    }),
  ),
  change(
    admins,
    'PUT',
    at(`${adminPath}/retention`),
    fc.record({ messages_months: months, inactive_accounts_months: months, ...checked }),
  ),
  change(
    admins,
    'PUT',
    fc
      .constantFrom('identity', 'hours', 'user_years', 'quick_replies')
      .map((step) => `${adminPath}/first-steps/${step}`),
    fc.record({ state: fc.constantFrom('open', 'done', 'dismissed') }),
  ),
  change(
    admins,
    'POST',
    idOf('notice').map((id) => `${adminPath}/notices/${id}/seen`),
    fc.constant({}),
  ),
];

const weighted = (weight: number, changes: fc.Arbitrary<Call>[]) => ({ weight, arbitrary: fc.oneof(...changes) });

/** Calls that change something; many are refused, and the refusals must be the same too. */
export const anyChange: fc.Arbitrary<Call> = fc.oneof(
  weighted(3, ofRecords),
  weighted(3, ofChat),
  weighted(3, ofTheList),
  weighted(1, ofTheOffice),
);

const byAdmin = (method: string, path: string, body?: unknown): Call => ({
  by: 0,
  method,
  url: adminPath + path,
  body,
});
const byUser = (by: number, method: string, path: string, body?: unknown): Call => ({
  by,
  method,
  url: `/api${path}`,
  body,
});

/** Each user gets three records, writes a message, and claims an object. */
function firstOf(by: number): Call[] {
  const records = [1, 2, 3].map((number) =>
    byUser(by, 'POST', '/tax-records', {
      name: NAMES[number],
      address: `Jl. Melati ${number}`,
      spt_number: `SPT-${by}${number}`,
      year: 2023 + number,
      amount: 100_000 * number,
      status: number === 3 ? 'lunas' : 'belum_lunas',
      payment_date: number === 3 ? '2026-06-10' : undefined,
    }),
  );
  return [
    ...records,
    byUser(by, 'POST', '/messages/send', { to_user_id: '{0}', content: `Halo ${NAMES[by]}` }),
    byUser(by, 'POST', '/tax-records/claims', { nop: nopOf(by), note: 'Rumah saya' }),
  ];
}

/** The beginning of every history: something in most tables, so that later calls find what they need. */
export const FIRST_CALLS: readonly Call[] = [
  byAdmin('PUT', '/record-settings', { user_years: [2021, 2022, 2023, 2024, 2025, 2026] }),
  ...[2, 3, 4].flatMap((by) => firstOf(by)),
  byAdmin('POST', '/areas', { name: 'Krajan', kind: 'dusun' }),
  byAdmin('POST', '/areas', { name: 'RW 02', kind: 'rw', parent_id: '{area:0}' }),
  byAdmin('POST', '/areas', { name: 'RT 5', kind: 'rt', parent_id: '{area:1}' }),
  byAdmin('POST', '/quick-replies', { shortcut: 'salam', title: 'Salam', content: 'Halo {nama}' }),
  byAdmin('POST', '/conversations/{2}/notes', { content: 'Catatan pertama', client_id: 'awal', for_admin_id: '{1}' }),
  byAdmin('POST', '/users', { name: 'Ağa', email: 'aga@contoh.id', password: 'kata-sandi-warga', ...ownPassword }),
  byAdmin('POST', '/dhkp/batches', { year: 2026, text: LISTS[0], client_id: 'awal' }),
  byAdmin('POST', '/dhkp/batches/{batch:0}/apply', { preview_id: '{batch:0:preview_id}' }),
  byAdmin('POST', '/dhkp/batches', { year: 2025, text: LISTS[1], client_id: 'lama' }),
  byAdmin('POST', '/dhkp/batches/{batch:1}/apply', { preview_id: '{batch:1:preview_id}' }),
  byAdmin('POST', '/dhkp/batches/{batch:1}/revert', { reason: 'Salah berkas' }),
  byAdmin('GET', '/dhkp?limit=50&sort=nop'),
  byAdmin('POST', '/dhkp/{assessment:0}/link', { user_id: '{2}' }),
  byAdmin('PUT', '/dhkp/{assessment:1}', { note: 'Sawah', area_id: '{area:2}', collector_id: '{1}' }),
  byAdmin('GET', '/claims'),
  // One of both, whichever order the list has.
  ...[1, 3].map((index) =>
    byAdmin('POST', '/claims/{claim:0}/approve', {
      assessment_id: `{assessment:${index}}`,
      updated_at: '{claim:0:updated_at}',
    }),
  ),
  byAdmin('POST', '/claims/{claim:1}/reject', { reason: 'Bukan milik Anda' }),
  byAdmin('POST', '/dhkp/batches', { year: 2026, text: LISTS[1], client_id: 'baru' }),
  byAdmin('POST', '/dhkp/batches/{batch:2}/apply', { preview_id: '{batch:2:preview_id}' }),
  byAdmin('PUT', '/retention', { messages_months: 24, inactive_accounts_months: 0, ...ownPassword }),
  byUser(1, 'GET', '/admin/notices'),
];
