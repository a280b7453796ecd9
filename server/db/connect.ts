import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { isSingleBinary, seaResources } from '#server/files/resources.ts';
import { loadFromFirstUsableFolder, nativeAddonFolders } from './native-addon.ts';

/** Where the single binary keeps the library and its SHA-256 (scripts/package/content.ts puts them there). */
const NATIVE_KEY = 'native/better_sqlite3.node';
const HASH_KEY = 'native/better_sqlite3.sha256';
/** Tells threads where this process found a folder that works; they get it with their start. */
const WORKING_FOLDER_KEY = 'pbb-native-folder';

/** better-sqlite3 takes the library itself too, which its types do not know. */
let native: string | undefined;

/**
 * The one place that opens SQLite: where the native part comes from depends on how the program was packed.
 * @throws NativePartError when the single binary can keep its native part nowhere; else what SQLite says
 */
export function connect(file: string, options: Database.Options = {}): Database.Database {
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
