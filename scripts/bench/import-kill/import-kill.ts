import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { openForInspection } from '#server/db/sqlite/open.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { createSeededRandom, type SeededRandom } from '../../seed/seeded-random.ts';
import { sendRequest } from '../requests.ts';
import { printResults } from '../results.ts';
import { type BenchData, createBenchData, SECRET } from '../seed-data.ts';
import { findFreePort, launchServer } from '../server-process.ts';
import { buildLists, linkObjects, LIST_YEAR } from './lists.ts';
import { type BatchState, type ListState, NO_ENTRIES, readBatchState, readListState } from './list-state.ts';

const RECORDS = 50;
/** Each poll sees the last commit; the server needs the processor more. */
const POLL_EVERY_MS = 1;
/** After a commit: so kills hit the rest, the next step and its commit alike. */
const KILL_AFTER_MAX_MS = 12;
const KILL_AT_START = { share: 0.2, minMs: 50, maxMs: 700 };
const APPLY = { path: 'apply', begins: 'applying', settles: 'applied' } as const;
const REVERT = { path: 'revert', begins: 'reverting', settles: 'reverted' } as const;
type Act = typeof APPLY | typeof REVERT;

export type KillOptions = {
  script: string;
  kills: number;
  seed: number;
  objects: number;
  environment?: Record<string, string>;
};
/** `between`: kills that left a part of the rows changed; `atStart`: further kills of the start that finishes the rest. */
export type KillCounts = { kills: number; between: number; atStart: number; before: number; after: number };

type Setup = KillOptions & { data: BenchData; port: number; random: SeededRandom; second: string };
type Running = ReturnType<typeof launchServer>['child'];

const launch = ({ data, port, script, environment }: Setup) =>
  launchServer(script, {
    JWT_SECRET: SECRET,
    DATA_DIR: data.dataDir,
    PORT: String(port),
    BACKUP_EVERY_HOURS: '0',
    ...environment,
  });

async function start(setup: Setup): Promise<Running> {
  const { child, ready } = launch(setup);
  await ready;
  return child;
}

async function kill(child: Running): Promise<void> {
  if (child.exitCode !== null) throw new Error(`the server ended by itself with ${child.exitCode}`);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function startAndKill(setup: Setup): Promise<void> {
  const { child, ready } = launch(setup);
  ready.catch(() => undefined);
  await wait(setup.random.integer(KILL_AT_START.minMs, KILL_AT_START.maxMs));
  await kill(child);
}

function inspect<T>({ data }: Setup, read: (sqlite: Sqlite) => T): T {
  const { sqlite } = openForInspection(data.databaseFile);
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

async function call<T>({ port, data }: Setup, method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const answer = await sendRequest(`http://127.0.0.1:${port}`, {
    method,
    path: `/api/admin/dhkp/batches${path}`,
    token: data.admin.token,
    isAlone: true,
    ...(body ? { body } : {}),
  });
  return (JSON.parse(answer) as { data: T }).data;
}

/** Waits for a commit of the server after which the batch is as wanted. */
async function waitForBatch(setup: Setup, id: string, isReached: (state: BatchState) => boolean): Promise<BatchState> {
  const { sqlite } = openForInspection(setup.data.databaseFile);
  try {
    for (;;) {
      const state = readBatchState(sqlite, id);
      if (isReached(state)) return state;
      if (state.state === 'failed') throw new Error('the list was not read');
      await wait(POLL_EVERY_MS);
    }
  } finally {
    sqlite.close();
  }
}

async function preview(setup: Setup, text: string): Promise<Batch> {
  const { id } = await call<Batch>(setup, 'POST', '', { year: LIST_YEAR, text, client_id: crypto.randomUUID() });
  await waitForBatch(setup, id, ({ state }) => state === 'ready');
  return call(setup, 'GET', `/${id}`);
}

const bodyOf = ({ path }: Act, { preview_id }: Batch): object =>
  path === 'apply' ? { preview_id } : { reason: 'percobaan' };

async function finish(setup: Setup, act: Act, batch: Batch): Promise<void> {
  await call(setup, 'POST', `/${batch.id}/${act.path}`, bodyOf(act, batch));
  await waitForBatch(setup, batch.id, ({ state }) => state === act.settles);
}

/** Kills the server at a random row of an act. @returns the batch as the kill left it */
async function killIn(setup: Setup, child: Running, act: Act, batch: Batch): Promise<BatchState> {
  const { random } = setup;
  const { totalRows } = inspect(setup, (sqlite) => readBatchState(sqlite, batch.id));
  const target = random.integer(0, totalRows);
  let failure: Error | null = null;
  const answer = call(setup, 'POST', `/${batch.id}/${act.path}`, bodyOf(act, batch)).catch((error: Error) => {
    failure = error;
  });
  if (target > 0) {
    await waitForBatch(setup, batch.id, ({ state, doneRows }) => {
      if (failure) throw failure;
      return state === act.settles || (state === act.begins && doneRows >= target);
    });
  }
  await wait(random.integer(0, KILL_AFTER_MAX_MS));
  await kill(child);
  await answer;
  return inspect(setup, (sqlite) => readBatchState(sqlite, batch.id));
}

type Reference = { before: ListState; after: ListState; reverted: ListState };

/** Applies the second list once and takes it back, without a kill. */
async function readReference(setup: Setup): Promise<Reference> {
  const read = (lastEntryId: number) => inspect(setup, (sqlite) => readListState(sqlite, lastEntryId));
  const batch = await preview(setup, setup.second);
  const before = read(0);
  await finish(setup, APPLY, batch);
  const after = read(before.lastEntryId);
  await finish(setup, REVERT, batch);
  const reverted = read(after.lastEntryId);
  if (reverted.bytes !== before.bytes) throw new Error('a revert without a kill does not restore every byte');
  if (after.contents === before.contents) throw new Error('the second list changes nothing');
  return { before, after, reverted };
}

/** @throws when the list, the records or the audit are between two states, or the batch says another one */
function requireSettled(act: Act, reference: Reference, now: ListState, { state }: BatchState): void {
  const isDone = state === act.settles;
  const isBegun = act.path === 'apply' ? 'ready' : 'applied';
  if (!isDone && state !== isBegun) throw new Error(`the batch is ${state} after a kill in ${act.path}`);
  const isApplied = isDone === (act.path === 'apply');
  const isRight = isApplied ? now.contents === reference.after.contents : now.bytes === reference.before.bytes;
  if (!isRight) throw new Error(`the list is not as the batch says, which is ${state}, after a kill in ${act.path}`);
  const done = act.path === 'apply' ? reference.after.entries : reference.reverted.entries;
  if (now.entries !== (isDone ? done : NO_ENTRIES))
    throw new Error(`the audit lacks or repeats entries of ${act.path}`);
}

/** Kills the server in applies and reverts of a list with linked objects, and compares after each start. */
export async function killImports(options: KillOptions): Promise<KillCounts> {
  const data = createBenchData(RECORDS);
  const { first, second } = buildLists(options.objects);
  const random = createSeededRandom(options.seed);
  const setup: Setup = { ...options, data, port: await findFreePort(), random, second };
  const counts: KillCounts = { kills: 0, between: 0, atStart: 0, before: 0, after: 0 };
  let child: Running | null = null;
  try {
    linkObjects(data, options.objects);
    child = await start(setup);
    await finish(setup, APPLY, await preview(setup, first));
    const reference = await readReference(setup);
    let last = reference.reverted;
    let batch: Batch | null = null;
    for (let isApplied = false; counts.kills < options.kills;) {
      batch ??= await preview(setup, second);
      const act: Act = isApplied ? REVERT : APPLY;
      const left = await killIn(setup, child, act, batch);
      counts.kills += 1;
      if (left.state.endsWith('ing') && left.doneRows > 0) counts.between += 1;
      if (random.withProbability(KILL_AT_START.share)) {
        await startAndKill(setup);
        counts.atStart += 1;
      }
      child = await start(setup);
      const { id } = batch;
      const lastEntryId = last.lastEntryId;
      const state = inspect(setup, (sqlite) => readBatchState(sqlite, id));
      const now = inspect(setup, (sqlite) => readListState(sqlite, lastEntryId));
      requireSettled(act, reference, now, state);
      last = now;
      isApplied = state.state === 'applied';
      counts[isApplied ? 'after' : 'before'] += 1;
      if (state.state === 'reverted') batch = null;
    }
    return counts;
  } finally {
    child?.kill('SIGKILL');
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}

/** Kills the server in imports. SIGKILL keeps what the operating system has; a power cut is not tried here. */
export async function benchImportKill(kills = 20, seed = 1): Promise<void> {
  const counts = await killImports({ script: 'dist/server/main.mjs', kills, seed, objects: 1200 });
  printResults(
    `${kills} kills in imports with seed ${seed}: the list, its records and the audit were compared after each`,
    [
      { name: 'left with a part of the rows changed', measured: counts.between },
      { name: 'then killed once more while the start finished it', measured: counts.atStart },
      { name: 'afterwards as before the import', measured: counts.before },
      { name: 'afterwards as after the import', measured: counts.after },
      { name: 'neither', measured: counts.kills - counts.before - counts.after, aim: { max: 0 } },
    ],
  );
}
