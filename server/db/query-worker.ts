import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { errorCode } from '#server/files/atomic.ts';
import { type Connection, openReadOnly } from './open.ts';

/** Named queries, each a pure function of the database and arguments that can be cloned between threads. */
// The arguments differ from query to query; each caller is checked against its own query's type in Reader.run.
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

/** Runs the queries where it is called: for databases in memory, which no second thread can see. */
export function createInlineQueryWorker<R extends NamedQueries>(queries: R, orm: Connection): QueryWorker<R> {
  return {
    run: async (name, args) => runNamedQuery(queries, orm, name, args) as never,
    close: async () => {},
  };
}

/**
 * Runs the queries in a worker thread with a read-only connection of its own, so that a long one delays nobody's chat.
 * A worker that dies fails what it was asked and is replaced at the next question.
 * @param startWorker starts a thread that calls `serveReads`
 */
export function createQueryWorker<R extends NamedQueries>(startWorker: () => Worker): QueryWorker<R> {
  let current: { worker: Worker; waiting: Map<number, PendingQuery> } | null = null;
  let lastId = 0;

  function launchWorker() {
    const worker = startWorker();
    // Each worker has its own questions: the late 'exit' of one that died must not fail those of its successor.
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
        // Throws for arguments that cannot be cloned; only what was really asked is waited for.
        current.worker.postMessage({ id: lastId, name, args } satisfies QueryRequest);
        current.waiting.set(lastId, { resolve, reject });
      }),
    close: async () => {
      await current?.worker.terminate();
    },
  };
}

/** The worker's side: answers questions one after the other. */
export function serveQueries(queries: NamedQueries, databaseFile: string): void {
  // Linux counts niceness by thread: where cores are few, a report waits for the chat and not the chat for a report.
  if (process.platform === 'linux') setPriority(NICENESS);
  const { orm } = openReadOnly(databaseFile);
  const respond = (reply: QueryResponse): void => parentPort?.postMessage(reply);
  parentPort?.on('message', ({ id, name, args }: QueryRequest) => {
    try {
      respond({ id, value: runNamedQuery(queries, orm, name, args) });
    } catch (error) {
      const code = sqliteCodeOf(error);
      respond({ id, error: { message: String(error), ...(code === undefined ? {} : { code }) } });
    }
  });
}

/** SQLite's own code, also from inside what Drizzle wraps around an error. */
function sqliteCodeOf(error: unknown): string | undefined {
  return errorCode(error) ?? (error instanceof Error ? sqliteCodeOf(error.cause) : undefined);
}
