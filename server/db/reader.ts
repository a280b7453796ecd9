import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { openReadOnly, type Orm } from './open.ts';

/** Named queries, each a pure function of the database and arguments that can be cloned between threads. */
// The arguments differ from query to query; each caller is checked against its own query's type in Reader.run.
export type Reads = Record<string, (orm: Orm, args: never) => unknown>;

export type Reader<R extends Reads> = {
  run: <K extends keyof R & string>(name: K, args: Parameters<R[K]>[1]) => Promise<ReturnType<R[K]>>;
  close: () => Promise<void>;
};

type Question = { id: number; name: string; args: unknown };
type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void };
type Reply = { id: number; value: unknown } | { id: number; fault: { message: string; code?: string } };

const NICENESS = 10;

function runNamed(reads: Reads, orm: Orm, name: string, args: unknown): unknown {
  const query = reads[name];
  if (!query) throw new Error(`no heavy read named ${name}`);
  return query(orm, args as never);
}

/** Runs the queries where it is called: for databases in memory, which no second thread can see. */
export function inlineReader<R extends Reads>(reads: R, orm: Orm): Reader<R> {
  return {
    run: async (name, args) => runNamed(reads, orm, name, args) as never,
    close: async () => {},
  };
}

/**
 * Runs the queries in a worker thread with a read-only connection of its own, so that a long one delays nobody's chat.
 * A worker that dies fails what it was asked and is replaced at the next question.
 * @param startWorker starts a thread that calls `serveReads`
 */
export function workerReader<R extends Reads>(startWorker: () => Worker): Reader<R> {
  let current: { worker: Worker; waiting: Map<number, Waiting> } | null = null;
  let lastId = 0;

  function start() {
    const worker = startWorker();
    // Each worker has its own questions: the late 'exit' of one that died must not fail those of its successor.
    const waiting = new Map<number, Waiting>();
    const started = { worker, waiting };
    const end = (error: Error): void => {
      if (current === started) current = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.unref();
    worker.on('message', (reply: Reply) => {
      const question = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('fault' in reply) {
        question?.reject(Object.assign(new Error(reply.fault.message), { code: reply.fault.code }));
      } else question?.resolve(reply.value as never);
    });
    worker.on('error', end);
    worker.on('messageerror', end);
    worker.on('exit', () => end(new Error('the reading worker ended')));
    return started;
  }

  return {
    run: (name, args) =>
      new Promise((resolve, reject) => {
        current ??= start();
        lastId += 1;
        // Throws for arguments that cannot be cloned; only what was really asked is waited for.
        current.worker.postMessage({ id: lastId, name, args } satisfies Question);
        current.waiting.set(lastId, { resolve, reject });
      }),
    close: async () => {
      await current?.worker.terminate();
    },
  };
}

/** The worker's side: answers questions one after the other. */
export function serveReads(reads: Reads, databaseFile: string): void {
  // Linux counts niceness by thread: where cores are few, a report waits for the chat and not the chat for a report.
  if (process.platform === 'linux') setPriority(NICENESS);
  const { orm } = openReadOnly(databaseFile);
  const answer = (reply: Reply): void => parentPort?.postMessage(reply);
  parentPort?.on('message', ({ id, name, args }: Question) => {
    try {
      answer({ id, value: runNamed(reads, orm, name, args) });
    } catch (error) {
      const code = codeOf(error);
      answer({ id, fault: { message: String(error), ...(code === undefined ? {} : { code }) } });
    }
  });
}

/** SQLite's own code, also from inside what Drizzle wraps around an error. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
