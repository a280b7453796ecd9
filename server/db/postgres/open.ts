import type { Pool } from 'pg';
import type { Checkpoints } from '../checkpoints.ts';
import type { Database } from '../database.ts';
import { createPostgresEngine, createReads } from './engine.ts';

/** PostgreSQL writes its log by itself. */
const noCheckpoints: Checkpoints = {
  committed: () => {},
  eraseDeleted: async () => {},
  setGuard: () => {},
};

/** The database of a server on PostgreSQL. The caller ends the pool. */
export function openPostgres(pool: Pool): Database {
  const reads = createReads(pool);
  const { read: orm } = reads;
  const readSize = async (): Promise<number> =>
    (await orm.value<number>('select pg_database_size(current_database())')) ?? 0;
  return {
    orm,
    createEngine: (observer) => createPostgresEngine(pool, reads, observer),
    createCheckpoints: () => noCheckpoints,
    readMarks: () => null,
    readVersion: () => null,
    readSize,
    readDiskUse: readSize,
    countMessagesEver: async () =>
      (await orm.value<number>(
        "select coalesce(pg_sequence_last_value(pg_get_serial_sequence('messages', 'id')), 0)",
      )) ?? 0,
  };
}
