import { join } from 'node:path';
import type { Context } from '#server/context.ts';
import { createCommit } from '#server/db/commit.ts';
import { DataFolderError, databaseFault, openDataFolder } from '#server/db/data-folder.ts';
import { openMigrated } from '#server/db/open-migrated.ts';
import { openDatabase, type DatabaseHandle } from '#server/db/open.ts';
import { schemaAge } from '#server/db/schema-age.ts';
import { createAudit } from '#server/features/audit/audit.ts';
import { programResources } from '#server/files/program-resources.ts';
import { isServerRunning } from './running-server.ts';

/** What a command does to an office stands on this much of a server. */
export type Office = Pick<Context, 'orm' | 'commit' | 'audit' | 'now'>;

/** A running server commits in milliseconds, but a slow disk may take its time. */
const BUSY_MS = 10_000;

/**
 * Opens the office's database, runs something on it, and closes it. Where a server runs, beside it; where none does,
 * the folder is taken for this process alone and its database brought up to date, as at a start.
 * @throws DataFolderError with the line to show
 */
export async function withOffice<T>(dataDir: string, run: (office: Office) => Promise<T>): Promise<T> {
  const { database, release } = open(dataDir);
  try {
    database.sqlite.pragma(`busy_timeout = ${BUSY_MS}`);
    const now = Date.now;
    return await run({ orm: database.orm, commit: createCommit(database), audit: createAudit(now), now });
  } catch (error) {
    throw databaseFault(database.file, error);
  } finally {
    database.sqlite.close();
    release();
  }
}

function open(dataDir: string): { database: DatabaseHandle; release: () => void } {
  const resources = programResources();
  if (isServerRunning(dataDir)) return { database: openBeside(join(dataDir, 'pbb.sqlite')), release: () => undefined };
  const folder = openDataFolder(dataDir);
  try {
    return { database: openMigrated(folder, resources), release: folder.release };
  } catch (error) {
    folder.release();
    throw error;
  }
}

function openBeside(file: string): DatabaseHandle {
  try {
    const database = openDatabase(file);
    if (schemaAge(database.sqlite, programResources()) === 'same') return database;
    database.sqlite.close();
  } catch (error) {
    throw databaseFault(file, error);
  }
  throw new DataFolderError(
    'DATA_DIR: server yang sedang berjalan berbeda versi dengan program ini; yang diterima: program yang sama dengan server itu, atau hentikan server itu dulu',
  );
}
