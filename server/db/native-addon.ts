import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeFileAtomicSync } from '#server/files/atomic.ts';

/** No folder of this computer lets the program load its native part; the message is what to show. */
export class NativeAddonError extends Error {}

/** The library, unpacked only when it has to be written, and its SHA-256 in hex. */
export type NativeAddon = { hash: string; read: () => Uint8Array };

/**
 * A library can only be loaded from a file, so the one inside the single binary is first written somewhere. Folders
 * differ in what they allow (full, read-only, not executable, somebody else's): the first that works is taken.
 * @param folders to try, in this order; made if only their last part is missing
 * @param load loads a file; throws where that is not allowed
 * @returns what was loaded, and the folder that allowed it
 * @throws NativePartError with the reason of each folder
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

/** The file, known to be whole: written aside and renamed, and written again if it is not what it should be. */
function unpackInto({ hash, read }: NativeAddon, root: string): string {
  // With `recursive`, Node asks for ever under /proc; and a missing home is not ours to make.
  if (!existsSync(dirname(root))) throw new Error('folder induknya tidak ada');
  const folder = join(root, hash.slice(0, 16));
  for (const path of [root, folder]) makePrivateFolder(path);
  const file = join(folder, 'better_sqlite3.node');
  if (isIntact(file, hash)) return file;
  const temporaryFile = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileAtomicSync(file, read(), { temporaryFile, mode: 0o700 });
  } catch (error) {
    // Windows lets nobody replace what another start has just written and loaded.
    if (!isIntact(file, hash)) throw error;
  }
  return file;
}

/** Whoever else could write there (/tmp belongs to everybody) could have us run a program of theirs. */
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
  // Windows keeps a user's folders to that user by itself, and has neither ids nor these rights.
  if (!process.getuid) return;
  if (stats.uid !== process.getuid()) throw new Error('folder milik pengguna lain');
  if ((stats.mode & 0o022) !== 0) throw new Error('pengguna lain boleh menulis di folder ini');
}

function isIntact(file: string, hash: string): boolean {
  return existsSync(file) && lstatSync(file).isFile() && sha256(readFileSync(file)) === hash;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Where to try: beside the data, which must be writable anyway; then the user's cache, then the temporary folder.
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
    // A user that the system does not know has no home.
    return [];
  }
}
