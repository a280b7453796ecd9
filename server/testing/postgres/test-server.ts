import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { inject } from 'vitest';
import type { Connections } from '#server/db/postgres/connect.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testPostgres: string;
    /** The file of an empty database of SQLite after all migrations. */
    migratedDatabase: string;
  }
}

/** The PostgreSQL that the tests run on, as its starter tells it: postgres://user@host:port; empty: they run on SQLite. */
export const testServer = inject('testPostgres') ?? '';

export type SyncResult = { rows: unknown[][]; columns: string[]; changes: number };

type Shared = {
  port: MessagePort;
  /** The number of the last statement that was answered. */
  answered: Int32Array;
  statements: number;
  free: string[];
  made: number;
  pools: Map<string, Connections>;
  /** Rows deleted since the last vacuum. */
  deleted: Map<string, number>;
};

/** One for a worker of the tests: our modules are loaded anew for each file, and connections outlive them. */
const KEY = Symbol.for('pbb-kita test databases');
type Holder = typeof globalThis & { [KEY]?: () => Shared };

function startShared(): Shared {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('sync-worker.mjs', import.meta.url), {
    workerData: { port: port2, answered, server: testServer },
    transferList: [port2],
  });
  worker.unref();
  port1.unref();
  return { port: port1, answered, statements: 0, free: [], made: 0, pools: new Map(), deleted: new Map() };
}

/** The databases of this worker of the tests. */
export function shared(): Shared {
  const holder = globalThis as Holder;
  if (!holder[KEY]) {
    const started = startShared();
    holder[KEY] = () => started;
  }
  return holder[KEY]();
}

/** Runs a statement while this thread waits. @throws errors of PostgreSQL */
export function runSync(database: string, text: string, values?: readonly unknown[]): SyncResult {
  const databases = shared();
  const { port, answered } = databases;
  const number = (databases.statements += 1);
  port.postMessage({ database, text, values, number });
  // The other thread may wake this one late, for the statement before.
  while (Atomics.load(answered, 0) !== number) {
    if (Atomics.wait(answered, 0, number - 1, 60_000) === 'timed-out')
      throw new Error('the test database did not answer');
  }
  const answer = receiveMessageOnPort(port)?.message as SyncResult & { error?: { message: string; code?: string } };
  if (answer.error) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  return answer;
}
