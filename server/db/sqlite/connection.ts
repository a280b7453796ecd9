import {
  databaseOf,
  type Engine,
  type Opened,
  registerOpened,
  type Statements,
  withoutParameters,
  type Work,
} from '../engine.ts';
import type { Sqlite } from './connect.ts';
import { createStatements, prepareStatements } from './statements.ts';

/** One connection of SQLite, which transactions and reads use in turns. */
export type SharedConnection = Pick<Engine, 'read' | 'snapshot'> & {
  /** Holds the connection while `work` begins a transaction, runs its parts by `runPart`, and ends it; all others wait. */
  transact: <T>(work: (runPart: RunPart) => Promise<T>) => Promise<T>;
};

/** @throws ForeignWaitError when the part waits for anything but its own statements */
export type RunPart = <T>(part: Work<T>) => Promise<T>;

/**
 * SQLite answers at once, so a transaction ends within one turn of the event loop, although its parts are asynchronous. One that
 * waits for something else would hold the connection, and everybody with it.
 */
export class ForeignWaitError extends Error {
  override name = 'ForeignWaitError';
  constructor() {
    super('a change waited for something else than the database');
  }
}

/** @returns the connection behind statements, for what only SQLite has */
export const sqliteOf = (statements: Statements): Sqlite => databaseOf(statements) as Sqlite;

/** One connection, on which one transaction runs at a time. Reads outside of it wait until it has ended. */
export function shareConnection(sqlite: Sqlite): SharedConnection {
  const prepared = prepareStatements(sqlite);
  let running: Promise<void> | null = null;

  /** Statements outside or inside of a transaction; they work until they are ended. */
  function createHandle<IsTransaction extends boolean>(isInTransaction: IsTransaction) {
    let hasEnded = false;
    const statements = createStatements(sqlite, prepared, () => {
      if (hasEnded) throw new Error('the transaction of this statement has ended');
      return isInTransaction ? null : running;
    });
    const handle = Object.assign(statements, { isTransaction: isInTransaction });
    registerOpened(handle, opened);
    return { handle, end: () => (hasEnded = true) };
  }

  /** Made once, because making one costs more than most changes, and anew after a part that may still use it. */
  let inside: ReturnType<typeof createHandle<true>> | null = null;

  function runPart<T>(part: Work<T>): Promise<T> {
    inside ??= createHandle(true);
    const { handle, end } = inside;
    return new Promise<T>((resolve, reject) => {
      const guard = setImmediate(() => {
        end();
        inside = null;
        reject(new ForeignWaitError());
      });
      (async () => part(handle))()
        .finally(() => clearImmediate(guard))
        .then(resolve, (error: unknown) => reject(withoutParameters(error)));
    });
  }

  async function transact<T>(work: (run: RunPart) => Promise<T>): Promise<T> {
    for (let before = running; before; before = running) await before;
    let end = (): void => {};
    running = new Promise((resolve) => {
      end = resolve;
    });
    try {
      return await work(runPart);
    } finally {
      running = null;
      end();
    }
  }

  function snapshot<T>(read: Work<T>): Promise<T> {
    return transact(async (run) => {
      prepared.objects('begin').run();
      try {
        return await run(read);
      } finally {
        if (sqlite.inTransaction) prepared.objects('commit').run();
      }
    });
  }

  const opened: Opened = { engine: 'sqlite', database: sqlite, snapshot };
  return { read: createHandle(false).handle, transact, snapshot };
}
