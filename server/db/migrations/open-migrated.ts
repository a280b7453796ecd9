import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Resources } from '#server/files/resources.ts';
import { DataFolderError, toDatabaseError, type DataPaths } from '../data-folder/data-folder.ts';
import { requireExpectedDatabase } from '../data-folder/expected-database.ts';
import { markClean } from '../sqlite/deleted-texts.ts';
import { MigrationError, NewerDatabaseError } from './journal.ts';
import { migrate } from './migrate.ts';
import { openDatabase, type DatabaseHandle } from '../sqlite/open.ts';
import { createPreMigrationBackup } from './pre-migration-backup.ts';

type DatabasePaths = Pick<DataPaths, 'databaseFile' | 'backupsDir'>;

/**
 * Opens the database of a data folder, or founds one in an empty folder. The caller must hold the lock of the folder.
 * @throws DataFolderError also when the database does not belong to the rest of the folder
 */
export function openExpectedDatabase(paths: DatabasePaths, resources: Resources): DatabaseHandle {
  requireExpectedDatabase(dirname(paths.databaseFile));
  return openMigratedDatabase(paths, resources);
}

/**
 * Opens the database and brings it to the version of this program. The caller must hold the lock of the data folder.
 * @throws DataFolderError with the line to show; the data is unchanged, and no copy of it remains
 */
export function openMigratedDatabase(
  { databaseFile, backupsDir }: DatabasePaths,
  resources: Resources,
): DatabaseHandle {
  let database: DatabaseHandle | null = null;
  let copy: string | null = null;
  try {
    const isNew = !statSync(databaseFile, { throwIfNoEntry: false })?.size;
    const { sqlite } = (database = openDatabase(databaseFile));
    migrate(sqlite, resources, () => {
      copy = createPreMigrationBackup(sqlite, backupsDir);
    });
    if (isNew) markClean(sqlite);
    return database;
  } catch (error) {
    database?.sqlite.close();
    // The data is unchanged, so the copy is not needed. A service that restarts again and again would fill the disk.
    if (copy !== null) rmSync(copy, { force: true });
    throw toStartError(databaseFile, error);
  }
}

function toStartError(databaseFile: string, error: unknown): unknown {
  if (error instanceof NewerDatabaseError) {
    return new DataFolderError(`DATA_DIR: ${error.message}; yang diterima: versi program yang sama atau lebih baru`, {
      cause: error,
    });
  }
  if (!(error instanceof MigrationError)) return toDatabaseError(databaseFile, error);
  const databaseError = toDatabaseError(databaseFile, error.cause);
  if (databaseError instanceof DataFolderError) return databaseError;
  return new DataFolderError(
    `Database tidak dapat diperbarui ke versi ini; data lama tidak diubah. Pakai kembali program versi lama, dan kirimkan pesan ini: ${error.message}`,
    { cause: error },
  );
}
