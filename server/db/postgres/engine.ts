import type { ClientBase, PoolClient } from 'pg';
import {
  type Connection,
  type Engine,
  registerOpened,
  type Transaction,
  withoutParameters,
  type Work,
} from '../engine.ts';
import type { CommitObserver } from '../database.ts';
import { createResumedCallers } from '../resumed-callers.ts';
import type { Connections } from './connect.ts';
import { isLost } from './lost.ts';
import { createStatements, type UseClient } from './statements.ts';
import { createTurns } from './turns.ts';

/**
 * One change at a time, over all processes, as on SQLite: a batch begins with this lock, so a change never meets another one
 * half done, and what a change read is still so when it writes. Changes of one process that arrive together share a commit.
 */
export const WRITE_LOCK = 7_212_025;
/** A call gets its 503 within five seconds, also while another process holds the lock. */
const LOCK_WAIT_MAX_MS = 4000;
/**
 * A commit does not return while the disk hangs, or while the primary waits for a standby that is lost. The host still answers,
 * so the check for silent hosts does not end it. A batch has four seconds, and its commit at least one. Statements before the
 * commit have no limit, because a large deletion takes longer.
 */
const BATCH_WAIT_MAX_MS = 4000;
const COMMIT_WAIT_MIN_MS = 1000;
/** Changes behind a batch that was lost so late have waited for it, and get their answer with it. */
const LOST_LATE_MS = 3000;
/** A batch holds the lock of all processes, so it stays short. */
const BATCH_MAX_JOBS = 100;
const BATCH_MAX_MS = 25;

type Job = { change: Work<unknown>; resolve: (value: unknown) => void; reject: (error: unknown) => void };
type Done = { job: Job; value: unknown };
type Failed = { job: Job; error: unknown };
type Batch = { attempted: Job[]; done: Done[]; failed: Failed[] };

/** Statements of a transaction; they work until it has ended. */
export function createTransaction(
  client: ClientBase,
  database: object,
): { tx: Transaction; end: () => Promise<unknown> } {
  let hasEnded = false;
  const { inTurn, ended } = createTurns();
  const use: UseClient = (run) =>
    inTurn(() => {
      if (hasEnded) throw new Error('the transaction of this statement has ended');
      return run(client);
    });
  const statements = createStatements({ use, hold: async () => ({ use, release: async () => undefined }) });
  const tx = Object.assign(statements, { isTransaction: true as const });
  registerOpened(tx, { engine: 'postgres', database, snapshot: (read) => Promise.resolve(read(tx)) });
  return {
    tx,
    // A statement that runs when its work has failed ends before the connection is used again.
    end: () => {
      hasEnded = true;
      return ended();
    },
  };
}

/**
 * Runs work in a transaction of its own on a connection, and gives the connection back.
 * @param commitWithinMs a commit without an answer for so long counts as a lost connection
 */
async function transact<T>(
  client: PoolClient,
  begin: string,
  work: () => Promise<T>,
  commitWithinMs?: () => number,
): Promise<T> {
  let failure: Error | undefined;
  try {
    await client.query(begin);
    const value = await work();
    const commit = { text: 'commit', query_timeout: commitWithinMs?.() };
    await client.query(commit);
    return value;
  } catch (error) {
    if (isLost(error)) failure = error as Error;
    else await client.query('rollback').catch((lost: Error) => (failure = lost));
    throw error;
  } finally {
    // A connection that could not roll back is given up.
    client.release(failure);
  }
}

async function runWork<T>(client: PoolClient, database: object, work: Work<T>): Promise<T> {
  const { tx, end } = createTransaction(client, database);
  try {
    return await work(tx);
  } catch (error) {
    throw withoutParameters(error);
  } finally {
    await end();
  }
}

/** The reads of a database. */
export type Reads = Pick<Engine, 'read' | 'snapshot'>;

const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/** Reads on any connection. */
export function createReads(connections: Connections): Reads {
  const snapshot: Engine['snapshot'] = async (read) => {
    try {
      const client = await connections.reader();
      return await transact(client, BEGIN_SNAPSHOT, () => runWork(client, connections, read));
    } catch (error) {
      throw connections.failed(error);
    }
  };
  const statements = createStatements({
    async use(use) {
      let client: PoolClient | null = null;
      let failure: Error | undefined;
      try {
        client = await connections.reader();
        return await use(client);
      } catch (error) {
        if (isLost(error)) failure = error as Error;
        throw connections.failed(error);
      } finally {
        client?.release(failure);
      }
    },
    async hold() {
      const client = await connections.reader();
      await client.query(BEGIN_SNAPSHOT);
      return {
        use: (run) => run(client),
        async release() {
          await client.query('commit').then(
            () => client.release(),
            (error: Error) => client.release(error),
          );
        },
      };
    },
  });
  const read: Connection = Object.assign(statements, { isTransaction: false as const });
  registerOpened(read, { engine: 'postgres', database: connections, snapshot });
  return { read, snapshot };
}

/** The engine of a server on PostgreSQL. @param observer called after each commit */
export function createPostgresEngine(connections: Connections, reads: Reads, observer?: CommitObserver): Engine {
  let queue: Job[] = [];
  let isRunning = false;
  const callers = createResumedCallers();

  /** @throws only when the connection is lost */
  async function runJob(client: PoolClient, job: Job, { done, failed }: Batch): Promise<void> {
    await client.query('savepoint job');
    const outcome = await runWork(client, connections, job.change).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('error' in outcome && isLost(outcome.error)) throw outcome.error;
    await client.query('error' in outcome ? 'rollback to job; release job' : 'release job');
    if ('error' in outcome) failed.push({ job, error: outcome.error });
    else done.push({ job, value: outcome.value });
  }

  async function runJobs(client: PoolClient, batch: Batch): Promise<void> {
    const deadline = performance.now() + BATCH_MAX_MS;
    const { attempted } = batch;
    while (attempted.length < BATCH_MAX_JOBS && (attempted.length === 0 || performance.now() < deadline)) {
      const job = queue.shift();
      if (!job) break;
      attempted.push(job);
      await runJob(client, job, batch);
    }
  }

  async function runBatch(): Promise<void> {
    const batch: Batch = { attempted: [], done: [], failed: [] };
    const { attempted, failed } = batch;
    const startedAt = performance.now();
    try {
      const begin = `begin; set local lock_timeout = ${LOCK_WAIT_MAX_MS}; select pg_advisory_xact_lock(${WRITE_LOCK})`;
      const client = await connections.writer();
      const commitWithinMs = (): number =>
        Math.max(COMMIT_WAIT_MIN_MS, startedAt + BATCH_WAIT_MAX_MS - performance.now());
      await transact(client, begin, () => runJobs(client, batch), commitWithinMs);
      observer?.committed(performance.now() - startedAt, attempted.length);
      await callers.resume(batch.done);
    } catch (caught) {
      const error = connections.failed(caught);
      const isLate = isLost(error) && performance.now() - startedAt > LOST_LATE_MS;
      if (attempted.length === 0 || isLate) attempted.push(...queue.splice(0));
      const rejected = new Set(failed.map(({ job }) => job));
      for (const job of attempted) if (!rejected.has(job)) job.reject(error);
    }
    for (const { job, error } of failed) job.reject(error);
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (queue.length > 0) await runBatch();
    isRunning = false;
  }

  return {
    ...reads,
    write: <T>(change: Work<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        queue.push({ change, resolve: resolve as (value: unknown) => void, reject });
        // Changes that arrive in this turn of the event loop are in the same batch.
        setImmediate(() => void run());
      }),
    settled: callers.settled,
  };
}
