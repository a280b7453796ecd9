import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { isSingleBinary, seaResources } from '#server/files/resources.ts';
import { loadFromFirst, nativeFolders } from './native-part.ts';

/** Where the single binary keeps the library and its SHA-256 (scripts/package/content.ts puts them there). */
const NATIVE_KEY = 'native/better_sqlite3.node';
const HASH_KEY = 'native/better_sqlite3.sha256';
/** Tells threads where this process found a folder that works; they get it with their start. */
const FOLDER_FOUND = 'pbb-native-folder';

/** better-sqlite3 takes the library itself too, which its types do not know. */
let native: string | undefined;

/**
 * The one place that opens SQLite: where the native part comes from depends on how the program was packed.
 * @throws NativePartError when the single binary can keep its native part nowhere; else what SQLite says
 */
export function connect(file: string, options: Database.Options = {}): Database.Database {
  if (!isSingleBinary()) return new Database(file, options);
  native ??= loadNative(file);
  return new Database(file, { ...options, nativeBinding: native });
}

function loadNative(databaseFile: string): string {
  const found = getEnvironmentData(FOLDER_FOUND);
  const folders = [...(typeof found === 'string' ? [found] : []), ...nativeFolders(databaseFile)];
  const inside = seaResources();
  const part = { hash: inside.read(HASH_KEY).toString(), read: () => inside.read(NATIVE_KEY) };
  const { folder, loaded } = loadFromFirst(part, folders, (libraryFile) => {
    const library: { exports: unknown } = { exports: {} };
    process.dlopen(library, libraryFile);
    return library.exports as string;
  });
  setEnvironmentData(FOLDER_FOUND, folder);
  return loaded;
}
