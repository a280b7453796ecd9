import { rmSync } from 'node:fs';
import { closedLoopRows, measureRound, type Office, type Round } from '../load/message-rounds.ts';
import { inboxRows } from '../regency/inbox.ts';
import { listRows } from '../regency/lists.ts';
import { measureMessageSearch } from '../regency/message-search.ts';
import { measureRow } from '../regency/regency-calls.ts';
import { copyRegencyData } from '../regency/regency-copy.ts';
import { searchRows } from '../regency/searches.ts';
import { statisticsRows } from '../regency/statistics.ts';
import { printResults, type Result } from '../results.ts';
import { addUsers, type BenchData, createBenchData, SECRET } from '../seed-data.ts';
import { startServer } from '../server-process.ts';
import { moveOffice } from './postgres-office.ts';

const ROUNDS = 3;
const REGENCY_RECORDS = 1_000_000;
const RECORDS = 2000;
const SENDERS = 50;
const ADMINS = 4;
const READ_MAX_MS = 150;

type People = Pick<Office, 'senders' | 'admins'> & { data: BenchData };

function makeOffice(): People {
  const data = createBenchData(RECORDS);
  return { data, senders: addUsers(data, SENDERS), admins: addUsers(data, ADMINS, true) };
}

/** Rounds in turns, so that what else the machine does meets both. */
async function compare(baseline: Office, measured: Office, rounds: number): Promise<[Round[], Round[]]> {
  const [before, after]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    before.push(await measureRound(baseline, ADMINS, null));
    after.push(await measureRound(measured, ADMINS, null));
  }
  return [before, after];
}

/** Messages on PostgreSQL, with one and with two processes; the baseline is SQLite. Everything shares one machine. */
async function measureMessages(rounds: number): Promise<Result[]> {
  const [onFile, moved] = [makeOffice(), makeOffice()];
  const sqlite = await startServer('dist/server/main.mjs', { DATA_DIR: onFile.data.dataDir, JWT_SECRET: SECRET });
  const office = await moveOffice(moved.data.dataDir);
  const servers = [await office.start()];
  const results: Result[] = [];
  for (const name of ['one process', 'two processes']) {
    if (results.length > 0) servers.push(await office.start());
    const [before, after] = await compare({ ...onFile, servers: [sqlite] }, { ...moved, servers }, rounds);
    results.push(...closedLoopRows(name, after, before));
  }
  await Promise.all([sqlite, ...servers].map(({ stop }) => stop()));
  office.end();
  for (const { data } of [onFile, moved]) rmSync(data.dataDir, { recursive: true, force: true });
  return results;
}

/** Lists, searches and statistics at the size of a regency. */
async function measureReads(records: number): Promise<Result[]> {
  const data = copyRegencyData(records);
  // A server for so much data has memory for it.
  const office = await moveOffice(data.dataDir, ['shared_buffers=1GB', 'random_page_cost=1.1']);
  const server = await office.start();
  const regency = { server, data };
  const rows: Result[] = [];
  const calls = [inboxRows, listRows, searchRows, statisticsRows].flatMap((rowsOf) => rowsOf(regency));
  for (const row of calls) rows.push(...(await measureRow(regency, { ...row, maxMs: READ_MAX_MS })));
  // Their baseline is an index of the file, which is filled by a server only.
  for (const row of await measureMessageSearch(regency, READ_MAX_MS)) rows.push({ ...row, baseline: undefined });
  await server.stop();
  office.end();
  rmSync(data.dataDir, { recursive: true, force: true });
  return [{ name: 'move to PostgreSQL with a backup before it, s', measured: office.moveSeconds }, ...rows];
}

/**
 * The second engine on the machine of the bench: messages beside SQLite, and reads at the size of a regency.
 * @param roundCount of messages; 0 leaves them out
 * @param records of the regency; 0 leaves it out
 */
export async function benchPostgres(roundCount = ROUNDS, records = REGENCY_RECORDS): Promise<void> {
  if (roundCount > 0)
    printResults(
      `messages on PostgreSQL beside SQLite; ${SENDERS} senders, ${ADMINS} admins, medians of ${roundCount} rounds`,
      await measureMessages(roundCount),
    );
  if (records > 0)
    printResults(
      `a regency with ${records.toLocaleString('en')} records on PostgreSQL; ms`,
      await measureReads(records),
    );
}
