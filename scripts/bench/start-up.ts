import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles, printTable } from './measure.ts';
import { startServer } from './server-process.ts';

const ROUNDS = 7;

/** Measures the time from starting the process to the line with its address, for the server and the baseline. */
export async function benchStartUp(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  const times = { baseline: [] as number[], firstStart: [] as number[], laterStarts: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const baseline = await startServer('scripts/bench/baselines/baseline-start.ts', {});
    times.baseline.push(baseline.startMs);
    await baseline.stop();
    const server = await startServer('dist/server/main.mjs', { DATA_DIR: dataDir, ADMIN_PASSWORD: 'kata-sandi-uji' });
    (round === 0 ? times.firstStart : times.laterStarts).push(server.startMs);
    await server.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
  printTable(
    'start-up; milliseconds from spawn to the line with the address',
    ['', 'p50'],
    [
      ['baseline on node:http', percentiles(times.baseline).p50],
      ['server, first start (migrations, first admin)', percentiles(times.firstStart).p50],
      ['server, later starts', percentiles(times.laterStarts).p50],
    ],
  );
}
