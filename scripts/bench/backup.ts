import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#server/db/open.ts';
import { runLoad, type LoadResult, type LoadTarget } from './chat/chat-load-process.ts';
import { percentiles, printTable, sendRequest, type Timing } from './measure.ts';
import { addUsers, createBenchData, type BenchData } from './seed-data.ts';
import { readMaxLoopDelayMs, startServer, type MeasuredServer } from './server-process.ts';

const GIGABYTES = Number(process.env['BENCH_BACKUP_GB'] ?? 5);
/** The usual size of a phone's photo of a payment receipt. */
const PROOF_BYTES = 500_000;
const SENDERS = 50;
const MESSAGES_PER_SECOND = 200;
const WARM_UP_MS = 1500;
const ROUND_MS = 4000;
const IDLE_ROUNDS = 4;

/** Creates a data folder in which each record has its own proof image of real size. */
function createBenchDataWithProofs(): BenchData {
  const count = Math.ceil((GIGABYTES * 1e9) / PROOF_BYTES);
  const data = createBenchData(count);
  const folder = join(data.dataDir, 'proofs');
  mkdirSync(folder);
  const image = randomBytes(PROOF_BYTES);
  const { sqlite } = openDatabase(data.databaseFile);
  const setProofFile = sqlite.prepare('update tax_records set proof_file = ? where id = ?');
  const ids = sqlite.prepare<[], string>('select id from tax_records').pluck().all();
  sqlite.transaction(() => {
    for (const [index, id] of ids.entries()) {
      const file = `${crypto.randomUUID()}.jpg`;
      image.writeUInt32LE(index, 0);
      writeFileSync(join(folder, file), image);
      setProofFile.run(file, id);
    }
  })();
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  // Writes of the kernel that are still pending would slow down the measured server.
  spawnSync('sync');
  return data;
}

type Status = {
  running: { percent: number } | null;
  failure: { message: string } | null;
  last: { size_bytes: number } | null;
};

async function requestStatus({ url }: MeasuredServer, token: string, method: 'GET' | 'POST'): Promise<Status> {
  const answer: unknown = JSON.parse(await sendRequest(url, { method, path: '/api/admin/backups', token }));
  return (answer as { data: { status: Status } }).data.status;
}

/** @throws when a message did not arrive: its time would be missing from the percentiles */
function requireAllDelivered({ count, times }: LoadResult): Timing {
  if (times.length !== count) throw new Error(`${count - times.length} of ${count} messages did not arrive`);
  return percentiles(times);
}

/** Compares chat delivery during a backup with delivery before and after it. */
export async function benchBackup(): Promise<void> {
  process.stdout.write(`creating ${GIGABYTES} GB of proofs …\n`);
  const data = createBenchDataWithProofs();
  try {
    const senders = addUsers(data, SENDERS);
    const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir, BACKUP_EVERY_HOURS: '0' });
    const target: LoadTarget = { kind: 'server', url: server.url, admin: data.admin, senders };
    const measureRound = async () =>
      requireAllDelivered(
        await runLoad({
          name: 'open-loop',
          target,
          perSecond: MESSAGES_PER_SECOND,
          warmUpMs: WARM_UP_MS,
          measureMs: ROUND_MS,
        }),
      );
    const idleTimings: Timing[] = [];
    const busyTimings: Timing[] = [];
    for (let count = 0; count < IDLE_ROUNDS; count += 1) idleTimings.push(await measureRound());

    await readMaxLoopDelayMs(server);
    const startedAt = performance.now();
    let status = await requestStatus(server, data.admin.token, 'POST');
    while (status.running) {
      busyTimings.push(await measureRound());
      status = await requestStatus(server, data.admin.token, 'GET');
      process.stdout.write(
        `${status.running?.percent ?? 100} % after ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
      );
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const maxDelayMs = await readMaxLoopDelayMs(server);
    for (let count = 0; count < IDLE_ROUNDS; count += 1) idleTimings.push(await measureRound());
    await server.stop();
    if (status.failure) throw new Error(status.failure.message);

    const medianOf = (timings: Timing[], percentile: keyof Timing): number =>
      percentiles(timings.map((timing) => timing[percentile])).p50;
    process.stdout.write(
      `${((status.last?.size_bytes ?? 0) / 1e9).toFixed(2)} GB backed up and checked within ${seconds.toFixed(0)} s, ` +
        `${busyTimings.length} rounds; maximum event loop delay ${maxDelayMs.toFixed(1)} ms; ` +
        `worst p99 of a round ${Math.max(...idleTimings.map(({ p99 }) => p99)).toFixed(2)} → ${Math.max(...busyTimings.map(({ p99 }) => p99)).toFixed(2)} ms\n`,
    );
    const row = (percentile: keyof Timing, aim: number): (string | number)[] => {
      const [without, during] = [medianOf(idleTimings, percentile), medianOf(busyTimings, percentile)];
      const ratio = during / without;
      return [`delivery ${percentile}, ms`, without, during, ratio, `≤ ${aim}`, ratio <= aim ? 'met' : 'MISSED'];
    };
    printTable(
      `chat at ${MESSAGES_PER_SECOND} messages/s during a backup of ${GIGABYTES} GB`,
      ['', 'without backup', 'during backup', 'ratio', 'aim', ''],
      [row('p50', 2), row('p99', 2)],
    );
  } finally {
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
