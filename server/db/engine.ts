import { DrizzleQueryError, type SQL } from 'drizzle-orm';
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy';
import type { EngineName } from './dialect.ts';
import type * as schema from './schema.ts';

/** A statement with `?` for each parameter, or a template of Drizzle. The text of a statement is prepared once. */
export type Query = string | SQL;
export type Parameter = string | number | Uint8Array | null;
/** The number of rows that a statement changed. */
export type Change = { changes: number };

/** The builders of Drizzle. */
export type Builders = Pick<
  SqliteRemoteDatabase<typeof schema>,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>;

/** Runs statements: those that Drizzle builds, and texts for what runs often or what Drizzle does not know. */
export type Statements = Builders & {
  all: <R>(query: Query, ...parameters: Parameter[]) => Promise<R[]>;
  get: <R>(query: Query, ...parameters: Parameter[]) => Promise<R | undefined>;
  /** @returns the first column of each row */
  column: <V>(query: Query, ...parameters: Parameter[]) => Promise<V[]>;
  /** @returns the first column of the first row */
  value: <V>(query: Query, ...parameters: Parameter[]) => Promise<V | undefined>;
  /** @returns rows as arrays: cheaper than objects where there are thousands */
  tuples: <R extends readonly unknown[]>(query: Query, ...parameters: Parameter[]) => Promise<R[]>;
  /** Reads rows, as arrays, only as far as the caller goes on. Only for the query worker: it holds its connection. */
  iterate: <R extends readonly unknown[]>(query: Query, ...parameters: Parameter[]) => AsyncIterable<R>;
  run: (query: Query, ...parameters: Parameter[]) => Promise<Change>;
};

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

export type Write = Engine['write'];

/** `database`: one object for all handles of a database. */
export type Opened = { engine: EngineName; database: object; snapshot: Engine['snapshot'] };
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
