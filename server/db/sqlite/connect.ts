import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { isSingleBinary, seaResources } from '#server/files/resources.ts';
import { loadFromFirstUsableFolder, nativeAddonFolders } from './native-addon.ts';

export type Sqlite = Database.Database;

/** Keys of the library and its SHA-256 inside the single binary. scripts/package/sea-content.ts puts them there. */
const NATIVE_KEY = 'native/better_sqlite3.node';
const HASH_KEY = 'native/better_sqlite3.sha256';
/** Worker threads get the folder that works for this process through the environment data of their start. */
const WORKING_FOLDER_KEY = 'pbb-native-folder';

/** better-sqlite3 also accepts a loaded library, but its types only allow a path. */
let native: string | undefined;

/**
 * The only place that opens SQLite: where the native addon is depends on how the program was packaged.
 * @throws NativeAddonError when the single binary finds no folder for its addon; otherwise errors of SQLite
 */
export function connect(file: string, options: Database.Options = {}): Sqlite {
  if (!isSingleBinary()) return new Database(file, options);
  native ??= loadAddon(file);
  return new Database(file, { ...options, nativeBinding: native });
}

function loadAddon(databaseFile: string): string {
  const knownFolder = getEnvironmentData(WORKING_FOLDER_KEY);
  const folders = [...(typeof knownFolder === 'string' ? [knownFolder] : []), ...nativeAddonFolders(databaseFile)];
  const resources = seaResources();
  const addon = { hash: resources.read(HASH_KEY).toString(), read: () => resources.read(NATIVE_KEY) };
  const { folder, loaded } = loadFromFirstUsableFolder(addon, folders, (libraryFile) => {
    const library: { exports: unknown } = { exports: {} };
    process.dlopen(library, libraryFile);
    return library.exports as string;
  });
  setEnvironmentData(WORKING_FOLDER_KEY, folder);
  return loaded;
}
