import { rmSync } from 'node:fs';
import { makeOffice, type BenchOffice } from './office-data.ts';
import { printTable, time, type Call } from './measure.ts';
import { longestHoldMs, startServer } from './server-process.ts';

type Question = { name: string; floor: string; ours: (office: BenchOffice) => Call; rounds: number };

/** Something that an administrator asks for; `DEEP` in a path becomes the last page of fifty. */
const byAdmin =
  (path: string) =>
  ({ admin, records }: BenchOffice): Call => ({
    method: 'GET',
    path: path.replace('DEEP', String(Math.floor(records / 50))),
    token: admin.token,
  });

let lastSpt = 0;
const QUESTIONS: Question[] = [
  {
    name: 'own list (200 rows)',
    floor: '/own-list',
    rounds: 200,
    ours: ({ resident }) => ({ method: 'GET', path: '/api/tax-records', token: resident.token }),
  },
  {
    name: 'own statistics',
    floor: '/own-statistics',
    rounds: 300,
    ours: ({ resident }) => ({ method: 'GET', path: '/api/tax-records/statistics', token: resident.token }),
  },
  { name: 'office list, first page', floor: '/office-list', rounds: 100, ours: byAdmin('/api/admin/tax-records') },
  {
    name: 'office list, status and year',
    floor: '/office-filter',
    rounds: 50,
    ours: byAdmin('/api/admin/tax-records?status=proses&year=2025'),
  },
  {
    name: 'office list, by amount',
    floor: '/office-sort',
    rounds: 50,
    ours: byAdmin('/api/admin/tax-records?sort=-amount'),
  },
  {
    name: 'office list, last page',
    floor: '/office-deep',
    rounds: 20,
    ours: byAdmin('/api/admin/tax-records?page=DEEP'),
  },
  {
    name: 'office search',
    floor: '/office-search',
    rounds: 20,
    ours: byAdmin('/api/admin/tax-records?search=melati%2077'),
  },
  { name: 'office statistics', floor: '/office-statistics', rounds: 30, ours: byAdmin('/api/admin/statistics') },
  { name: 'audit, first page', floor: '/audit', rounds: 100, ours: byAdmin('/api/admin/audit') },
  { name: 'audit, last page', floor: '/audit-deep', rounds: 20, ours: byAdmin('/api/admin/audit?page=DEEP') },
  { name: 'audit, search', floor: '/audit-search', rounds: 20, ours: byAdmin('/api/admin/audit?search=SPT-777') },
  {
    name: 'create',
    floor: '/create',
    rounds: 300,
    ours: ({ resident }) => {
      lastSpt += 1;
      const body = { name: 'Budi', address: 'Jl. Melati 1', spt_number: `BENCH-${lastSpt}`, amount: 150_000 };
      return { method: 'POST', path: '/api/tax-records', token: resident.token, body };
    },
  },
];

/** List, statistics and create beside the bare floor on the same database; and how long the loop is held by each. */
export async function benchRecords(sizes: number[]): Promise<void> {
  for (const size of sizes) {
    process.stdout.write(`\nfilling a database with ${size.toLocaleString('en')} records …\n`);
    const office = makeOffice(size);
    const environment = {
      DATA_DIR: office.dataDir,
      BENCH_DATABASE: office.databaseFile,
      BENCH_RESIDENT: office.resident.id,
      BENCH_DEEP_OFFSET: String((Math.floor(size / 50) - 1) * 50),
    };
    const floor = await startServer('scripts/bench/floor-records.ts', environment);
    const ours = await startServer('dist/server/main.mjs', environment);
    const rows: (string | number)[][] = [];
    for (const { name, floor: path, ours: call, rounds } of QUESTIONS) {
      const method = path === '/create' ? 'POST' : 'GET';
      const bare = await time(floor.url, () => ({ method, path }), rounds);
      await longestHoldMs(ours);
      const real = await time(ours.url, () => call(office), rounds);
      const hold = await longestHoldMs(ours);
      rows.push([name, bare.p50, real.p50, real.p50 / bare.p50, bare.p99, real.p99, hold]);
    }
    await Promise.all([floor.stop(), ours.stop()]);
    rmSync(office.dataDir, { recursive: true, force: true });
    printTable(
      `${size.toLocaleString('en')} records; milliseconds`,
      ['', 'floor p50', 'ours p50', 'ratio', 'floor p99', 'ours p99', 'loop held'],
      rows,
    );
  }
}
