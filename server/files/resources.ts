import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The files that ship with the program (client, migrations, docs), wherever they are stored. */
export type Resources = { keys: (prefix: string) => string[]; read: (key: string) => Buffer };

/** Whether this program is a single executable file, not a script that Node runs. */
export const isSingleBinary = (): boolean => isSea();

/** @param roots folder or file on disk for the first segment of a key, as in `{ client: 'dist/client' }` */
export function diskResources(roots: Record<string, string>): Resources {
  const locate = (key: string): string => {
    const [first = '', ...rest] = key.split('/');
    return join(roots[first] ?? first, ...rest);
  };
  return {
    keys: (prefix) => {
      const root = roots[prefix];
      if (root === undefined || !existsSync(root)) return [];
      return readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(root, name)).isFile())
        .map((name) => `${prefix}/${name.split(sep).join('/')}`);
    },
    read: (key) => readFileSync(locate(key)),
  };
}

/** The functions of `node:sea` for the files inside a single binary. */
export type SeaAssets = { keys: () => string[]; read: (key: string) => ArrayBuffer };

const programAssets: SeaAssets = { keys: getAssetKeys, read: getRawAsset };

const DECOMPRESSORS = new Map([
  ['.gz', gunzipSync],
  ['.br', brotliDecompressSync],
]);

/**
 * The files inside the single binary. They are read without a copy from the memory of the program: never write to them.
 * A compressible file is stored only as `<key>.gz` or `<key>.br`, and is decompressed when it is read by its plain name.
 * @param assets tests give other files than those of the program
 */
export function seaResources(assets: SeaAssets = programAssets): Resources {
  const storedKeys = new Set(assets.keys());
  const plainNameOf = (key: string): string =>
    DECOMPRESSORS.has(extname(key)) ? key.slice(0, -extname(key).length) : key;
  const names = new Set([...storedKeys].flatMap((key) => [plainNameOf(key), key]));
  const bytes = (key: string): Buffer => Buffer.from(assets.read(key));
  return {
    keys: (prefix) => [...names].filter((key) => key.startsWith(`${prefix}/`)),
    read: (key) => {
      if (storedKeys.has(key)) return bytes(key);
      const [ending, unpack] = [...DECOMPRESSORS].find(([end]) => storedKeys.has(key + end)) ?? [];
      if (!unpack) throw new Error(`the program carries no ${key}`);
      return unpack(bytes(key + ending));
    },
  };
}
