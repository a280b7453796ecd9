import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../../seed/seeded-random.ts';
import { checkAfterLoad, checkStoredData, type Check } from './accounting.ts';
import { callApi } from './api-call.ts';
import { sentMessages } from './ledger.ts';
import { startMixedLoad, type LoadPauses, type MixedLoad } from './mixed-load.ts';
import { addUsers, createBenchData, type BenchData } from '../seed-data.ts';
import { checkRunningCopy, createCopyLedger, type CopyLedger } from './running-copy.ts';
import { printResults } from '../results.ts';
import { findFreePort, launchServer } from '../server-process.ts';

const USERS = 16;
const FILE_USERS = 10;
const RECORDS = 400;
const PAUSES: LoadPauses = { messageMs: 80, recordMs: 300, fileMs: 50, seenMs: 1000, reconnectMs: 1000 };
/** Some kills hit the start, some a backup; the others hit the server at work. */
const KILL_AT_START = { share: 0.2, minMs: 10, maxMs: 600 };
const KILL_AT_WORK = { minMs: 100, maxMs: 1500 };
const BACKUP_SHARE = 0.15;
/** The data is inspected after half of the kills only, because opening it takes part of the recovery from the start. */
const INSPECTED_SHARE = 0.5;
const PROGRESS_EVERY = 20;
const ERASE_EVERY_MS = 300;

type Setup = { data: BenchData; port: number; random: SeededRandom; secondDir: string; copy: CopyLedger };

/** @throws with the first failures when a check failed */
function requireAll(title: string, checks: Check[]): void {
  const failures = checks.flatMap((check) => check.failures.map((failure) => `${check.name}: ${failure}`));
  if (failures.length > 0)
    throw new Error(`${title}: ${failures.length} failures\n${failures.slice(0, 20).join('\n')}`);
}

const launch = ({ data, port, secondDir }: Setup) =>
  launchServer('dist/server/main.mjs', {
    DATA_DIR: data.dataDir,
    PORT: String(port),
    BACKUP_SECOND_DIR: secondDir,
  });

/** Starts the server and kills it at a random moment. */
async function startAndKill(setup: Setup, url: string): Promise<'start' | 'work' | 'backup'> {
  const { data, random } = setup;
  const { child, ready } = launch(setup);
  const ended = once(child, 'exit');
  const isAtStart = random.withProbability(KILL_AT_START.share);
  const moment = isAtStart ? KILL_AT_START : KILL_AT_WORK;
  const ms = random.integer(moment.minMs, moment.maxMs);
  const isAtBackup = !isAtStart && random.withProbability(BACKUP_SHARE);
  ready.catch(() => undefined);
  if (!isAtStart) await ready;
  if (isAtBackup) void callApi(url, { method: 'POST', path: '/api/admin/backups', token: data.admin.token });
  await wait(ms);
  if (child.exitCode !== null) throw new Error(`the server ended by itself with ${child.exitCode}`);
  child.kill('SIGKILL');
  await ended;
  if (isAtStart) return 'start';
  return isAtBackup ? 'backup' : 'work';
}

/** Writes and deletes notes all the time: each deletion empties the write-ahead log. */
function eraseNotes({ data }: Setup, url: string, load: MixedLoad) {
  const state = { isRunning: true };
  let erased = 0;
  const { token } = data.admin;
  const path = `/api/admin/conversations/${load.ledger.lanes[0]?.userId ?? data.user.id}/notes`;
  const run = async (): Promise<void> => {
    while (state.isRunning) {
      const made = await callApi(url, {
        method: 'POST',
        path,
        token,
        body: { content: 'untuk dihapus', client_id: randomUUID() },
      });
      const id = (made.body as { data?: { id?: string } } | null)?.data?.id;
      if (id !== undefined) {
        const { status } = await callApi(url, { method: 'DELETE', path: `/api/admin/notes/${id}`, token });
        if (status === 200) erased += 1;
      }
      await wait(ERASE_EVERY_MS);
    }
  };
  const running = run();
  return {
    /** @returns the number of notes that were erased */
    async end(): Promise<number> {
      state.isRunning = false;
      await running;
      return erased;
    },
  };
}

async function killRepeatedly(setup: Setup, url: string, load: MixedLoad, kills: number): Promise<Map<string, number>> {
  const moments = new Map<string, number>();
  for (let count = 1; count <= kills; count += 1) {
    const moment = await startAndKill(setup, url);
    const proofsDir = join(setup.data.dataDir, 'proofs');
    requireAll(`after kill ${count}`, [checkRunningCopy(setup.copy, load.ledger, proofsDir, Date.now())]);
    moments.set(moment, (moments.get(moment) ?? 0) + 1);
    if (setup.random.withProbability(INSPECTED_SHARE)) {
      requireAll(`after kill ${count}`, checkStoredData(setup.data, load.ledger));
    }
    if (count % PROGRESS_EVERY === 0 || count === kills) {
      const { ledger } = load;
      const acknowledged = sentMessages(ledger).filter(({ acknowledgedId }) => acknowledgedId !== null).length;
      process.stdout.write(
        `${count} kills: ${acknowledged} messages acknowledged, ${ledger.storedWithoutAnswer} of them by a repeat, ` +
          `${ledger.records.length} records, ${ledger.fileMessages.length} messages with files, ` +
          `${ledger.clears} histories deleted, ${load.reconnects()} reconnects\n`,
      );
    }
  }
  return moments;
}

/**
 * Kills the server with SIGKILL again and again while clients write, upload and reconnect, and accounts for everything
 * that was acknowledged. SIGKILL keeps what the operating system has; a power cut is not tried here.
 */
export async function benchKill(kills = 20, seed = 1): Promise<void> {
  const data = createBenchData(RECORDS);
  const random = createSeededRandom(seed);
  const secondDir = `${data.dataDir}-second`;
  mkdirSync(secondDir);
  const copy = createCopyLedger(join(secondDir, 'salinan-berjalan'));
  const setup: Setup = { data, port: await findFreePort(), random, secondDir, copy };
  const url = `http://127.0.0.1:${setup.port}`;
  try {
    // The load draws from its own numbers, so that the moments of the kills depend on the seed alone.
    const load = startMixedLoad({
      url,
      admin: data.admin,
      users: addUsers(data, USERS),
      fileUsers: addUsers(data, FILE_USERS),
      random: createSeededRandom(seed + 1),
      pauses: PAUSES,
    });
    const erasing = eraseNotes(setup, url, load);
    const moments = await killRepeatedly(setup, url, load, kills);
    const settling = await launch(setup).ready;
    await load.end();
    const erased = await erasing.end();
    await settling.stop();
    // A start removes the rest of a crash.
    const server = await launch(setup).ready;
    const checks = await checkAfterLoad(data, url, load);
    await server.stop();
    checks.push({
      ...checkRunningCopy(copy, load.ledger, join(data.dataDir, 'proofs'), Date.now()),
      counted: copy.compared,
    });
    const when = Array.from(moments, ([moment, count]) => `${count} at ${moment}`).join(', ');
    process.stdout.write(
      `the running copy was looked at after ${copy.compared} kills, among ${erased} erased notes and ` +
        `${load.ledger.clears} deleted histories: behind by ${(copy.behindMs / 1000).toFixed(1)} s at most, ` +
        `${copy.bases.size} bases; compared in it ${copy.kept} times a message with its files, ` +
        `${copy.cleared} times a deleted one without\n`,
    );
    printResults(
      `${kills} kills with seed ${seed} (${when}): failures`,
      checks.map(({ name, counted, failures }) => ({
        name: `${name} (${counted} compared)`,
        measured: failures.length,
        aim: { max: 0 },
      })),
    );
    requireAll('the account', checks);
  } finally {
    rmSync(data.dataDir, { recursive: true, force: true });
    rmSync(secondDir, { recursive: true, force: true });
  }
}
