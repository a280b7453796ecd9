import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { errorCode, errorCodeOrText, writeFileAtomicSync } from '#server/files/atomic.ts';
import { createFolderPresence } from '#server/files/folder-presence.ts';
import { DataFolderError, requireWritable } from '../data-folder/data-folder.ts';
import { FILE_COLUMNS } from '../referenced-files.ts';
import { isLost } from './lost.ts';
import { readSharedText, storeSharedText } from './shared-texts.ts';

/**
 * Whether the folder of photos and documents is that of the database (docs/requirements.md R-RUN-29). A shared folder that is
 * not mounted looks like an empty one, and uploads would go to the disk below it.
 */

/** Beside the photos, so that every copy of them has it. */
const ID_FILE = 'id-kantor.txt';
const SHARED_NAME = ID_FILE;
/** Of several processes that start, one makes the id. The lock ends with its transaction. */
const FILES_LOCK = 7_212_028;
/** A share that is only slow must not count as lost. A call gets its 503 within five seconds. */
const LOOK_MAX_MS = 2000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `setting`: the one that names the folder. */
export type FilesPlace = { folder: string; proofsDir: string; setting: 'FILES_DIR' | 'DATA_DIR' };

export const idFileIn = (proofsDir: string): string => join(proofsDir, ID_FILE);

/** @returns null when the folder has none @throws errors of the disk */
export function readFolderId(proofsDir: string): string | null {
  try {
    const text = readFileSync(idFileIn(proofsDir), 'utf8').trim();
    return ID.test(text) ? text : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The id of the folder that belongs to the database; null before the first start. */
export const readOfficeId = (client: ClientBase): Promise<string | null> => readSharedText(client, SHARED_NAME);

async function namesFiles(client: ClientBase): Promise<boolean> {
  const texts = FILE_COLUMNS.map(([table, column]) => `exists (select from ${table} where ${column} is not null)`);
  const { rows } = await client.query<{ named: number }>(`select ${texts.join(' or ')} as named`);
  return rows[0]?.named === 1;
}

const hasFiles = (proofsDir: string): boolean => existsSync(proofsDir) && readdirSync(proofsDir).length > 0;

/**
 * Makes the id of an office that has none yet. The file comes first: a crash in between leaves one that the next start takes.
 * A folder without any of the files that the database names gets none.
 * @returns the id of the database
 */
async function makeId(client: ClientBase, { folder, proofsDir, setting }: FilesPlace): Promise<string> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [FILES_LOCK]);
    const stored = await readOfficeId(client);
    const found = readFolderId(proofsDir);
    const id = stored ?? found ?? randomUUID();
    if (stored === null) {
      if (found === null && (hasFiles(proofsDir) || !(await namesFiles(client)))) {
        requireWritable(folder, [proofsDir], setting);
        writeFileAtomicSync(idFileIn(proofsDir), `${id}\n`);
      }
      await storeSharedText(client, SHARED_NAME, id);
    }
    await client.query('commit');
    return id;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Compares the folder with the database, and marks both at the first start. The database has the version of this program.
 * @returns the id of both
 * @throws DataFolderError with the line to show when the folder is not that of the database
 */
export async function requireOwnFiles(client: ClientBase, place: FilesPlace): Promise<string> {
  const { folder, proofsDir, setting } = place;
  const file = idFileIn(proofsDir);
  try {
    const id = (await readOfficeId(client)) ?? (await makeId(client, place));
    const found = readFolderId(proofsDir);
    if (found === id) return id;
    throw new DataFolderError(
      `${setting}: folder "${folder}" bukan folder foto dan dokumen kantor ini (berkas "${file}" ${existsSync(file) ? 'berisi lain' : 'tidak ada'}); yang diterima: folder bersama yang sudah tersambung (mount), atau, bila folder ini memang penggantinya dan foto sudah disalin kembali, berkas itu dengan isi ${id}`,
    );
  } catch (error) {
    if (isLost(error) || !/^E[A-Z]+$/.test(errorCode(error) ?? '')) throw error;
    throw new DataFolderError(
      `${setting}: berkas "${file}" tidak dapat dibaca atau ditulis (${errorCodeOrText(error)}); yang diterima: folder yang boleh dibaca dan ditulis oleh pengguna yang menjalankan program ini`,
      { cause: error },
    );
  }
}

/**
 * Looks while the server runs: a share may be lost, and uploads would go to the disk below it.
 * @returns a function that resolves to whether the folder has the id; false also while the share hangs
 */
export function createFilesLook(proofsDir: string, id: string): () => Promise<boolean> {
  const hasId = (file: string): Promise<boolean> =>
    readFile(file, 'utf8').then(
      (text) => text.trim() === id,
      () => false,
    );
  return createFolderPresence(idFileIn(proofsDir), hasId, LOOK_MAX_MS);
}
