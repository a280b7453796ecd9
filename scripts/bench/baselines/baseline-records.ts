import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { DAY_MS } from '#shared/durations.ts';

/**
 * The baseline for records: the same queries on the same database through prepared statements. It has no sessions,
 * access rights, validation, response schemas or log. The difference to the real server is the cost of those.
 */
const sqlite = new Database(process.env['BENCH_DATABASE'] ?? '');
sqlite.pragma('journal_mode = WAL');
sqlite.pragma('synchronous = FULL');
sqlite.pragma('cache_size = -65536');

const userId = process.env['BENCH_USER'] ?? '';
const ownList = sqlite.prepare(
  'select r.*, u.name as owner, u.email from tax_records r join users u on u.id = r.user_id where user_id = ? order by r.created_at desc, r.id desc limit 1000',
);
const ownStatistics = sqlite.prepare(
  "select count(*) n, sum(amount_sen) total, sum(case when status = 'lunas' then amount_sen else 0 end) paid from tax_records where user_id = ?",
);
const adminList = sqlite.prepare(
  'select r.*, u.name as owner, u.email from tax_records r join users u on u.id = r.user_id order by r.created_at desc, r.id desc limit 50',
);
const listBy = (where: string, order: string) =>
  sqlite.prepare(
    `select r.*, u.name as owner, u.email from tax_records r join users u on u.id = r.user_id ${where} order by ${order} limit 50 offset ?`,
  );
const FILTER = "where r.status = 'proses' and r.year = 2025";
const NEWEST = 'r.created_at desc, r.id desc';
const adminFilter = listBy(FILTER, NEWEST);
const adminFilterCount = sqlite.prepare(`select count(*) n from tax_records r ${FILTER}`);
const adminSort = listBy('', 'r.amount_sen desc, r.id desc');
const adminLastPage = listBy('', NEWEST);
const lastPageOffset = Number(process.env['BENCH_LAST_PAGE_OFFSET'] ?? 0);
const audit = sqlite.prepare('select * from audit_entries order by id desc limit 50 offset ?');
const auditCount = sqlite.prepare('select count(*) n from audit_entries');
const AUDIT_SEARCH = 'where actor_name like $text or subject_label like $text';
const auditSearch = sqlite.prepare(`select * from audit_entries ${AUDIT_SEARCH} order by id desc limit 50`);
const auditSearchCount = sqlite.prepare(`select count(*) n from audit_entries ${AUDIT_SEARCH}`);
const adminCount = sqlite.prepare('select count(*) n from tax_records');
const adminSearch = sqlite.prepare(
  `select r.*, u.name as owner, u.email from tax_records r join users u on u.id = r.user_id
   where r.name like $text or r.address like $text or r.spt_number like $text or u.name like $text
   order by r.created_at desc, r.id desc limit 50`,
);
const adminSearchCount = sqlite.prepare(
  `select count(*) n from tax_records r join users u on u.id = r.user_id
   where r.name like $text or r.address like $text or r.spt_number like $text or u.name like $text`,
);
const adminStatistics = sqlite.prepare(
  'select status, count(*) n, sum(amount_sen) total from tax_records group by status',
);
const adminPeriod = sqlite.prepare(
  'select status, count(*) n, sum(amount_sen) total from tax_records where created_at >= ? and created_at < ? group by status',
);
const insert = sqlite.prepare(
  `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status, created_at, updated_at)
   values (?, ?, 'Budi', 'Jl. Melati 1', 'PBB', ?, 2025, 15000000, 'belum_lunas', ?, ?)`,
);

const responses: Record<string, () => unknown> = {
  '/own-list': () => ownList.all(userId),
  '/own-statistics': () => ownStatistics.get(userId),
  '/admin-list': () => ({ rows: adminList.all(), total: adminCount.get() }),
  '/admin-filter': () => ({ rows: adminFilter.all(0), total: adminFilterCount.get() }),
  '/admin-sort': () => ({ rows: adminSort.all(0), total: adminCount.get() }),
  '/admin-last-page': () => ({ rows: adminLastPage.all(lastPageOffset), total: adminCount.get() }),
  '/audit': () => ({ rows: audit.all(0), total: auditCount.get() }),
  '/audit-last-page': () => ({ rows: audit.all(lastPageOffset), total: auditCount.get() }),
  '/audit-search': () => ({
    rows: auditSearch.all({ text: '%SPT-777%' }),
    total: auditSearchCount.get({ text: '%SPT-777%' }),
  }),
  '/admin-search': () => ({
    rows: adminSearch.all({ text: '%melati 77%' }),
    total: adminSearchCount.get({ text: '%melati 77%' }),
  }),
  '/admin-statistics': () => {
    const now = Date.now();
    const periods = [1, 7, 30, 365].flatMap((days) => [
      adminPeriod.all(now - days * DAY_MS, now),
      adminPeriod.all(now - 2 * days * DAY_MS, now - days * DAY_MS),
    ]);
    return { statistics: adminStatistics.all(), periods };
  },
  '/create': () => insert.run(crypto.randomUUID(), userId, `SPT-${Math.random()}`, Date.now(), Date.now()),
};

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const body = JSON.stringify(responses[request.url ?? '']?.() ?? null);
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
