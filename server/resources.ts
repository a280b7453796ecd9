import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The files that ship with the program (client, migrations, docs), wherever they are kept. */
export type Resources = { keys: (prefix: string) => string[]; read: (key: string) => Buffer };

/** @param roots folder on disk for the first segment of a key, as in `{ client: 'dist/client' }` */
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
