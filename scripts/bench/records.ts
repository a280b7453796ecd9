import { rmSync } from 'node:fs';
import { createBenchData, type BenchData } from './seed-data.ts';
import { measureTiming, type HttpCall } from './requests.ts';
import { printResults, type Result } from './results.ts';
import { readMaxLoopDelayMs, startServer } from './server-process.ts';

const DEFAULT_SIZES = [100_000, 200_000, 1_000_000];

type BenchmarkCase = { name: string; baselinePath: string; buildCall: (data: BenchData) => HttpCall; rounds: number };

/** Builds an admin's GET call; `LAST_PAGE` in the path becomes the number of the last page of 50 rows. */
const adminCall =
  (path: string) =>
  ({ admin, records }: BenchData): HttpCall => ({
    method: 'GET',
    path: path.replace('LAST_PAGE', String(Math.floor(records / 50))),
    token: admin.token,
  });

let lastSptNumber = 0;
const BENCHMARK_CASES: BenchmarkCase[] = [
  {
    name: 'own list (200 rows)',
    baselinePath: '/own-list',
    rounds: 200,
    buildCall: ({ user }) => ({ method: 'GET', path: '/api/tax-records', token: user.token }),
  },
  {
    name: 'own statistics',
    baselinePath: '/own-statistics',
    rounds: 300,
    buildCall: ({ user }) => ({ method: 'GET', path: '/api/tax-records/statistics', token: user.token }),
  },
  {
    name: 'admin list, first page',
    baselinePath: '/admin-list',
    rounds: 100,
    buildCall: adminCall('/api/admin/tax-records'),
  },
  {
    name: 'admin list, by status and year',
    baselinePath: '/admin-filter',
    rounds: 50,
    buildCall: adminCall('/api/admin/tax-records?status=proses&year=2025'),
  },
  {
    name: 'admin list, sorted by amount',
    baselinePath: '/admin-sort',
    rounds: 50,
    buildCall: adminCall('/api/admin/tax-records?sort=-amount'),
  },
  {
    name: 'admin list, last page',
    baselinePath: '/admin-last-page',
    rounds: 20,
    buildCall: adminCall('/api/admin/tax-records?page=LAST_PAGE'),
  },
  {
    name: 'admin search',
    baselinePath: '/admin-search',
    rounds: 20,
    buildCall: adminCall('/api/admin/tax-records?search=melati%2077'),
  },
  {
    name: 'admin statistics',
    baselinePath: '/admin-statistics',
    rounds: 30,
    buildCall: adminCall('/api/admin/statistics'),
  },
  { name: 'audit, first page', baselinePath: '/audit', rounds: 100, buildCall: adminCall('/api/admin/audit') },
  {
    name: 'audit, last page',
    baselinePath: '/audit-last-page',
    rounds: 20,
    buildCall: adminCall('/api/admin/audit?page=LAST_PAGE'),
  },
  {
    name: 'audit, search',
    baselinePath: '/audit-search',
    rounds: 20,
    buildCall: adminCall('/api/admin/audit?search=SPT-777'),
  },
  {
    name: 'create',
    baselinePath: '/create',
    rounds: 300,
    buildCall: ({ user }) => {
      lastSptNumber += 1;
      const body = { name: 'Budi', address: 'Jl. Melati 1', spt_number: `BENCH-${lastSptNumber}`, amount: 150_000 };
      return { method: 'POST', path: '/api/tax-records', token: user.token, body };
    },
  },
];

/** Compares lists, statistics and creation with the baseline on the same database, and measures the event loop delay. */
export async function benchRecords(...sizes: number[]): Promise<void> {
  for (const size of sizes.length > 0 ? sizes : DEFAULT_SIZES) {
    process.stdout.write(`\nfilling a database with ${size.toLocaleString('en')} records …\n`);
    const data = createBenchData(size);
    const environment = {
      DATA_DIR: data.dataDir,
      QUOTA_RECORDS: '0',
      BENCH_DATABASE: data.databaseFile,
      BENCH_USER: data.user.id,
      BENCH_LAST_PAGE_OFFSET: String((Math.floor(size / 50) - 1) * 50),
    };
    const baseline = await startServer('scripts/bench/baselines/baseline-records.ts', environment);
    const server = await startServer('dist/server/main.mjs', environment);
    const rows: Result[] = [];
    for (const { name, baselinePath: path, buildCall, rounds } of BENCHMARK_CASES) {
      const method = path === '/create' ? 'POST' : 'GET';
      const baselineTiming = await measureTiming(baseline.url, () => ({ method, path }), rounds);
      await readMaxLoopDelayMs(server);
      const serverTiming = await measureTiming(server.url, () => buildCall(data), rounds);
      const pauseMs = await readMaxLoopDelayMs(server);
      rows.push(
        { name: `${name}, p50`, baseline: baselineTiming.p50, measured: serverTiming.p50 },
        { name: `${name}, p99`, baseline: baselineTiming.p99, measured: serverTiming.p99, pauseMs },
      );
    }
    await Promise.all([baseline.stop(), server.stop()]);
    rmSync(data.dataDir, { recursive: true, force: true });
    printResults(`${size.toLocaleString('en')} records; milliseconds`, rows);
  }
}
