import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeFileAtomicSync } from '#server/files/atomic.ts';

/** No folder of this computer lets the program load its native addon. The message is shown to the user. */
export class NativeAddonError extends Error {}

/** The library, which is unpacked only when it must be written, and its SHA-256 in hex. */
export type NativeAddon = { hash: string; read: () => Uint8Array };

/**
 * A library can only be loaded from a file, so the library inside the single binary is written to a folder first. Some
 * folders are full, read-only, not executable or owned by another user. The first folder that works is used.
 * @param folders to try, in this order; created if only the last part of the path is missing
 * @param load loads a file; throws where that is not allowed
 * @returns the loaded library and its folder
 * @throws NativeAddonError with the reason for each folder
 */
export function loadFromFirstUsableFolder<T>(
  addon: NativeAddon,
  folders: string[],
  load: (file: string) => T,
): { folder: string; loaded: T } {
  const reasons: string[] = [];
  for (const folder of folders) {
    try {
      return { folder, loaded: load(unpackInto(addon, folder)) };
    } catch (error) {
      reasons.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new NativeAddonError(
    `bagian database dari program ini tidak dapat disimpan di folder mana pun; yang diterima: folder yang boleh ditulis, tidak penuh, dan boleh menjalankan program (bukan noexec). Yang dicoba:\n${reasons.join('\n')}`,
  );
}

/** @returns the path of the intact file; a damaged one is written again */
function unpackInto({ hash, read }: NativeAddon, root: string): string {
  // With `recursive`, Node never stops trying under /proc. A missing home folder must not be created here.
  if (!existsSync(dirname(root))) throw new Error('folder induknya tidak ada');
  const folder = join(root, hash.slice(0, 16));
  for (const path of [root, folder]) makePrivateFolder(path);
  const file = join(folder, 'better_sqlite3.node');
  if (isIntact(file, hash)) return file;
  const temporaryFile = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileAtomicSync(file, read(), { temporaryFile, mode: 0o700 });
  } catch (error) {
    // Windows does not allow replacing a library that another process has just written and loaded.
    if (!isIntact(file, hash)) throw error;
  }
  return file;
}

/** Another user who could write here (/tmp is open to all users) could make this program run their code. */
function makePrivateFolder(path: string): void {
  if (!existsSync(path)) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if (!existsSync(path)) throw error;
    }
  }
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw new Error('bukan folder');
  // Windows protects the folders of a user itself. It has no user ids and no such rights.
  if (!process.getuid) return;
  if (stats.uid !== process.getuid()) throw new Error('folder milik pengguna lain');
  if ((stats.mode & 0o022) !== 0) throw new Error('pengguna lain boleh menulis di folder ini');
}

function isIntact(file: string, hash: string): boolean {
  return existsSync(file) && lstatSync(file).isFile() && sha256(readFileSync(file)) === hash;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * The folders to try: next to the data, which must be writable anyway; the user's cache; the temporary folder.
 * @param databaseFile the database that is about to be opened, or ':memory:'
 */
export function nativeAddonFolders(databaseFile: string): string[] {
  const isFile = databaseFile !== ':memory:' && databaseFile !== '';
  return [
    ...(isFile ? [join(dirname(databaseFile), '.native')] : []),
    ...userCacheFolders(),
    join(tmpdir(), `pbb-kita-${process.getuid?.() ?? 'user'}`),
  ];
}

function userCacheFolders(): string[] {
  try {
    const home = homedir();
    return [join(home, ...(process.platform === 'win32' ? ['AppData', 'Local'] : ['.cache']), 'pbb-kita')];
  } catch {
    // A user id without an account has no home folder.
    return [];
  }
}
