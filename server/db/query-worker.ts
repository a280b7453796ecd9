import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { errorCode } from '#server/files/atomic.ts';
import { type Connection, openReadOnly } from './open.ts';

/** Named queries: pure functions of the database and of arguments that can be cloned between threads. */
// Each query has other arguments. `QueryWorker.run` checks them against the type of the named query.
export type NamedQueries = Record<string, (orm: Connection, args: never) => unknown>;

export type QueryWorker<R extends NamedQueries> = {
  run: <K extends keyof R & string>(name: K, args: Parameters<R[K]>[1]) => Promise<ReturnType<R[K]>>;
  close: () => Promise<void>;
};

type QueryRequest = { id: number; name: string; args: unknown };
type PendingQuery = { resolve: (value: never) => void; reject: (error: Error) => void };
type QueryResponse = { id: number; value: unknown } | { id: number; error: { message: string; code?: string } };

const NICENESS = 10;

function runNamedQuery(queries: NamedQueries, orm: Connection, name: string, args: unknown): unknown {
  const query = queries[name];
  if (!query) throw new Error(`no heavy read named ${name}`);
  return query(orm, args as never);
}

/** Runs the queries in the calling thread: for databases in memory, which other threads cannot open. */
export function createInlineQueryWorker<R extends NamedQueries>(queries: R, orm: Connection): QueryWorker<R> {
  return {
    run: async (name, args) => runNamedQuery(queries, orm, name, args) as never,
    close: async () => {},
  };
}

/**
 * Runs the queries in a worker thread with its own read-only connection, so that a long query does not delay the chat.
 * When the worker dies, its pending queries fail and the next query starts another worker.
 * @param startWorker starts a thread that calls `serveQueries`
 */
export function createQueryWorker<R extends NamedQueries>(startWorker: () => Worker): QueryWorker<R> {
  let current: { worker: Worker; waiting: Map<number, PendingQuery> } | null = null;
  let lastId = 0;

  function launchWorker() {
    const worker = startWorker();
    // Each worker has its own pending queries: its late 'exit' must not fail the queries of its successor.
    const pending = new Map<number, PendingQuery>();
    const started = { worker, waiting: pending };
    const failPending = (error: Error): void => {
      if (current === started) current = null;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    worker.unref();
    worker.on('message', (reply: QueryResponse) => {
      const request = pending.get(reply.id);
      pending.delete(reply.id);
      if ('error' in reply) {
        request?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
      } else request?.resolve(reply.value as never);
    });
    worker.on('error', failPending);
    worker.on('messageerror', failPending);
    worker.on('exit', () => failPending(new Error('the reading worker ended')));
    return started;
  }

  return {
    run: (name, args) =>
      new Promise((resolve, reject) => {
        current ??= launchWorker();
        lastId += 1;
        // This throws for arguments that cannot be cloned, so the query is not registered before.
        current.worker.postMessage({ id: lastId, name, args } satisfies QueryRequest);
        current.waiting.set(lastId, { resolve, reject });
      }),
    close: async () => {
      await current?.worker.terminate();
    },
  };
}

/** Runs inside the worker: answers the queries one after the other. */
export function serveQueries(queries: NamedQueries, databaseFile: string): void {
  // On Linux niceness belongs to a thread: with few cores a report waits for the chat, not the other way round.
  if (process.platform === 'linux') setPriority(NICENESS);
  const { orm } = openReadOnly(databaseFile);
  const respond = (response: QueryResponse): void => parentPort?.postMessage(response);
  parentPort?.on('message', ({ id, name, args }: QueryRequest) => {
    try {
      respond({ id, value: runNamedQuery(queries, orm, name, args) });
    } catch (error) {
      const code = sqliteCodeOf(error);
      respond({ id, error: { message: String(error), ...(code === undefined ? {} : { code }) } });
    }
  });
}

/** The error code of SQLite, also of an error that Drizzle has wrapped. */
function sqliteCodeOf(error: unknown): string | undefined {
  return errorCode(error) ?? (error instanceof Error ? sqliteCodeOf(error.cause) : undefined);
}
