import { join } from 'node:path';
import type { ServiceContext } from '#server/service-context.ts';
import { createWriteQueue } from '#server/db/write-queue.ts';
import { DataFolderError, toDatabaseError, openDataFolder } from '#server/db/data-folder/data-folder.ts';
import { openExpectedDatabase } from '#server/db/migrations/open-migrated.ts';
import { openDatabase, type DatabaseHandle } from '#server/db/open.ts';
import { compareSchemaVersion } from '#server/db/migrations/migrate.ts';
import { createAuditLog } from '#server/audit-log.ts';
import { programResources } from '#server/files/program-resources.ts';
import { isServerRunning } from './running-server.ts';

/** The part of the service context that commands need. */
export type CommandContext = Pick<ServiceContext, 'orm' | 'write' | 'audit' | 'now'>;

/** A running server commits in milliseconds, but a slow disk may take longer. */
const LOCK_WAIT_MAX_MS = 10_000;

/**
 * Opens the database, runs a function on it, and closes it. A running server keeps its lock. Without one, this process
 * locks the data folder and migrates the database, as at a start of the server.
 * @throws DataFolderError with the line to print
 */
export async function withCommandContext<T>(dataDir: string, run: (context: CommandContext) => Promise<T>): Promise<T> {
  const { database, release } = openCommandDatabase(dataDir);
  try {
    const now = Date.now;
    const write = createWriteQueue(database, undefined, LOCK_WAIT_MAX_MS);
    return await run({ orm: database.orm, write, audit: createAuditLog(now), now });
  } catch (error) {
    throw toDatabaseError(database.file, error);
  } finally {
    database.sqlite.close();
    release();
  }
}

function openCommandDatabase(dataDir: string): { database: DatabaseHandle; release: () => void } {
  const resources = programResources();
  if (isServerRunning(dataDir))
    return { database: openBesideServer(join(dataDir, 'pbb.sqlite')), release: () => undefined };
  const folder = openDataFolder(dataDir);
  try {
    return { database: openExpectedDatabase(folder, resources), release: folder.release };
  } catch (error) {
    folder.release();
    throw error;
  }
}

function openBesideServer(file: string): DatabaseHandle {
  try {
    const database = openDatabase(file);
    if (compareSchemaVersion(database.sqlite, programResources()) === 'same') return database;
    database.sqlite.close();
  } catch (error) {
    throw toDatabaseError(file, error);
  }
  throw new DataFolderError(
    'DATA_DIR: server yang sedang berjalan berbeda versi dengan program ini; yang diterima: program yang sama dengan server itu, atau hentikan server itu dulu',
  );
}
