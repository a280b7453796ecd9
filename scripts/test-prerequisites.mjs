// Installs what the tests need besides the packages: OpenSSL, Pebble (an ACME directory for tests), nginx and browsers. What the
// machine has comes first, then Debian's packages; Chromium can also come from Playwright.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireNode, root, printLine, toolEnvironment } from './bootstrap.mjs';
import { findOnPath, otherBrowsers } from '../e2e/browsers/installed-browsers.mjs';
import { findNginx } from './testing/nginx.mjs';

/**
 * @typedef {{
 *   packages: string[],
 *   isInstalled: () => boolean,
 *   installOtherwise?: () => boolean,
 *   leftOut?: string,
 *   advice: string,
 * }} Program `leftOut`: where packages cannot be installed, its tests do not run, and this line says so
 */

const runCommand = (/** @type {string} */ program, /** @type {string[]} */ args) =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', env: toolEnvironment() }).status === 0;

const isRoot = process.getuid?.() === 0;
const sudoPrefix = isRoot ? [] : ['sudo', '-n'];

/** Ubuntu does not count: its browsers only point to snaps, which no container can run. */
function isDebian() {
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function canInstallPackages() {
  if (!isDebian() || !findOnPath('apt-get')) return false;
  return isRoot || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
}

/**
 * Installs Debian packages in one go, those that this Debian has.
 * @param {string[]} names
 */
function aptInstall(names) {
  const apt = (/** @type {string[]} */ ...args) => {
    const [program = 'env', ...rest] = [...sudoPrefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    return runCommand(program, rest);
  };
  if (!apt('update')) return;
  const known = names.filter((name) => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0);
  apt('install', '-y', '--no-install-recommends', ...known);
}

function hasPlaywrightChromium() {
  const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))";
  const result = spawnSync(requireNode(), ['-e', script], { cwd: root, encoding: 'utf8', env: toolEnvironment() });
  return existsSync(result.stdout.trim());
}

/** @type {Program} The TLS tests compare our certificates with what OpenSSL reads in them; nearly every machine has it. */
const openssl = {
  packages: ['openssl'],
  isInstalled: () => findOnPath('openssl') !== undefined,
  advice: 'OpenSSL tidak dapat dipasang. Pasang sendiri (di Debian: apt-get install openssl).',
};

/** @type {Program} The tests of certificates by ACME talk to Let's Encrypt's own test directory. */
const pebble = {
  packages: ['pebble'],
  isInstalled: () => findOnPath('pebble') !== undefined,
  advice:
    'Pebble tidak dapat dipasang. Pasang sendiri (di Debian: apt-get install pebble; lainnya: github.com/letsencrypt/pebble).',
};

/** @type {Program} A test runs two processes behind the proxy that the documentation describes. */
const nginx = {
  packages: ['nginx'],
  isInstalled: () => findNginx() !== undefined,
  leftOut: 'Tanpa pengujian di belakang nginx: butuh nginx (paket Debian).',
  advice: 'nginx tidak dapat dipasang (apt-get install nginx).',
};

/**
 * @type {Program} The tests of the installed app and of notifications need the whole browser, because the shell permits no
 * notifications. All others take the shell where there is one: it needs a quarter less CPU time.
 */
const chromium = {
  packages: ['chromium', 'chromium-headless-shell'],
  isInstalled: () =>
    /^(?!.*headless)./.test(process.env['CHROMIUM_PATH'] ?? '') ||
    findOnPath('chromium') !== undefined ||
    hasPlaywrightChromium(),
  installOtherwise: () =>
    runCommand(requireNode(), [
      join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
      'install',
      '--with-deps',
      'chromium',
    ]),
  advice: 'Chromium tidak dapat dipasang. Pasang sendiri (di Debian: apt-get install chromium) atau isi CHROMIUM_PATH.',
};

/** @param {Program[]} programs */
function ensurePrograms(programs) {
  const missing = programs.filter(({ isInstalled }) => !isInstalled());
  const canInstall = missing.length > 0 && canInstallPackages();
  if (canInstall) {
    const names = missing.flatMap(({ packages }) => packages);
    printLine(`Memasang program untuk pengujian (hanya kali ini): ${names.join(', ')} …`);
    aptInstall(names);
  }
  for (const { isInstalled, installOtherwise, leftOut, advice } of missing) {
    // A failure is an error on a system that can install packages. Otherwise CI could lose a browser without a word.
    if (isInstalled() || installOtherwise?.()) continue;
    if (leftOut !== undefined && !canInstall) {
      printLine(leftOut);
      continue;
    }
    printLine(advice);
    process.exit(1);
  }
}

export const ensureChromium = () => ensurePrograms([chromium]);

export const ensureTestPrograms = () =>
  ensurePrograms([
    chromium,
    openssl,
    pebble,
    nginx,
    ...otherBrowsers.map(({ engine, packages, isInstalled }) => ({
      packages,
      isInstalled,
      leftOut: `Tanpa pengujian di ${engine}: butuh ${packages.join(' ')} (paket Debian).`,
      advice: `${engine} tidak dapat dipasang (apt-get install ${packages.join(' ')}).`,
    })),
  ]);
