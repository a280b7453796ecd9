import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCuttableLine } from '#server/testing/network/cuttable-line.ts';
import { describeServer, giveToServer, type PostgresServer, preparePrograms } from '../../postgres-server.ts';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { median, printResults } from '../results.ts';
import { findFreePort, launchServer, type MeasuredServer } from '../server-process.ts';
import { LIST_YEAR } from '../import-kill/lists.ts';
import { account } from './accounting.ts';
import { type Importer, startImporter } from './importer.ts';
import { startWriters, type Writers } from './writers.ts';

const KILLS = 100;
const FAILOVERS = 30;
const SEED = 7;
const WRITERS = 12;
const ADMIN = { email: 'admin@pbb.local', password: 'kata-sandi-contoh' };
const SCRIPT = 'dist/server/main.mjs';
/** Between a start and the next kill. */
const BETWEEN_KILLS = { minMs: 100, maxMs: 700 };
/** One kill in so many waits for an import that is being applied, which would be hit too seldom. */
const APPLY_EVERY = 3;
/** The work of a process that was killed is taken over after seven seconds; kills that follow each other faster delay it. */
const APPLY_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 5;
/** The time after which a watcher promotes the standby. */
const SILENCE_MS = 500;
/** One primary in so many falls silent, as behind a broken switch; the others stop. */
const SILENT_EVERY = 3;
/** The longest time in which no call succeeds. */
const PAUSE_MAX_MS = 5000;

/** `folder` belongs to the processes of the office, `databases` to PostgreSQL. */
type Cluster = { folder: string; databases: string; programs: string; files: string };

function makeCluster(): Cluster {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-cluster-'));
  const databases = mkdtempSync(join(tmpdir(), 'pbb-cluster-databases-'));
  giveToServer(databases);
  const files = join(folder, 'berkas');
  mkdirSync(files);
  return { folder, databases, programs: preparePrograms(databases), files };
}

function removeCluster({ folder, databases }: Cluster): void {
  for (const made of [folder, databases]) rmSync(made, { recursive: true, force: true });
}

async function query<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a process of the office at a port that it keeps. */
async function startProcess(
  { folder, files }: Cluster,
  databaseUrl: string,
  number: number,
  port: number,
): Promise<MeasuredServer> {
  const { ready } = launchServer(SCRIPT, {
    JWT_SECRET: 'a-secret-for-the-bench-that-is-long-enough',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, `proses-${number}`),
    FILES_DIR: files,
    PORT: String(port),
    LOG_LEVEL: 'silent',
  });
  return ready;
}

async function killProcess({ child }: MeasuredServer): Promise<void> {
  if (child.exitCode !== null) throw new Error(`a process ended by itself with ${child.exitCode}`);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const EXAMPLES_SHOWN = 10;

async function printAccount(
  name: string,
  { acknowledged, failures }: Writers,
  { databaseUrl, files }: { databaseUrl: string; files: string },
  pauses: ReadonlyMap<string, number[]>,
): Promise<void> {
  const found = await account((text) => query(databaseUrl, text), acknowledged, files);
  const pauseResults = [...pauses].flatMap(([after, times]) => [
    { name: `until the next message is acknowledged, ms, ${after}, median`, measured: Math.round(median(times)) },
    { name: 'the same, longest', measured: Math.round(Math.max(...times)), aim: { max: PAUSE_MAX_MS } },
  ]);
  const none = { max: 0 };
  printResults(name, [
    { name: 'acknowledged messages', measured: acknowledged.messages.length },
    { name: 'acknowledged and lost', measured: found.lost, aim: none },
    { name: 'with another text or number', measured: found.changed, aim: none },
    { name: 'stored twice', measured: found.doubled, aim: none },
    { name: 'links between messages that are wrong', measured: found.gaps, aim: none },
    { name: 'acknowledged files', measured: acknowledged.files.length },
    { name: 'without row, message, file or right size', measured: found.files, aim: none },
    { name: 'acknowledged claims', measured: acknowledged.claimCount },
    { name: 'claims compared at the end', measured: found.comparedClaims },
    { name: 'with another holder', measured: found.claims, aim: none },
    { name: 'conversations whose takeovers the audit lacks', measured: found.takeovers, aim: none },
    ...pauseResults,
  ]);
  const kinds = [...failures].map(([kind, count]) => `${kind}: ${count}`).join(', ');
  process.stdout.write(`answers that were no success and were sent again: ${kinds || 'none'}\n`);
  for (const example of found.examples.slice(0, EXAMPLES_SHOWN)) process.stdout.write(`${example}\n`);
}

const readListed = async (databaseUrl: string, year: number): Promise<string[]> =>
  (
    await query<{ text: string }>(
      databaseUrl,
      `select nop || ' ' || amount_sen as text from assessments where year = ${year} and is_listed = 1 order by nop`,
    )
  ).map(({ text }) => text);

/** @param isAwaited until one is applied, for some seconds @returns the state of the import that is under way */
async function readImport(databaseUrl: string, isAwaited: boolean): Promise<string> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    for (const until = performance.now() + APPLY_WAIT_MS; ; await sleep(LOOK_EVERY_MS)) {
      const { rows } = await client.query<{ state: string }>(
        "select state from dhkp_batches where state in ('reading', 'applying')",
      );
      const state = rows[0]?.state ?? 'none';
      if (!isAwaited || state === 'applying' || performance.now() > until) return state;
    }
  } finally {
    await client.end();
  }
}

/** Compares the imports that were acknowledged with the batches, the audit and the changes that are stored. */
async function printImports(
  databaseUrl: string,
  { applied, last, counts }: Importer,
  killedIn: ReadonlyMap<string, number>,
): Promise<void> {
  const batches = await query<{ id: string }>(databaseUrl, "select id from dhkp_batches where state = 'applied'");
  const stored = new Set(batches.map(({ id }) => id));
  const isLastListed = (await readListed(databaseUrl, LIST_YEAR)).join() === last().join();
  const [row] = await query<{ entries: string; doubled: string }>(
    databaseUrl,
    `select (select count(*) from audit_entries where action = 'dhkp.applied') as entries,
      (select count(*) from (
        select 1 from dhkp_changes group by batch_id, assessment_id having count(*) > 1
      ) as changes) as doubled`,
  );
  printResults('imports of lists meanwhile', [
    { name: 'kills while one was read', measured: killedIn.get('reading') ?? 0 },
    { name: 'kills while one was applied', measured: killedIn.get('applying') ?? 0 },
    { name: 'acknowledged as applied', measured: applied.length },
    { name: 'of them not applied', measured: applied.filter((id) => !stored.has(id)).length, aim: { max: 0 } },
    { name: 'lists that differ from the last one', measured: isLastListed ? 0 : 1, aim: { max: 0 } },
    { name: 'without an end', measured: counts.stuck, aim: { max: 0 } },
    { name: 'applied, and the list is another one', measured: counts.wrong, aim: { max: 0 } },
    { name: 'changes stored twice', measured: Number(row?.doubled), aim: { max: 0 } },
    { name: 'entries of the audit too many', measured: Number(row?.entries) - stored.size, aim: { max: 0 } },
  ]);
}

/** Kills one of two processes again and again while users send, upload and claim, and an administrator imports lists. */
async function killProcesses(kills: number): Promise<void> {
  const cluster = makeCluster();
  const random = createSeededRandom(SEED);
  const postgres = describeServer(cluster.programs, join(cluster.databases, 'data'), await findFreePort(), []);
  postgres.init();
  postgres.start();
  await query(`${postgres.url}/postgres`, 'create database pbb');
  const databaseUrl = `${postgres.url}/pbb`;
  const ports = [await findFreePort(), await findFreePort()];
  const processes: MeasuredServer[] = [];
  for (const [index, port] of ports.entries()) processes.push(await startProcess(cluster, databaseUrl, index, port));
  const writers = await startWriters(
    processes.map(({ url }) => url),
    WRITERS,
    ADMIN,
  );
  const importer = await startImporter(
    processes.map(({ url }) => url),
    ADMIN,
    (year) => readListed(databaseUrl, year),
  );
  const pauses: number[] = [];
  const killedIn = new Map<string, number>();
  for (let number = 0; number < kills; number += 1) {
    const index = number % 2;
    await sleep(random.integer(BETWEEN_KILLS.minMs, BETWEEN_KILLS.maxMs));
    const state = await readImport(databaseUrl, number % APPLY_EVERY === 0);
    killedIn.set(state, (killedIn.get(state) ?? 0) + 1);
    const [killed, port] = [processes[index], ports[index]];
    if (!killed || port === undefined) throw new Error('no process to kill');
    const next = killProcess(killed).then(() => writers.firstAfterNow());
    pauses.push(await next);
    processes[index] = await startProcess(cluster, databaseUrl, index, port);
  }
  await writers.stop();
  const name = `${kills} × kill -9 of one of two processes`;
  await printAccount(name, writers, { databaseUrl, files: cluster.files }, new Map([['after a kill', pauses]]));
  await importer.stop();
  await printImports(databaseUrl, importer, killedIn);
  await Promise.all(processes.map(({ stop }) => stop()));
  postgres.stop();
  removeCluster(cluster);
}

const SYNCHRONOUS = 'any_standby';

/** Makes a standby from a running primary: its files between the two calls of a backup. */
async function makeStandby(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  standby.remove();
  const client = new pg.Client(`${primary.url}/postgres`);
  await client.connect();
  await client.query("select pg_backup_start('salinan', true)");
  cpSync(primary.data, standby.data, {
    recursive: true,
    // Files of the server that runs, and of the one that ran before.
    filter: (path) => !/postmaster\.(?:pid|opts)$|standby\.signal$|postgresql\.auto\.conf$|pgsql_tmp/.test(path),
  });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  writeFileSync(join(standby.data, 'backup_label'), rows[0]?.labelfile ?? '');
  // The log of the backup's end is in the primary.
  writeFileSync(
    join(standby.data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres application_name=${SYNCHRONOUS}'\n`,
  );
  writeFileSync(join(standby.data, 'standby.signal'), '');
  giveToServer(standby.data, true);
  standby.start();
  await query(`${primary.url}/postgres`, `alter system set synchronous_standby_names = '${SYNCHRONOUS}'`);
  await query(`${primary.url}/postgres`, 'select pg_reload_conf()');
  for (;;) {
    const [row] = await query<{ state: string }>(
      `${primary.url}/postgres`,
      'select sync_state as state from pg_stat_replication',
    );
    if (row?.state === 'sync') return;
    await sleep(50);
  }
}

/** Kills or silences the primary again and again; its synchronous standby takes its place, and a new standby is made. */
async function killPrimaries(failovers: number): Promise<void> {
  const cluster = makeCluster();
  const settings = ['wal_level=replica', 'max_wal_senders=4', 'synchronous_commit=on', 'wal_keep_size=256MB'];
  const servers: PostgresServer[] = [];
  for (const name of ['satu', 'dua'])
    servers.push(describeServer(cluster.programs, join(cluster.databases, name), await findFreePort(), settings));
  let [primary, standby] = servers as [PostgresServer, PostgresServer];
  primary.init();
  primary.start();
  await query(`${primary.url}/postgres`, 'create database pbb');
  await makeStandby(primary, standby);
  // The processes of the office reach each server over a line that can fall silent.
  const lines = new Map<PostgresServer, Awaited<ReturnType<typeof startCuttableLine>>>();
  for (const server of servers) lines.set(server, await startCuttableLine(`http://127.0.0.1:${server.port}`));
  const databaseUrl = `postgres://postgres@${[...lines.values()].map(({ port }) => `127.0.0.1:${port}`).join(',')}/pbb`;
  const office = await startProcess(cluster, databaseUrl, 1, await findFreePort());
  const writers = await startWriters([office.url], WRITERS, ADMIN);
  const pauses = new Map<string, number[]>();
  for (let number = 0; number < failovers; number += 1) {
    await sleep(500);
    const isSilent = number % SILENT_EVERY === SILENT_EVERY - 1;
    if (isSilent) lines.get(primary)?.silence();
    // The whole server at once, as when its machine loses its power.
    else primary.stop();
    await sleep(SILENCE_MS);
    standby.promote();
    // The new primary has no standby yet, and must not wait for one.
    const pause = await writers.firstAfterNow();
    const after = isSilent ? 'after silence' : 'after a stop';
    pauses.set(after, [...(pauses.get(after) ?? []), pause]);
    if (isSilent) {
      primary.stop();
      lines.get(primary)?.restore();
    }
    [primary, standby] = [standby, primary];
    await makeStandby(primary, standby);
  }
  await writers.stop();
  const name = `${failovers} × primary killed or silent, synchronous standby promoted`;
  await printAccount(name, writers, { databaseUrl: `${primary.url}/pbb`, files: cluster.files }, pauses);
  await office.stop();
  for (const line of lines.values()) await line.close();
  for (const server of servers) server.stop();
  removeCluster(cluster);
}

/** A machine breaks: processes of the office, and the primary of its database. @param kills of each kind, in this order */
export async function benchCluster(kills = KILLS, failovers = FAILOVERS): Promise<void> {
  if (kills > 0) await killProcesses(kills);
  if (failovers > 0) await killPrimaries(failovers);
}
