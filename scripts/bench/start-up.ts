import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles, printTable } from './measure.ts';
import { startServer } from './server-process.ts';

const ROUNDS = 7;

/** From starting the process to the line that names the address, beside the bare floor doing the same. */
export async function benchStartUp(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  const times = { floor: [] as number[], first: [] as number[], ours: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const floor = await startServer('scripts/bench/floor-start.ts', {});
    times.floor.push(floor.startMs);
    await floor.stop();
    const ours = await startServer('dist/server/main.mjs', { DATA_DIR: dataDir, ADMIN_PASSWORD: 'kata-sandi-uji' });
    (round === 0 ? times.first : times.ours).push(ours.startMs);
    await ours.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
  printTable(
    'start-up; milliseconds from spawn to the line with the address',
    ['', 'p50'],
    [
      ['a bare server on node:http', percentiles(times.floor).p50],
      ['first start (migrations, first administrator)', percentiles(times.first).p50],
      ['start', percentiles(times.ours).p50],
    ],
  );
}
