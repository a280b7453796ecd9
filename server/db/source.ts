import type { Connection } from './engine.ts';
import { openMapped, openReadOnly } from './sqlite/open.ts';
import type { PostgresAddress } from './postgres/address.ts';

/** The place of the database: a file of SQLite, or an address of PostgreSQL. It can be handed to a thread. */
export type DatabaseSource = { file: string } | { address: PostgresAddress };

type ReadOptions = {
  /** Memory for pages of the file. */
  cacheKiB: number;
  /** Whether the file is mapped into memory, for reads in no order. */
  isMapped?: boolean;
  /** After this time PostgreSQL ends a statement; SQLite ends with its thread. */
  statementTimeoutMs?: number;
};

type OpenedForReading = {
  orm: Connection;
  /** Ends the statements that run, with this error; SQLite has none while its thread can call this. */
  endStatements: (reason: Error) => void;
  close: () => Promise<void>;
};

/** Opens a database a second time, to read from it in another thread. */
export async function openForReading(
  source: DatabaseSource,
  { cacheKiB, isMapped = false, statementTimeoutMs }: ReadOptions,
): Promise<OpenedForReading> {
  if ('file' in source) {
    const { orm, sqlite } = isMapped ? openMapped(source.file, cacheKiB) : openReadOnly(source.file, cacheKiB);
    return { orm, endStatements: () => undefined, close: async () => void sqlite.close() };
  }
  // A file needs none of their code.
  const [{ connectHosts }, { openPostgres }] = await Promise.all([
    import('./postgres/connect.ts'),
    import('./postgres/open.ts'),
  ]);
  const limits = { max: 1, ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }) };
  const connections = connectHosts(source.address, limits);
  const { endStatements, end } = connections;
  return { orm: openPostgres(connections).orm, endStatements, close: end };
}
