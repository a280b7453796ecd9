import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { errorCode } from '#server/files/atomic.ts';
import { QueryRefusedError, runUntilAbandoned } from './abandoned-query.ts';
import { withoutParameters, type Connection } from './engine.ts';
import { type DatabaseSource, openForReading } from './source.ts';
import {
  createQueryLane,
  type LaneName,
  type QueryAbandoned,
  type QueryLane,
  type QueryRequest,
  type QueryResponse,
} from './query-lane.ts';

/** Named queries: pure functions of the database and of arguments that can be cloned between threads. */
// Each query has other arguments. `QueryWorker.run` checks them against the type of the named query.
export type NamedQueries = Record<string, (orm: Connection, args: never) => Promise<unknown>>;

export type QueryCaller = {
  /** Accounts take turns, so that many queries of one do not delay the others. */
  account: string;
  /** Aborted when the answer was sent, or when its receiver hung up. A query whose receiver hung up does not run, or stops. */
  closed?: AbortSignal;
  /** Set for a query whose cost grows with the data, such as a search: it does not delay short ones. */
  isSlow?: boolean;
};

export type QueryWorker<R extends NamedQueries> = {
  /** @throws QueryRefusedError when too many queries wait, or when this one waited or ran too long */
  run: <K extends keyof R & string>(
    name: K,
    args: Parameters<R[K]>[1],
    caller: QueryCaller,
  ) => Promise<Awaited<ReturnType<R[K]>>>;
  close: () => Promise<void>;
};

export type QueryWorkerLimits = {
  /** Waiting queries of one account, and of all accounts. An account is more than one tab, and each opens several lists. */
  waitingPerAccountMax: number;
  waitingMax: number;
  /** After this time the client has given up (R-API-18). */
  waitMaxMs: number;
  runMaxMs: number;
  /** Bytes of answers that are not sent yet: a client that does not read must not fill the memory. */
  unsentBytesPerAccountMax: number;
  unsentBytesMax: number;
  /** A query that took more processor time counts as slow for its account from then on, for `slowForMs`. */
  shortCpuMsMax: number;
  slowForMs: number;
  /** The thread of slow queries ends after this time without one, and its memory is free again. */
  slowThreadIdleMs: number;
};

export const QUERY_WORKER_LIMITS: QueryWorkerLimits = {
  waitingPerAccountMax: 32,
  waitingMax: 500,
  waitMaxMs: 10_000,
  runMaxMs: 10_000,
  unsentBytesPerAccountMax: 8 * 2 ** 20,
  unsentBytesMax: 64 * 2 ** 20,
  shortCpuMsMax: 20,
  slowForMs: 600_000,
  slowThreadIdleMs: 60_000,
};

/** A third of what the chat's thread gets while every core is busy; with much less, a first report would miss its deadline. */
const SLOW_NICENESS = 5;
/** Short queries read a few pages of indexes, and their thread stays. A search reads everything. */
const CACHE_KIB: Record<LaneName, number> = { short: 16_384, slow: 65_536 };
const SLOW_ENTRIES_MAX = 10_000;

async function runNamedQuery(queries: NamedQueries, orm: Connection, name: string, args: unknown): Promise<unknown> {
  const query = queries[name];
  if (!query) throw new Error(`no heavy read named ${name}`);
  return query(orm, args as never);
}

/** Runs the queries in the calling thread: for databases in memory, which other threads cannot open. */
export function createInlineQueryWorker<R extends NamedQueries>(queries: R, orm: Connection): QueryWorker<R> {
  return {
    run: (name, args) => runNamedQuery(queries, orm, name, args) as Promise<never>,
    close: async () => {},
  };
}

/**
 * Runs the queries in worker threads with read-only connections, so that they do not delay the chat. Each lane runs one
 * query after the other. Which queries of which accounts are slow is learnt from the processor time that they took.
 * @param startWorker starts a thread that calls `serveQueries`
 */
export function createQueryWorker<R extends NamedQueries>(
  startWorker: (lane: LaneName) => Worker,
  limits: QueryWorkerLimits = QUERY_WORKER_LIMITS,
): QueryWorker<R> {
  const unsentBytes = createUnsentBytes();
  const slowUntil = new Map<string, number>();
  const hasRoom = (account: string): boolean => unsentBytes.of(account) < limits.unsentBytesPerAccountMax;
  const lanes: Record<LaneName, QueryLane> = {
    short: createQueryLane(() => startWorker('short'), { ...limits, idleMs: null, mayRun: hasRoom, learnCost }),
    slow: createQueryLane(() => startWorker('slow'), {
      ...limits,
      idleMs: limits.slowThreadIdleMs,
      learnCost,
      // Large answers are slow ones. Those that no client reads must not delay the short ones too.
      mayRun: (account) => hasRoom(account) && unsentBytes.total() < limits.unsentBytesMax,
    }),
  };

  function isSlow(key: string): boolean {
    return (slowUntil.get(key) ?? 0) > performance.now();
  }

  function learnCost(name: string, account: string, cpuMs: number): void {
    if (cpuMs <= limits.shortCpuMsMax) return;
    const key = keyOf(name, account);
    slowUntil.delete(key);
    slowUntil.set(key, performance.now() + limits.slowForMs);
    const [oldest] = slowUntil.keys();
    if (slowUntil.size > SLOW_ENTRIES_MAX && oldest !== undefined) slowUntil.delete(oldest);
    lanes.short.moveWaiting(name, account, lanes.slow);
  }

  return {
    async run(name, args, { account, closed, isSlow: isKnownAsSlow = false }) {
      const lane = isKnownAsSlow || isSlow(keyOf(name, account)) ? lanes.slow : lanes.short;
      const { value } = await lane.run(name, args, account, closed);
      if (value instanceof Uint8Array && closed && !closed.aborted) {
        const release = unsentBytes.add(account, value.byteLength);
        closed.addEventListener(
          'abort',
          () => {
            release();
            for (const waiting of Object.values(lanes)) waiting.runNext();
          },
          { once: true },
        );
      }
      return value as never;
    },
    close: async () => {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
    },
  };
}

const keyOf = (name: string, account: string): string => `${name} ${account}`;

function createUnsentBytes() {
  const bytesByAccount = new Map<string, number>();
  let total = 0;
  const change = (account: string, bytes: number): void => {
    const sum = (bytesByAccount.get(account) ?? 0) + bytes;
    total += bytes;
    if (sum > 0) bytesByAccount.set(account, sum);
    else bytesByAccount.delete(account);
  };
  return {
    of: (account: string): number => bytesByAccount.get(account) ?? 0,
    total: (): number => total,
    /** @returns releases them */
    add(account: string, bytes: number): () => void {
      change(account, bytes);
      return () => change(account, -bytes);
    },
  };
}

/** Runs inside the worker: answers the queries one after the other. */
export function serveQueries(queries: NamedQueries, source: DatabaseSource, lane: LaneName): void {
  // On Linux niceness belongs to a thread: with few cores a report waits for the chat, not the other way round.
  if (process.platform === 'linux' && lane === 'slow') setPriority(SLOW_NICENESS);
  const statementTimeoutMs = QUERY_WORKER_LIMITS.runMaxMs;
  const opening = openForReading(source, { cacheKiB: CACHE_KIB[lane], isMapped: true, statementTimeoutMs });
  let runningId: number | null = null;
  async function answer({ id, name, args, abandonedId }: QueryRequest): Promise<void> {
    const { orm } = await opening;
    runningId = id;
    const cpuBefore = process.threadCpuUsage();
    const cpuMs = (): number => {
      const { user, system } = process.threadCpuUsage(cpuBefore);
      return (user + system) / 1000;
    };
    try {
      const isAbandoned = (): boolean => Atomics.load(abandonedId, 0) === id;
      const value = await runUntilAbandoned(isAbandoned, () => runNamedQuery(queries, orm, name, args));
      parentPort?.postMessage({ id, value, cpuMs: cpuMs() } satisfies QueryResponse, transferableOf(value));
    } catch (caught) {
      const error = withoutParameters(caught);
      const code = errorCode(error);
      const described = { message: String(error), ...(code === undefined ? {} : { code }) };
      parentPort?.postMessage({ id, error: described } satisfies QueryResponse);
    } finally {
      runningId = null;
    }
  }
  /** The lane sends the next query after the answer of this one, so no other query can be meant. */
  async function endAbandoned({ abandoned }: QueryAbandoned): Promise<void> {
    const { endStatements } = await opening;
    if (abandoned === runningId) endStatements(new QueryRefusedError('the caller hung up'));
  }
  parentPort?.on('message', (message: QueryRequest | QueryAbandoned) => {
    void ('abandoned' in message ? endAbandoned(message) : answer(message));
  });
}

/** The bytes of an answer are handed over instead of copied, if nothing else is in their buffer. */
function transferableOf(value: unknown): ArrayBuffer[] {
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return [];
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
}
