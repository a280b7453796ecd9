// The base of all npm scripts. Plain JavaScript without dependencies: it runs on whatever Node (≥ 18) the machine
// has, before anything is installed, and hands over to the pinned runtime as soon as that is there.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onLauncherEnd, outlivesTerminal } from './launcher.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const stampFile = join(root, 'dist', 'stamp');

/** @param {string} line */
export const printLine = (line) => process.stdout.write(`${line}\n`);

/** The runtime that package.json pins for this machine; null while it is not installed. */
export function pinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
    const file = join(root, 'node_modules', name, 'bin', program);
    if (existsSync(file)) return file;
  }
  return null;
}

/** The runtime to use: the pinned one, else this one if it is new enough (npm has no Node package for some systems). */
export function requireNode() {
  const pinned = pinnedNode();
  if (pinned) return pinned;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 7)) return process.execPath;
  printLine(
    `Untuk ${process.platform}-${process.arch} tidak ada Node yang ikut terpasang; pasang Node 24.7 atau lebih baru.`,
  );
  process.exit(1);
}

/** An environment in which `node` and every installed tool mean the project's own. */
export function toolEnvironment() {
  const binFolders = [join(root, 'node_modules', '.bin')];
  const pinned = pinnedNode();
  if (pinned) binFolders.unshift(join(pinned, '..'));
  return { ...process.env, PATH: [...binFolders, process.env['PATH'] ?? ''].join(delimiter) };
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>} the packages of a lock file; none if it is broken
 */
function readLockedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    // npm says itself what is wrong with it.
    return {};
  }
}

/** Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. */
function isInstalled() {
  const installedLockFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLockFile) || !pinnedNode()) return false;
  const requiredPackages = readLockedPackages(join(root, 'package-lock.json'));
  const installedPackages = readLockedPackages(installedLockFile);
  if (Object.keys(requiredPackages).length === 0) return false;
  return Object.entries(requiredPackages).every(
    ([path, { version, optional }]) => path === '' || optional || installedPackages[path]?.version === version,
  );
}

export function ensureInstalled() {
  if (isInstalled()) return;
  printLine('Memasang paket yang dibutuhkan (hanya kali ini, sekitar satu menit) …');
  const npm = process.env['npm_execpath'];
  const options = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // npm compares the packages with the Node that runs npm, and warns of each; they run under the pinned one. Its progress
  // and its errors are shown. `npm start --verbose` shows all.
  if (!process.env['npm_config_loglevel']) options.push('--loglevel=error');
  const result = npm
    ? spawnSync(process.execPath, [npm, ...options], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', options, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) {
    printLine(
      'Pemasangan gagal. Periksa koneksi internet ke registri npm dan ruang disk, lalu jalankan perintah ini lagi.',
    );
    process.exit(result.status ?? 1);
  }
}

/** A fingerprint of everything that goes into dist/, or of the sources in fewer folders. */
export function inputsFingerprint(
  folders = [
    'client',
    'server',
    'shared',
    'drizzle',
    'docs/pictures',
    'scripts/client-build',
    'scripts/handbook',
    'scripts/licenses',
  ],
) {
  const hash = createHash('sha256');
  const isInput = (/** @type {string} */ path) => !/\.(test|e2e)\.tsx?$|[/\\]testing[/\\]/.test(path);
  const files = ['package-lock.json', 'package.json', 'postcss.config.cjs', join('scripts', 'build.ts')];
  files.push(join('docs', 'operations.md'));
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && isInput(path)) files.push(path.slice(root.length));
    }
  }
  for (const file of files.sort()) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

export function ensureBuilt() {
  const fingerprint = inputsFingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint) return;
  printLine('Menyusun aplikasi …');
  const result = spawnSync(requireNode(), [join(root, 'scripts', 'build.ts'), fingerprint], {
    cwd: root,
    stdio: 'inherit',
    env: toolEnvironment(),
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * Passes every signal that ends this process on to its children. They also get SIGTERM when npm, which started this
 * process, has ended.
 * @param {import('node:child_process').ChildProcess[]} children those running then, not only those running now
 * @param {() => void} [onEnd]
 */
export function endWithLauncher(children, onEnd) {
  const killAll = (/** @type {NodeJS.Signals} */ signal) => {
    children.forEach((child) => child.kill(signal));
    onEnd?.();
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => killAll(signal));
  }
  const stopWatching = onLauncherEnd(() => killAll('SIGTERM'));
  process.on('SIGHUP', () => {
    // Then npm ends too, because it knows nothing of `nohup`.
    if (outlivesTerminal()) stopWatching();
    else killAll('SIGHUP');
  });
}

/**
 * Runs a program in the foreground until it ends: signals are passed on, its exit code becomes ours.
 * @param {string} program
 * @param {string[]} args
 */
export function runInForeground(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: toolEnvironment() });
  endWithLauncher([child]);
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
