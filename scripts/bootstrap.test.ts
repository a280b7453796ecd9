import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url));
const INSTALLING = 'Memasang paket yang dibutuhkan (hanya kali ini, sekitar satu menit) …';
const FAILED =
  'Pemasangan gagal. Periksa koneksi internet ke registri npm dan ruang disk, lalu jalankan perintah ini lagi.';

/** A project with the scripts of this one and a single dependency. */
function buildProject({ lockedDependency, lockFile }: { lockedDependency?: object; lockFile?: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['bootstrap.mjs', 'launcher.mjs']) cpSync(join(SCRIPTS, name), join(folder, 'scripts', name));
  const write = (path: string, content: object): void => writeFileSync(join(folder, path), JSON.stringify(content));
  mkdirSync(join(folder, 'paket'));
  // No Node is new enough, as Node 20 is too old for some packages of this project.
  const engines = { node: '>=999' };
  write('paket/package.json', { name: 'paket', version: '1.0.0', engines });
  const dependencies = { paket: lockedDependency ? '1.0.0' : 'file:paket' };
  write('package.json', { name: 'contoh', version: '1.0.0', dependencies });
  const packages = lockedDependency
    ? { '': { name: 'contoh', version: '1.0.0', dependencies }, 'node_modules/paket': lockedDependency }
    : {
        '': { name: 'contoh', version: '1.0.0', dependencies },
        paket: { version: '1.0.0', engines },
        'node_modules/paket': { resolved: 'paket', link: true },
      };
  write('package-lock.json', { name: 'contoh', version: '1.0.0', lockfileVersion: 3, requires: true, packages });
  if (lockFile !== undefined) writeFileSync(join(folder, 'package-lock.json'), lockFile);
  return folder;
}

/** Installs as the first `npm start` of a fresh clone does. */
function install(folder: string, settings: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', "import('./scripts/bootstrap.mjs').then(({ ensureInstalled }) => ensureInstalled())"],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, npm_config_loglevel: '', ...settings } },
  );
  return { status, output: stdout + stderr };
}

it('installs without the warnings about packages that want another Node than the one that runs npm', () => {
  const folder = buildProject();
  const { status, output } = install(folder);
  expect(output).toMatch(new RegExp(`^${INSTALLING.replace(/[()]/g, '\\$&')}\\s+added 1 package`));
  expect(output).not.toMatch(/EBADENGINE|npm warn/i);
  expect(status).toBe(0);
});

it('shows the warnings to a caller who asks npm for them', () => {
  expect(install(buildProject(), { npm_config_loglevel: 'warn' }).output).toContain('EBADENGINE');
});

it('shows the whole error of npm when the registry cannot be reached', () => {
  const resolved = 'http://127.0.0.1:9/paket/-/paket-1.0.0.tgz';
  const folder = buildProject({ lockedDependency: { version: '1.0.0', resolved, integrity: 'sha512-AAAA' } });
  const { status, output } = install(folder, {
    npm_config_fetch_retries: '0',
    npm_config_cache: join(folder, 'cache'),
  });
  expect(output).toContain('npm error code ECONNREFUSED');
  expect(output).toContain(resolved);
  expect(output).toContain('A complete log of this run can be found in');
  expect(output).toContain(FAILED);
  expect(status).not.toBe(0);
});

it.each([
  ['cut off', '{ "lockfileVersion": 3, "packages": {'],
  ['without the dependency', JSON.stringify({ lockfileVersion: 3, requires: true, packages: {} })],
])('shows the whole error of npm when the lock file is broken: %s', (_title, lockFile) => {
  const { status, output } = install(buildProject({ lockFile }));
  expect(output).toMatch(/npm error (code E|The `npm ci` command)/);
  expect(output).toContain('A complete log of this run can be found in');
  expect(output).toContain(FAILED);
  expect(status).not.toBe(0);
});
