import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { connect } from '#server/db/connect.ts';
import { lockBackups, placesIn } from '#server/db/data-folder.ts';
import { asideName, beginSwap, finishSwap, stagedName } from '#server/db/swap.ts';
import { readArchive, unpackDatabase, type Sink } from './archive-reader.ts';
import { roomOn, syncFolder } from './disk.ts';
import { BackupError, noRoom } from './faults.ts';
import { checkArchive } from './make.ts';
import { DATABASE_ENTRY, proofOfEntry, type Manifest } from './manifest.ts';
import { stampOf } from './names.ts';
import { createPace } from './pace.ts';
import { endAllSessions, findDamage, listNamedProofs } from './queries.ts';

/** What is read of an archive before anything is touched. */
export type Checked = { file: string; manifest: Manifest; proofs: number; unpackedBytes: number };

type When = { nowMs: number; timeZone: string };

/** The swap began and could not be ended here; the next start goes on with it. */
export class UnfinishedRestoreError extends BackupError {}

const requireHurry = () => createPace(false);

/**
 * Reads the whole archive.
 * @param newestKnown the newest migration of this program, in epoch milliseconds
 * @throws BackupError for a damaged one, a foreign one, and one of a newer program
 */
export async function checkForRestore(file: string, newestKnown: number): Promise<Checked> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new BackupError(
      `Berkas "${file}" tidak ada. Jalankan "restore" tanpa nama berkas untuk melihat yang tersedia.`,
    );
  }
  const manifest = await checkArchive(file, requireHurry());
  if (manifest.newest_migration > newestKnown) {
    throw new BackupError(
      `Cadangan ini dibuat oleh PBB Kita v${manifest.app_version} yang lebih baru daripada program ini. Pasang versi itu atau yang lebih baru, lalu ulangi.`,
    );
  }
  const proofs = manifest.entries.filter(({ name }) => proofOfEntry(name) !== null);
  const unpackedBytes = proofs.reduce((total, { size }) => total + size, manifest.database.size);
  return { file, manifest, proofs: proofs.length, unpackedBytes };
}

function fileSink(path: string): Sink {
  const file = openSync(path, 'wx', 0o600);
  return {
    write(bytes) {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    },
    close() {
      try {
        fdatasyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

const nowhere: Sink = { write: () => undefined, close: () => undefined };

/** Makes the restored database ready: sound, complete, and nobody signed in. */
function prepareDatabase(file: string, manifest: Manifest): void {
  const sqlite = connect(file, { fileMustExist: true });
  try {
    sqlite.pragma('journal_mode = DELETE');
    sqlite.pragma('synchronous = FULL');
    const damage = findDamage(sqlite);
    if (damage !== null)
      throw new BackupError(`Database di dalam cadangan ini rusak (${damage}). Pilih cadangan lain.`);
    const there = new Set([...manifest.missing_proofs, ...manifest.entries.map(({ name }) => proofOfEntry(name))]);
    const lost = listNamedProofs(sqlite).filter((name) => !there.has(name));
    if (lost.length > 0) throw new BackupError(`Cadangan ini kehilangan ${lost.length} bukti. Pilih cadangan lain.`);
    endAllSessions(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Folds the log of the present database back, so that it can be kept as one file; a damaged one is kept as it is. */
function settlePresent(databaseFile: string): void {
  if (!existsSync(databaseFile)) return;
  try {
    const sqlite = connect(databaseFile, { fileMustExist: true });
    try {
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      sqlite.close();
    }
  } catch {
    // Being damaged is a reason to restore.
  }
}

/** A folder of proofs that is a disk of its own cannot be renamed. @throws BackupError */
function requireSwappable(dataDir: string, proofsDir: string): void {
  if (existsSync(proofsDir) && statSync(proofsDir).dev !== statSync(dataDir).dev) {
    throw new BackupError(
      `Folder "${proofsDir}" ada di disk lain daripada "${dataDir}". Pindahkan isinya ke satu disk, lalu ulangi.`,
    );
  }
}

async function stage(dataDir: string, { file, manifest }: Checked, staged: string): Promise<void> {
  const folder = join(dataDir, staged);
  const proofsDir = join(folder, 'proofs');
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(proofsDir, { mode: 0o700 });
  const read = await readArchive(file, requireHurry(), (entry) => {
    const proof = entry === DATABASE_ENTRY ? null : proofOfEntry(entry);
    return proof === null ? nowhere : fileSink(join(proofsDir, proof));
  });
  const database = join(folder, 'pbb.sqlite');
  await unpackDatabase(file, read, requireHurry(), fileSink(database));
  prepareDatabase(database, manifest);
  for (const path of [proofsDir, folder]) syncFolder(path);
}

/**
 * Puts the data of a checked archive in the place of what the folder holds. Only for whoever holds the folder's lock.
 * All or nothing, however it is cut short: until everything stands ready nothing is touched, from then on the next start
 * finishes it.
 * @returns where the present data was put aside; null when there was none
 * @throws BackupError, or what the disk or SQLite says; the present data is untouched then
 */
export async function restore(dataDir: string, checked: Checked, when: When): Promise<string | null> {
  const release = lockBackups(dataDir);
  if (!release) throw new BackupError('Pencadangan sedang berjalan pada folder data ini. Tunggu sampai selesai.');
  try {
    return await replaceData(dataDir, checked, when);
  } finally {
    release();
  }
}

async function replaceData(dataDir: string, checked: Checked, { nowMs, timeZone }: When): Promise<string | null> {
  const { databaseFile, proofsDir, backupsDir } = placesIn(dataDir);
  requireSwappable(dataDir, proofsDir);
  const room = roomOn(dataDir);
  if (room !== null && room < checked.unpackedBytes) {
    throw noRoom(checked.unpackedBytes, room, 'Kosongkan ruang disk, lalu ulangi.');
  }
  const stamp = stampOf(timeZone, nowMs);
  const staged = stagedName(stamp);
  try {
    await stage(dataDir, checked, staged);
  } catch (error) {
    rmSync(join(dataDir, staged), { recursive: true, force: true });
    throw error;
  }
  settlePresent(databaseFile);
  // Renames cannot lead to another disk, which the folder of backups may be on.
  const isNear = statSync(backupsDir).dev === statSync(dataDir).dev;
  const aside = isNear ? `${relative(dataDir, backupsDir)}/${asideName(stamp)}` : asideName(stamp);
  beginSwap(dataDir, { staged, aside });
  try {
    const kept = finishSwap(dataDir);
    return kept === null ? null : join(dataDir, kept);
  } catch (error) {
    throw new UnfinishedRestoreError(
      'Pemulihan terputus di tengah jalan. Periksa disk dan hak tulisnya, lalu jalankan server: ia menyelesaikannya.',
      { cause: error },
    );
  }
}
