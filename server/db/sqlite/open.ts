import { existsSync } from 'node:fs';
import { STOP_FUNCTION, stopIfAbandoned } from '../abandoned-query.ts';
import { connect, type Sqlite } from './connect.ts';
import { createCheckpoints } from './checkpoints.ts';
import type { Database } from '../database.ts';
import { countMessagesEverStored, databaseSizeBytes, diskUseBytes, readDatabaseMarks } from './database-metrics.ts';
import { shareConnection, type SharedConnection } from './connection.ts';
import { createEngine } from './write-queue.ts';

export type DatabaseHandle = Database & { sqlite: Sqlite; connection: SharedConnection; file: string };

function handleOf(sqlite: Sqlite, file: string): DatabaseHandle {
  sqlite.function(STOP_FUNCTION, () => {
    stopIfAbandoned();
    return 1;
  });
  const connection = shareConnection(sqlite);
  const handle: DatabaseHandle = {
    sqlite,
    orm: connection.read,
    connection,
    file,
    createEngine: (observer) => createEngine(handle, observer),
    createCheckpoints: (failed) => createCheckpoints(handle, failed),
    takesWrites: async () => sqlite.open && !sqlite.readonly,
    readMarks: () => readDatabaseMarks(sqlite),
    readVersion: () => sqlite.pragma('data_version', { simple: true }),
    readSize: async () => databaseSizeBytes(sqlite),
    readDiskUse: () => diskUseBytes(file),
    countMessagesEver: async () => countMessagesEverStored(sqlite),
    connectionsInUse: () => null,
    primaryHost: null,
    sharedTexts: null,
  };
  return handle;
}

/**
 * Opens the one read-write connection.
 * @param file path of the database, or ':memory:' in tests
 * @param sqlite tests give a copy of a migrated database in memory
 */
export function openDatabase(file: string, sqlite: Sqlite = connect(file)): DatabaseHandle {
  // In WAL mode the query worker never waits for a write, and a write never waits for the query worker.
  sqlite.pragma('journal_mode = WAL');
  // With WAL the default is NORMAL, which can lose the last commits in a power cut. An answer means: it is on the disk.
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  // Deleted content is overwritten with zeros; otherwise it would stay readable in the file. Measured: no slower.
  sqlite.pragma('secure_delete = ON');
  // Another program, such as a backup tool, may lock the file for a moment. After this time the caller gets a 503.
  sqlite.pragma('busy_timeout = 2000');
  sqlite.pragma('cache_size = -65536');
  sqlite.pragma('temp_store = MEMORY');
  return handleOf(sqlite, file);
}

/** A search reads tens of thousands of rows in no order: without a copy of each page it takes less than half of the time. */
const MAPPED_BYTES_MAX = 2 ** 31;

/** Opens a connection for the query worker. The file is mapped into memory; nothing makes it shorter while the server runs. */
export function openMapped(file: string, cacheKiB: number): DatabaseHandle {
  const database = openReadOnly(file, cacheKiB);
  database.sqlite.pragma(`mmap_size = ${MAPPED_BYTES_MAX}`);
  return database;
}

/** Opens a second connection that can only read, for the query worker and backups. */
export function openReadOnly(file: string, cacheKiB = 65_536): DatabaseHandle {
  const sqlite = connect(file, { readonly: true });
  sqlite.pragma('busy_timeout = 2000');
  sqlite.pragma(`cache_size = -${cacheKiB}`);
  sqlite.pragma('temp_store = MEMORY');
  return handleOf(sqlite, file);
}

/**
 * Opens a database for inspection, with or without a running server, and leaves the folder unchanged.
 *
 * A read-only connection to a database that is not open elsewhere would leave its own `-wal` and `-shm` files. A connection
 * that may write removes them. A write-ahead log left by a crash is only read, and the next start recovers it.
 */
export function openForInspection(file: string): DatabaseHandle {
  const sqlite = connect(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true });
  sqlite.pragma('query_only = ON');
  sqlite.pragma('busy_timeout = 10000');
  return handleOf(sqlite, file);
}
