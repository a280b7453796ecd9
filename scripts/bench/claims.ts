import { rmSync } from 'node:fs';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { sendRequest } from './requests.ts';
import { type Result, percentiles, printResults } from './results.ts';
import { addUsers, type BenchData, type BenchUser, createBenchData, SECRET } from './seed-data.ts';
import { type MeasuredServer, startServer } from './server-process.ts';

const CLAIMS = 200;
const YEAR = 2026;
/** Of each kind; an account has at most ten requests that wait. */
const CLAIMS_PER_USER = 5;
const WARM_UP_USERS = 4;
/** Between the means (docs/requirements.md R-DHKP-33). */
const DIFFERENCE_MAX_MS = 5;

type Kind = 'listed' | 'unlisted';

const nopOf = (kind: Kind, number: number): string =>
  `3515180012${kind === 'listed' ? '001' : '002'}${String(number).padStart(4, '0')}0`;

/** Lists objects; every other one has an account. */
function listObjects(data: BenchData): void {
  const [owner = data.user] = addUsers(data, 1);
  const { sqlite } = openDatabase(data.databaseFile);
  const addObject = sqlite.prepare(
    'insert into objects (nop, user_id, linked_at, created_at, updated_at) values (?, ?, ?, 1, 1)',
  );
  const addAssessment = sqlite.prepare(
    `insert into assessments (id, nop, year, block, name, amount_sen, is_listed, condition, created_at, updated_at)
     values (?, ?, ${YEAR}, '001', 'Warga', 4500000, 1, 'ok', 1, 1)`,
  );
  const list = sqlite.transaction(() => {
    for (let number = 0; number < CLAIMS + WARM_UP_USERS * CLAIMS_PER_USER; number += 1) {
      const nop = nopOf('listed', number);
      const isLinked = number % 2 === 0;
      addObject.run(nop, isLinked ? owner.id : null, isLinked ? 1 : null);
      addAssessment.run(crypto.randomUUID(), nop);
    }
  });
  list();
  sqlite.close();
}

/** Asks for objects of both kinds in turns, the one or the other first. @returns milliseconds */
async function measureClaims(
  { url }: MeasuredServer,
  users: readonly BenchUser[],
  from: number,
): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = { listed: [], unlisted: [] };
  for (let index = 0; index < users.length * CLAIMS_PER_USER; index += 1) {
    const { token = '' } = users[Math.floor(index / CLAIMS_PER_USER)] ?? {};
    const kinds: readonly Kind[] = index % 2 === 0 ? ['listed', 'unlisted'] : ['unlisted', 'listed'];
    for (const kind of kinds) {
      const startedAt = performance.now();
      const body = { nop: nopOf(kind, from + index) };
      await sendRequest(url, { method: 'POST', path: '/api/tax-records/claims', token, body });
      times[kind].push(performance.now() - startedAt);
    }
  }
  return times;
}

const meanOf = (times: readonly number[]): number => times.reduce((sum, ms) => sum + ms, 0) / times.length;

/** Compares users' requests for objects that the list has with those for others: the time must not tell. */
export async function benchClaims(): Promise<void> {
  const data = createBenchData(1000);
  listObjects(data);
  const users = addUsers(data, CLAIMS / CLAIMS_PER_USER + WARM_UP_USERS);
  const server = await startServer('dist/server/main.mjs', {
    JWT_SECRET: SECRET,
    DATA_DIR: data.dataDir,
    BACKUP_EVERY_HOURS: '0',
  });
  try {
    await measureClaims(server, users.slice(0, WARM_UP_USERS), CLAIMS);
    const { listed, unlisted } = await measureClaims(server, users.slice(WARM_UP_USERS), 0);
    const [mean, otherMean] = [meanOf(listed), meanOf(unlisted)];
    const results: Result[] = [
      { name: 'request for a listed object, mean, ms', measured: mean, baseline: otherMean },
      { name: 'the same, p50, ms', measured: percentiles(listed).p50, baseline: percentiles(unlisted).p50 },
      {
        name: 'difference of the means, ms',
        measured: Math.abs(mean - otherMean),
        aim: { max: DIFFERENCE_MAX_MS },
      },
    ];
    printResults(`${CLAIMS} users' requests of each kind in turns, baseline: objects that the list lacks`, results);
  } finally {
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
