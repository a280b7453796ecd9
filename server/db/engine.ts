import { DrizzleQueryError } from 'drizzle-orm';
import type { EngineName } from './dialect.ts';
import { createStatements, prepareStatements, type Sqlite, type Statements } from './statements.ts';

/** For reads outside of a change. They see what is committed. */
export type Connection = Statements & { readonly isTransaction: false };
/** For a change, or for a read of one snapshot; it ends with it. */
export type Transaction = Statements & { readonly isTransaction: true };
/** For queries that are run alone as well as inside a transaction. */
export type ConnectionOrTransaction = Statements;

/** A piece of work inside a transaction. It waits for nothing but its own statements. */
export type Work<T> = (tx: Transaction) => T | Promise<T>;

export type WriteOptions = {
  /**
   * False: the commit does not wait for the disk. A power cut may take the change, never one before it, until a later change
   * is on the disk. For steps that a start does again.
   */
  isDurable?: boolean;
};

/** All that the rest of the server knows of the database. */
export type Engine = {
  /** For reads outside of a change. */
  read: Connection;
  /** Runs a change in a transaction and resolves with its result after the commit is on the disk. */
  write: <T>(change: Work<T>, options?: WriteOptions) => Promise<T>;
  /** Runs several reads on the same snapshot, so that, for example, a total agrees with the rows beside it. */
  snapshot: <T>(read: Work<T>) => Promise<T>;
  /** Resolves when the callers of all changes of the last commit have gone on, as far as they wait for nothing but the database. */
  settled: () => Promise<void>;
};

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

/** `database`: one object for all handles of a database. */
type Opened = { engine: EngineName; database: object; snapshot: Engine['snapshot'] };
const openedBy = new WeakMap<Statements, Opened>();

/** Tells to which database the statements of a handle belong. */
export const registerOpened = (statements: Statements, opened: Opened): unknown => openedBy.set(statements, opened);

function openedOf(statements: Statements): Opened {
  const opened = openedBy.get(statements);
  if (!opened) throw new Error('statements of no engine');
  return opened;
}

/** @returns an object that is the same for all handles of one database, as a key for what is kept of it */
export const databaseOf = (statements: Statements): object => openedOf(statements).database;

/** Only `server/db/` asks it: everything else is written once. */
export const engineOf = (statements: Statements): EngineName => openedOf(statements).engine;

/** @returns the connection behind statements, for what only SQLite has */
export const sqliteOf = (statements: Statements): Sqlite => openedOf(statements).database as Sqlite;

/** Makes queries once for each handle, so that what they prepare is prepared once. */
export function perStatements<Q>(create: (statements: Statements) => Q): (statements: Statements) => Q {
  const made = new WeakMap<Statements, Q>();
  return (statements) => {
    const known = made.get(statements);
    if (known !== undefined) return known;
    const queries = create(statements);
    made.set(statements, queries);
    return queries;
  };
}

/** Runs several reads on the same snapshot: that of the transaction, or a new one. */
export async function readSnapshot<T>(connection: ConnectionOrTransaction, read: Work<T>): Promise<T> {
  return isTransaction(connection) ? read(connection) : openedOf(connection).snapshot(read);
}

const isTransaction = (statements: Statements): statements is Transaction =>
  'isTransaction' in statements && statements.isTransaction === true;

/** Drizzle's own error repeats the parameters of the statement, which may be secrets; the cause does not. */
export const withoutParameters = <E>(error: E): E | Error =>
  error instanceof DrizzleQueryError && error.cause ? error.cause : error;

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
    openedBy.set(handle, opened);
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
