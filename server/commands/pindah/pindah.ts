import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataFolder,
  DataFolderError,
  DataFolderInUseError,
  dataPathsIn,
  openDataFolder,
} from '#server/db/data-folder/data-folder.ts';
import { requireExpectedDatabase } from '#server/db/data-folder/expected-database.ts';
import { forgetDatabaseMarks, readInstallationState } from '#server/db/data-folder/installation-state.ts';
import { forgetMove, isMoved, markMoved, markMoving } from '#server/db/data-folder/moved-folder.ts';
import { compareSchemaVersion } from '#server/db/migrations/migrate.ts';
import { type DatabaseHandle, openForInspection } from '#server/db/sqlite/open.ts';
import { UnknownEndError } from '#server/db/move/move.ts';
import { describeAddress, parsePostgresUrl, type PostgresAddress } from '#server/db/postgres/address.ts';
import { acmeFolder, MOVED_FILES, sharedName, writeAcmeFile } from '#server/operations/acme/acme-files.ts';
import { PUSH_KEYS } from '#server/features/push/vapid-keys.ts';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { textsInFolder } from '#server/files/named-texts.ts';
import { programName } from '#server/files/program-name.ts';
import { programResources } from '#server/files/program-resources.ts';
import { indexNewer } from '#server/messages/message-index-queries.ts';
import { runBackup } from '#server/operations/backups/backup-job.ts';
import { findForeignOwner } from '../data-folder/second-folder-owner.ts';
import type { Settings } from '#server/settings.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { printOutcome } from '../backup/backup-outcome.ts';
import { requireSettings } from '../data-folder/command-settings.ts';
import { requireExistingData } from '../data-folder/default-data-dir.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { type Command, parseOptions, printLine } from '../terminal/command.ts';
import { copyFiles } from './copy-files.ts';
import { explainMoveError } from './move-errors.ts';

/** Messages that one step of the search index takes. */
const INDEX_STEP_ROWS = 2000;
const REPORT_EVERY_ROWS = 100_000;
const LISTED_FILES_MAX = 5;

type Move = { address: PostgresAddress; settings: Settings; withFiles: boolean };

/**
 * Moves an office between its data folder and PostgreSQL (docs/requirements.md R-RUN-25). It asks nothing, and changes
 * nothing before all is checked.
 */
export const pindah: Command = async (args) => {
  const { values } = parseOptions(args, {
    ke: { type: 'string' },
    dari: { type: 'string' },
    'tanpa-berkas': { type: 'boolean' },
    data: { type: 'string' },
  });
  const { ke, dari, 'tanpa-berkas': leavesFiles = false } = values;
  const url = ke ?? dari;
  if (url === undefined || (ke !== undefined && dari !== undefined))
    throw new UsageError('Sesudah "pindah": --ke ALAMAT, atau --dari ALAMAT.');
  const option = ke === undefined ? '--dari' : '--ke';
  const address = parsePostgresUrl(url);
  // The text is not repeated: it may hold a password.
  if (!address)
    throw new CommandError(
      `${option}: alamat itu tidak dapat dipakai; yang diterima: postgres://nama:sandi@komputer:5432/database`,
    );
  const settings = requireSettings({ data: values.data, isMove: true });
  const move = { address, settings, withFiles: !leavesFiles };
  try {
    return await (ke === undefined ? moveFrom(move) : moveTo(move));
  } catch (error) {
    const { databaseFile } = dataPathsIn(settings.dataDir);
    throw await explainMoveError(error, { option, address, databaseFile });
  }
};

/** @throws CommandError while a server runs on the folder */
function openStoppedFolder(dataDir: string): DataFolder {
  try {
    return openDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    throw new CommandError(`Server masih berjalan dengan folder data "${dataDir}". Hentikan server dulu, lalu ulangi.`);
  }
}

/** @throws CommandError when the database is not of the version of this program */
function openSameVersion({ databaseFile }: DataFolder): DatabaseHandle {
  const database = openForInspection(databaseFile);
  const version = compareSchemaVersion(database.sqlite, programResources());
  if (version === 'same') return database;
  database.sqlite.close();
  throw new CommandError(
    version === 'newer'
      ? 'Folder data ini dari program yang lebih baru. Pakai program itu, atau yang lebih baru.'
      : 'Folder data ini dari program yang lebih lama. Jalankan server sekali dengan program ini, hentikan, lalu ulangi.',
  );
}

/** Prints a line for each table with rows, and one for each 100,000 rows of a large one. */
function createReport() {
  let printed = 0;
  return ({ table, rows, isDone }: { table: string; rows: number; isDone: boolean }): void => {
    const steps = Math.floor(rows / REPORT_EVERY_ROWS);
    if (isDone ? rows > 0 : steps > printed) printLine(`  ${table}: ${formatCount(rows)} baris${isDone ? '' : ' …'}`);
    printed = isDone ? 0 : steps;
  };
}

const formatCount = (count: number): string => new Intl.NumberFormat('id-ID').format(count);

/** The folder of PostgreSQL's side. */
const filesDirOf = ({ filesDir, dataDir }: Settings): string => filesDir ?? dataDir;

function tryToCopy(...[paths, options]: Parameters<typeof copyFiles>): string[] {
  try {
    return copyFiles(paths, options);
  } catch (error) {
    throw new CommandError(
      `Menyalin ke "${options.to}" gagal (${errorCodeOrText(error)}). Tidak ada yang dipindahkan.`,
      { cause: error },
    );
  }
}

/** Copies files, or looks for them where they stay. Those that are missing are a warning. */
function copyAndTell(paths: readonly string[], from: string, to: string): void {
  if (from !== to) printLine(`Menyalin foto dan dokumen ke ${to} …`);
  const report = (count: number): void =>
    printLine(`  ${formatCount(count)} dari ${formatCount(paths.length)} berkas …`);
  const missing = tryToCopy(paths, { from, to, report });
  if (from !== to) printLine(`  ${formatCount(paths.length - missing.length)} berkas`);
  if (missing.length === 0) return;
  const listed = missing.slice(0, LISTED_FILES_MAX).join(', ');
  const more = missing.length > LISTED_FILES_MAX ? ', …' : '';
  process.stderr.write(
    `PERINGATAN: ${missing.length} foto atau dokumen tidak ada di ${from}, jadi tidak ikut: ${listed}${more}\n`,
  );
}

async function makeBackup({ dataDir, timeZone, backup: { keep, secondDir } }: Settings, folder: DataFolder) {
  printLine('Mencadangkan …');
  const outcome = await runBackup(
    {
      ...folder,
      dataDir,
      kind: 'manual',
      nowMs: Date.now(),
      timeZone,
      keep,
      secondDir,
      toDir: null,
      isThrottled: false,
    },
    { findForeignOwner },
  );
  printOutcome(outcome, secondDir);
}

/** @throws CommandError when the disk refuses the mark; nothing has moved */
function requireMark(...[dataDir, to, date]: Parameters<typeof markMoving>): void {
  try {
    markMoving(dataDir, to, date);
  } catch (error) {
    throw new CommandError(
      `Folder "${dataDir}" tidak dapat ditandai (${errorCodeOrText(error)}). Tidak ada yang dipindahkan.`,
      { cause: error },
    );
  }
}

/** Tokens are signed with it; the secret itself is never printed. */
function adviseSecret({ dataDir, jwtSecret }: Settings): string {
  if (jwtSecret !== null) return 'Pakai JWT_SECRET yang sama, agar semua tetap masuk.';
  const file = join(dataDir, 'secret');
  return existsSync(file)
    ? `Isi JWT_SECRET dengan satu-satunya baris di berkas "${file}", agar semua tetap masuk.`
    : 'Isi JWT_SECRET dengan paling sedikit 32 karakter acak.';
}

async function moveTo({ address, settings, withFiles }: Move): Promise<number> {
  const { dataDir, timeZone } = settings;
  requireExistingData(dataDir);
  const date = todayIn(timeZone, Date.now());
  const { connectForMove, prepareTarget, requireAlone } = await import('#server/db/move/postgres-side.ts');
  const { markArrived } = await import('#server/db/postgres/moved-office.ts');
  const { storeSharedText } = await import('#server/db/postgres/shared-texts.ts');
  const { moveToPostgres } = await import('#server/db/move/to-postgres.ts');
  const { listMovedFiles } = await import('#server/db/move/moved-files.ts');
  const folder = openStoppedFolder(dataDir);
  try {
    // Checked again, because this process has locked the folder only now.
    requireExpectedDatabase(dataDir);
    const { sqlite } = openSameVersion(folder);
    try {
      const { client, end } = await connectForMove(address);
      try {
        await prepareTarget(client, address, programResources(), date);
        await makeBackup(settings, folder);
        if (withFiles) copyAndTell(listMovedFiles(sqlite), dataDir, filesDirOf(settings));
        printLine(`Memindahkan data ke PostgreSQL, ${describeAddress(address)} …`);
        const rows = await moveToPostgres({
          sqlite,
          client,
          report: createReport(),
          async fillMessageIndex(tx) {
            printLine('  indeks pencarian pesan …');
            while (await indexNewer(tx, INDEX_STEP_ROWS));
            printLine('  indeks dan pemeriksaan …');
          },
          async beforeCommit() {
            await requireAlone(client, address);
            await markArrived(client);
            // Browsers go on with the subscriptions that they made for these keys.
            const keys = await textsInFolder(dataDir).read(PUSH_KEYS);
            if (keys !== null) await storeSharedText(client, PUSH_KEYS, keys);
            // The directory need not be asked again, and its limits count on.
            for (const name of MOVED_FILES) {
              const text = await textsInFolder(acmeFolder(dataDir)).read(name);
              if (text !== null) await storeSharedText(client, sharedName(name), text);
            }
            // A crash from here on leaves a folder that no server uses.
            requireMark(dataDir, 'postgresql', date);
          },
        }).catch((error: unknown) => {
          if (!(error instanceof UnknownEndError)) forgetMove(dataDir);
          throw error;
        });
        markMoved(dataDir, date);
        // The next queries need to know how many rows there are; PostgreSQL finds it out by itself later.
        await client.query('analyze').catch(() => undefined);
        printLine(
          `Selesai: ${formatCount(rows)} baris, jumlah dan isinya sama. Folder ini ditandai sudah dipindahkan.`,
        );
      } finally {
        await end();
      }
    } finally {
      sqlite.close();
    }
  } finally {
    folder.release();
  }
  printLine('Jalankan server dengan DATABASE_URL berisi alamat itu.');
  printLine(adviseSecret(settings));
  return 0;
}

/** @throws DataFolderError for a folder that has a database */
function requireWithoutDatabase({ databaseFile }: DataFolder, dataDir: string): void {
  const isFilled = isMoved(dataDir) || [databaseFile, `${databaseFile}-wal`].some((file) => existsSync(file));
  if (!isFilled) return;
  throw new DataFolderError(
    `DATA_DIR: di folder "${dataDir}" sudah ada database; yang diterima: folder data yang kosong, misalnya dengan --data FOLDER`,
  );
}

async function moveFrom({ address, settings, withFiles }: Move): Promise<number> {
  const { dataDir, timeZone } = settings;
  const date = todayIn(timeZone, Date.now());
  const { connectForMove, requireSource, requireAlone } = await import('#server/db/move/postgres-side.ts');
  const { moveToSqlite } = await import('#server/db/move/to-sqlite.ts');
  const { readSharedText } = await import('#server/db/postgres/shared-texts.ts');
  const { client, end } = await connectForMove(address);
  try {
    await requireSource(client, address, programResources());
    const folder = openStoppedFolder(dataDir);
    try {
      requireWithoutDatabase(folder, dataDir);
      printLine(`Memindahkan data dari PostgreSQL, ${describeAddress(address)} …`);
      const rows = await moveToSqlite({
        client,
        folder,
        resources: programResources(),
        report: createReport(),
        onChecks: () => printLine('  indeks dan pemeriksaan …'),
        copyFiles(paths) {
          if (withFiles) copyAndTell(paths, filesDirOf(settings), dataDir);
        },
        async beforeCommit() {
          await requireAlone(client, address);
          // An earlier version kept them beside the files.
          const keys =
            (await readSharedText(client, PUSH_KEYS)) ?? (await textsInFolder(filesDirOf(settings)).read(PUSH_KEYS));
          if (keys !== null) await textsInFolder(dataDir).replace(PUSH_KEYS, null, keys);
          for (const name of MOVED_FILES) {
            const text = await readSharedText(client, sharedName(name));
            // An emptied text is none.
            if (text) await writeAcmeFile(dataDir, name, text);
          }
          // The state of a server that ran here tells nothing of this database.
          if (readInstallationState(dataDir)) forgetDatabaseMarks(dataDir);
          // Until the other side is left for good, no server uses this folder.
          requireMark(dataDir, 'folder', date);
        },
        date,
      }).catch((error: unknown) => {
        if (!existsSync(folder.databaseFile)) forgetMove(dataDir);
        throw error;
      });
      forgetMove(dataDir);
      printLine(
        `Selesai: ${formatCount(rows)} baris, jumlah dan isinya sama. Database PostgreSQL ditandai sudah dipindahkan.`,
      );
    } finally {
      folder.release();
    }
  } finally {
    await end();
  }
  printLine(`Kosongkan DATABASE_URL dan FILES_DIR, lalu jalankan: ${programName()} serve --data "${dataDir}"`);
  printLine('Pakai JWT_SECRET yang sama, agar semua tetap masuk.');
  return 0;
}
