import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFolder, loadSecret, requireWritable } from '#server/db/data-folder/data-folder.ts';
import { isMoved } from '#server/db/data-folder/moved-folder.ts';
import type { Database } from '#server/db/database.ts';
import { rewriteOnce } from '#server/db/sqlite/deleted-texts.ts';
import { openExpectedDatabase } from '#server/db/migrations/open-migrated.ts';
import { describeAddress } from '#server/db/postgres/address.ts';
import { isLost } from '#server/db/postgres/lost.ts';
import type { DatabaseSource } from '#server/db/source.ts';
import { type DiskSpace, watchDiskSpace } from '#server/files/disk-space.ts';
import type { Resources } from '#server/files/resources.ts';
import { outsideStatusFile } from '#server/operations/backups/outside-backups.ts';
import { markProcess } from '#server/operations/installation/process-mark.ts';
import type { OpenBus } from '#server/process/processes.ts';
import type { Settings } from '#server/settings.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { printLine } from '../terminal/command.ts';

/** The database and the files of an office, on either engine. */
export type Office = {
  database: Database;
  source: DatabaseSource;
  secret: string;
  proofsDir: string;
  /** The folder of files of an office on PostgreSQL may be a share; null: it is beside the database. */
  share: { hasFiles: () => Promise<boolean>; readDiskSpace: () => DiskSpace | null } | null;
  /** The file in which the operator's own backup says how it ended; null: the server makes the backups. */
  outsideBackups: string | null;
  /** Null where the server is alone. */
  openBus: OpenBus | null;
  close: () => Promise<void>;
};

/** @throws DataFolderError with the line to show */
function openFile(folder: DataFolder, settings: Settings, resources: Resources): Office {
  // The secret comes later: a folder with a secret and without a database has lost its database.
  const database = openExpectedDatabase(folder, resources);
  // A refused start prints one line only, so this comes after it.
  printLine(`Data disimpan di ${settings.dataDir}`);
  if (rewriteOnce(database) === true) printLine('Sisa data yang dihapus di versi lama dibersihkan dari database.');
  return {
    database,
    source: { file: folder.databaseFile },
    secret: settings.jwtSecret ?? loadSecret(settings.dataDir),
    proofsDir: folder.proofsDir,
    share: null,
    outsideBackups: null,
    openBus: null,
    close: async () => void database.sqlite.close(),
  };
}

/** @throws DatabaseAddressError with the line to show */
async function openPostgresOffice(
  folder: DataFolder,
  { postgres, dataDir, filesDir, jwtSecret }: Settings & { postgres: NonNullable<Settings['postgres']> },
  resources: Resources,
): Promise<Office> {
  if (existsSync(folder.databaseFile) && !isMoved(dataDir))
    throw new CommandError(
      `DATABASE_URL: di folder "${dataDir}" ada database kantor ini; yang diterima: folder data tanpa pbb.sqlite, kantor ini dipindahkan dengan perintah "pindah --ke", atau DATABASE_URL kosong`,
    );
  const files = filesDir ?? dataDir;
  const proofsDir = join(files, 'proofs');
  const setting = filesDir === null ? 'DATA_DIR' : 'FILES_DIR';
  requireWritable(files, [files], setting);
  const { address, pool } = postgres;
  const { openAddress, unreachableError } = await import('#server/db/postgres/open-address.ts');
  const { openBus } = await import('#server/db/postgres/bus.ts');
  const onWait = (): void => printLine(`Menunggu PostgreSQL di ${describeAddress(address)}…`);
  const { createFilesLook, requireOwnFiles } = await import('#server/db/postgres/office-files.ts');
  const { database, connections } = await openAddress(address, { pool, resources, onWait });
  let id: string;
  try {
    const client = await connections.writer();
    id = await requireOwnFiles(client, { folder: files, proofsDir, setting }).finally(() => client.release());
    // Not before: a folder of photos where the shared one is not mounted would look like an empty office.
    requireWritable(files, [proofsDir], setting);
  } catch (error) {
    await connections.end();
    throw isLost(error) ? unreachableError(address) : error;
  }
  printLine(`Data disimpan di PostgreSQL, ${describeAddress(address)}`);
  const mark = markProcess(files, dataDir);
  return {
    database,
    source: { address },
    // The settings are refused without one.
    secret: jwtSecret ?? '',
    proofsDir,
    share: { hasFiles: createFilesLook(proofsDir, id), readDiskSpace: watchDiskSpace(files) },
    outsideBackups: outsideStatusFile(files),
    openBus: (listener) => openBus(address, listener, mark),
    close: connections.end,
  };
}

/** Opens the database that the settings name, and brings it to the version of this program. */
export async function openOffice(folder: DataFolder, settings: Settings, resources: Resources): Promise<Office> {
  const { postgres } = settings;
  return postgres
    ? openPostgresOffice(folder, { ...settings, postgres }, resources)
    : openFile(folder, settings, resources);
}
