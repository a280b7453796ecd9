import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceContext } from '#server/service-context.ts';
import { createWriteQueue } from '#server/db/sqlite/write-queue.ts';
import {
  type DataFolder,
  DataFolderError,
  DataFolderInUseError,
  openDataFolder,
  toDatabaseError,
} from '#server/db/data-folder/data-folder.ts';
import { openExpectedDatabase } from '#server/db/migrations/open-migrated.ts';
import { openDatabase, type DatabaseHandle } from '#server/db/sqlite/open.ts';
import { compareSchemaVersion } from '#server/db/migrations/migrate.ts';
import { createAuditLog } from '#server/audit/audit-log.ts';
import { tellProcesses } from '#server/process/processes.ts';
import { SESSIONS_ENDED } from '#server/realtime/session-watch.ts';
import type { PostgresAddress } from '#server/db/postgres/address.ts';
import type { Settings } from '#server/settings.ts';
import { programResources } from '#server/files/program-resources.ts';
import { isServerRunning } from './running-server.ts';

/** The part of the service context that commands need. */
export type CommandContext = Pick<ServiceContext, 'orm' | 'write' | 'audit' | 'now'>;

/** A running server commits in milliseconds, but a slow disk may take longer. */
const LOCK_WAIT_MAX_MS = 10_000;
/** A command waits so long for another one that has locked the data folder. */
const FOLDER_WAIT_MAX_MS = 10_000;
const FOLDER_RETRY_MS = 50;

/** The office that a command is for. */
export type CommandOffice = Pick<Settings, 'dataDir' | 'postgres'>;

/**
 * Opens the database, runs a function on it, and closes it. A running server keeps its lock. Without one, this process
 * locks the data folder and migrates the database, as at a start of the server.
 * @throws DataFolderError, DatabaseAddressError with the line to print
 */
export async function withCommandContext<T>(
  { dataDir, postgres }: CommandOffice,
  run: (context: CommandContext) => Promise<T>,
): Promise<T> {
  if (postgres) return withPostgres(postgres.address, run);
  const { database, release } = await openCommandDatabase(dataDir);
  try {
    const now = Date.now;
    const { write } = createWriteQueue(database, undefined, LOCK_WAIT_MAX_MS);
    return await run({ orm: database.orm, write, audit: createAuditLog(now), now });
  } catch (error) {
    throw toDatabaseError(database.file, error);
  } finally {
    database.sqlite.close();
    release();
  }
}

async function withPostgres<T>(address: PostgresAddress, run: (context: CommandContext) => Promise<T>): Promise<T> {
  const { openMigratedAddress } = await import('#server/db/postgres/open-address.ts');
  const { database, connections } = await openMigratedAddress(address, programResources());
  try {
    const now = Date.now;
    const { read: orm, write } = database.createEngine();
    const result = await run({ orm, write, audit: createAuditLog(now), now });
    await tellServers(address);
    return result;
  } finally {
    await connections.end();
  }
}

/** Lets the servers look at their sessions: on a file they see by themselves that another process has written. */
async function tellServers(address: PostgresAddress): Promise<void> {
  const { openBus } = await import('#server/db/postgres/bus.ts');
  await tellProcesses((listener) => openBus(address, listener), SESSIONS_ENDED, null);
}

async function openCommandDatabase(dataDir: string): Promise<{ database: DatabaseHandle; release: () => void }> {
  const opened = await openServerOrFolder(dataDir);
  if (!('databaseFile' in opened)) return { database: opened, release: () => undefined };
  try {
    return { database: openExpectedDatabase(opened, programResources()), release: opened.release };
  } catch (error) {
    opened.release();
    throw error;
  }
}

/**
 * Commands that start at the same moment come one after the other.
 * @returns the database of a running server, or the locked data folder
 */
async function openServerOrFolder(dataDir: string): Promise<DatabaseHandle | DataFolder> {
  for (const deadlineMs = Date.now() + FOLDER_WAIT_MAX_MS; ;) {
    try {
      return isServerRunning(dataDir) ? openBesideServer(join(dataDir, 'pbb.sqlite')) : openDataFolder(dataDir);
    } catch (error) {
      if (!(error instanceof DataFolderInUseError) || Date.now() >= deadlineMs) throw error;
      await delay(FOLDER_RETRY_MS);
    }
  }
}

function openBesideServer(file: string): DatabaseHandle {
  try {
    const database = openDatabase(file);
    // SQLite would write a long log into the database file after a commit, past the server's gate for checkpoints.
    database.sqlite.pragma('wal_autocheckpoint = 0');
    if (compareSchemaVersion(database.sqlite, programResources()) === 'same') return database;
    database.sqlite.close();
  } catch (error) {
    throw toDatabaseError(file, error);
  }
  throw new DataFolderError(
    'DATA_DIR: server yang sedang berjalan berbeda versi dengan program ini; yang diterima: program yang sama dengan server itu, atau hentikan server itu dulu',
  );
}
