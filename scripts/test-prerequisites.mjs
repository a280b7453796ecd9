// Installs what the tests need besides the packages: OpenSSL, Pebble (an ACME directory for tests) and a Chromium. The
// Chromium of the machine comes first, then Debian's package, then the one that Playwright downloads.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { requireNode, root, printLine, toolEnvironment } from './bootstrap.mjs';

/** @param {string} name */
function isOnPath(name) {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function hasPlaywrightChromium() {
  const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))";
  const result = spawnSync(requireNode(), ['-e', script], { cwd: root, encoding: 'utf8', env: toolEnvironment() });
  return existsSync(result.stdout.trim());
}

/** Ubuntu does not count: its package `chromium` only points to a snap, which no container can run. */
function isDebian() {
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

const runCommand = (/** @type {string} */ program, /** @type {string[]} */ args) =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', env: toolEnvironment() }).status === 0;

/**
 * Installs a Debian package. Fails where there is no Debian, or no permission.
 * @param {string} name
 */
function aptInstall(name) {
  if (!isDebian() || !isOnPath('apt-get')) return false;
  const sudoPrefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (/** @type {string[]} */ ...args) => {
    const [program = 'env', ...rest] = [...sudoPrefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    return runCommand(program, rest);
  };
  return apt('update') && apt('install', '-y', '--no-install-recommends', name);
}

/** The TLS tests compare our certificates with what OpenSSL reads in them; nearly every machine has it. */
export function ensureOpenssl() {
  if (isOnPath('openssl') || aptInstall('openssl')) return;
  printLine('OpenSSL tidak dapat dipasang. Pasang sendiri (di Debian: apt-get install openssl).');
  process.exit(1);
}

/** The tests of certificates by ACME talk to Let's Encrypt's own test directory. */
export function ensurePebble() {
  if (isOnPath('pebble') || aptInstall('pebble')) return;
  printLine(
    'Pebble tidak dapat dipasang. Pasang sendiri (di Debian: apt-get install pebble; lainnya: github.com/letsencrypt/pebble).',
  );
  process.exit(1);
}

/**
 * The tests of the installed app and of notifications need the whole browser, because the shell permits no notifications.
 * All others take the shell where there is one: it needs a quarter less CPU time.
 */
export function ensureBrowser() {
  const isGiven = /^(?!.*headless)./.test(process.env['CHROMIUM_PATH'] ?? '');
  if (isGiven || isOnPath('chromium') || hasPlaywrightChromium()) return;
  printLine('Memasang Chromium untuk pengujian (hanya kali ini) …');
  if (aptInstall('chromium')) {
    // Older Debians have only the browser, which runs the other tests too.
    if (!isOnPath('chromium-headless-shell')) aptInstall('chromium-headless-shell');
    return;
  }
  if (
    runCommand(requireNode(), [
      join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
      'install',
      '--with-deps',
      'chromium',
    ])
  )
    return;
  printLine(
    'Chromium tidak dapat dipasang. Pasang sendiri (di Debian: apt-get install chromium) atau isi CHROMIUM_PATH.',
  );
  process.exit(1);
}
