import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#server/db/open.ts';
import { runLoad, type Outcome, type Target } from './chat-load-process.ts';
import { percentiles, printTable, send } from './measure.ts';
import { addResidents, makeOffice, type BenchOffice } from './office-data.ts';
import { longestHoldMs, startServer, type Measured } from './server-process.ts';

const GIGABYTES = Number(process.env['BENCH_BACKUP_GB'] ?? 5);
/** About what a phone makes of a receipt. */
const PROOF_BYTES = 500_000;
const SENDERS = 50;
const PER_SECOND = 200;
const WARM_UP_MS = 1500;
const TURN_MS = 4000;
const CALM_TURNS = 4;

/** An office whose records have images of real size, none like the other. */
function makeOfficeWithProofs(): BenchOffice {
  const count = Math.ceil((GIGABYTES * 1e9) / PROOF_BYTES);
  const office = makeOffice(count);
  const folder = join(office.dataDir, 'proofs');
  mkdirSync(folder);
  const image = randomBytes(PROOF_BYTES);
  const { sqlite } = openDatabase(office.databaseFile);
  const name = sqlite.prepare('update tax_records set proof_file = ? where id = ?');
  const ids = sqlite.prepare<[], string>('select id from tax_records').pluck().all();
  sqlite.transaction(() => {
    for (const [index, id] of ids.entries()) {
      const file = `${crypto.randomUUID()}.jpg`;
      image.writeUInt32LE(index, 0);
      writeFileSync(join(folder, file), image);
      name.run(file, id);
    }
  })();
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  // What is still to be written out would be in everybody's way.
  spawnSync('sync');
  return office;
}

type Status = {
  running: { percent: number } | null;
  failure: { message: string } | null;
  last: { size_bytes: number } | null;
};

async function askStatus({ url }: Measured, token: string, method: 'GET' | 'POST'): Promise<Status> {
  const answer: unknown = JSON.parse(await send(url, { method, path: '/api/admin/backups', token }));
  return (answer as { data: { status: Status } }).data.status;
}

/** p99 of each turn, and all of its times; a message that did not arrive would be missing from them. */
function judge({ count, times }: Outcome): { p50: number; p99: number } {
  if (times.length !== count) throw new Error(`${count - times.length} of ${count} messages did not arrive`);
  return percentiles(times);
}

/** Delivery of chat while a backup runs, beside the same before and after it. */
export async function benchBackup(): Promise<void> {
  process.stdout.write(`making ${GIGABYTES} GB of proofs …\n`);
  const office = makeOfficeWithProofs();
  try {
    const senders = addResidents(office, SENDERS);
    const server = await startServer('dist/server/main.mjs', { DATA_DIR: office.dataDir, BACKUP_EVERY_HOURS: '0' });
    const target: Target = { kind: 'ours', url: server.url, desk: office.admin, senders };
    const turn = async () =>
      judge(
        await runLoad({ name: 'open-loop', target, perSecond: PER_SECOND, warmUpMs: WARM_UP_MS, measureMs: TURN_MS }),
      );
    const calm: { p50: number; p99: number }[] = [];
    const busy: { p50: number; p99: number }[] = [];
    for (let count = 0; count < CALM_TURNS; count += 1) calm.push(await turn());

    await longestHoldMs(server);
    const from = performance.now();
    let status = await askStatus(server, office.admin.token, 'POST');
    while (status.running) {
      busy.push(await turn());
      status = await askStatus(server, office.admin.token, 'GET');
      process.stdout.write(
        `${status.running?.percent ?? 100} % after ${((performance.now() - from) / 1000).toFixed(0)} s\n`,
      );
    }
    const seconds = (performance.now() - from) / 1000;
    const held = await longestHoldMs(server);
    for (let count = 0; count < CALM_TURNS; count += 1) calm.push(await turn());
    await server.stop();
    if (status.failure) throw new Error(status.failure.message);

    const middle = (turns: { p50: number; p99: number }[], which: 'p50' | 'p99'): number =>
      percentiles(turns.map((timing) => timing[which])).p50;
    process.stdout.write(
      `${((status.last?.size_bytes ?? 0) / 1e9).toFixed(2)} GB backed up and checked within ${seconds.toFixed(0)} s, ` +
        `${busy.length} turns; the loop was held for ${held.toFixed(1)} ms at most; ` +
        `worst p99 of a turn ${Math.max(...calm.map(({ p99 }) => p99)).toFixed(2)} → ${Math.max(...busy.map(({ p99 }) => p99)).toFixed(2)} ms\n`,
    );
    const row = (which: 'p50' | 'p99', aim: number): (string | number)[] => {
      const [without, during] = [middle(calm, which), middle(busy, which)];
      const ratio = during / without;
      return [`delivery ${which}, ms`, without, during, ratio, `≤ ${aim}`, ratio <= aim ? 'met' : 'MISSED'];
    };
    printTable(
      `chat at ${PER_SECOND}/s while ${GIGABYTES} GB are backed up`,
      ['', 'without', 'during', 'ratio', 'aim', ''],
      [row('p50', 2), row('p99', 2)],
    );
  } finally {
    rmSync(office.dataDir, { recursive: true, force: true });
  }
}
