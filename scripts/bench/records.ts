import { rmSync } from 'node:fs';
import { createBenchData, type BenchData } from './seed-data.ts';
import { printTable, measureTiming, type HttpCall } from './measure.ts';
import { readMaxLoopDelayMs, startServer } from './server-process.ts';

type BenchmarkCase = { name: string; baselinePath: string; buildCall: (office: BenchData) => HttpCall; rounds: number };

/** Something that an administrator asks for; `DEEP` in a path becomes the last page of fifty. */
const adminCall =
  (path: string) =>
  ({ admin, records }: BenchData): HttpCall => ({
    method: 'GET',
    path: path.replace('DEEP', String(Math.floor(records / 50))),
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
    name: 'office list, first page',
    baselinePath: '/office-list',
    rounds: 100,
    buildCall: adminCall('/api/admin/tax-records'),
  },
  {
    name: 'office list, status and year',
    baselinePath: '/office-filter',
    rounds: 50,
    buildCall: adminCall('/api/admin/tax-records?status=proses&year=2025'),
  },
  {
    name: 'office list, by amount',
    baselinePath: '/office-sort',
    rounds: 50,
    buildCall: adminCall('/api/admin/tax-records?sort=-amount'),
  },
  {
    name: 'office list, last page',
    baselinePath: '/office-deep',
    rounds: 20,
    buildCall: adminCall('/api/admin/tax-records?page=DEEP'),
  },
  {
    name: 'office search',
    baselinePath: '/office-search',
    rounds: 20,
    buildCall: adminCall('/api/admin/tax-records?search=melati%2077'),
  },
  {
    name: 'office statistics',
    baselinePath: '/office-statistics',
    rounds: 30,
    buildCall: adminCall('/api/admin/statistics'),
  },
  { name: 'audit, first page', baselinePath: '/audit', rounds: 100, buildCall: adminCall('/api/admin/audit') },
  {
    name: 'audit, last page',
    baselinePath: '/audit-deep',
    rounds: 20,
    buildCall: adminCall('/api/admin/audit?page=DEEP'),
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

/** List, statistics and create beside the bare floor on the same database; and how long the loop is held by each. */
export async function benchRecords(sizes: number[]): Promise<void> {
  for (const size of sizes) {
    process.stdout.write(`\nfilling a database with ${size.toLocaleString('en')} records …\n`);
    const data = createBenchData(size);
    const environment = {
      DATA_DIR: data.dataDir,
      BENCH_DATABASE: data.databaseFile,
      BENCH_RESIDENT: data.user.id,
      BENCH_DEEP_OFFSET: String((Math.floor(size / 50) - 1) * 50),
    };
    const baseline = await startServer('scripts/bench/baseline-records.ts', environment);
    const server = await startServer('dist/server/main.mjs', environment);
    const rows: (string | number)[][] = [];
    for (const { name, baselinePath: path, buildCall: call, rounds } of BENCHMARK_CASES) {
      const method = path === '/create' ? 'POST' : 'GET';
      const baselineTiming = await measureTiming(baseline.url, () => ({ method, path }), rounds);
      await readMaxLoopDelayMs(server);
      const serverTiming = await measureTiming(server.url, () => call(data), rounds);
      const maxDelayMs = await readMaxLoopDelayMs(server);
      rows.push([
        name,
        baselineTiming.p50,
        serverTiming.p50,
        serverTiming.p50 / baselineTiming.p50,
        baselineTiming.p99,
        serverTiming.p99,
        maxDelayMs,
      ]);
    }
    await Promise.all([baseline.stop(), server.stop()]);
    rmSync(data.dataDir, { recursive: true, force: true });
    printTable(
      `${size.toLocaleString('en')} records; milliseconds`,
      ['', 'floor p50', 'ours p50', 'ratio', 'floor p99', 'ours p99', 'loop held'],
      rows,
    );
  }
}
