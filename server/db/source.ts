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

/** Opens a database a second time, to read from it in another thread. */
export async function openForReading(
  source: DatabaseSource,
  { cacheKiB, isMapped = false, statementTimeoutMs }: ReadOptions,
): Promise<{ orm: Connection; close: () => Promise<void> }> {
  if ('file' in source) {
    const { orm, sqlite } = isMapped ? openMapped(source.file, cacheKiB) : openReadOnly(source.file, cacheKiB);
    return { orm, close: async () => void sqlite.close() };
  }
  // A file needs none of their code.
  const [{ connectHosts }, { openPostgres }] = await Promise.all([
    import('./postgres/connect.ts'),
    import('./postgres/open.ts'),
  ]);
  const limits = { max: 1, ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }) };
  const connections = connectHosts(source.address, limits);
  return { orm: openPostgres(connections).orm, close: connections.end };
}
