// What the tests need beside the packages: a Chromium (the machine's own, else Debian's package, else the one Playwright
// downloads) and OpenSSL.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { requireNode, root, printLine, toolEnvironment } from './bootstrap.mjs';

function isOnPath(name) {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function hasPlaywrightChromium() {
  const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))";
  const result = spawnSync(requireNode(), ['-e', script], { cwd: root, encoding: 'utf8', env: toolEnvironment() });
  return existsSync(result.stdout.trim());
}

/** Ubuntu's package of that name is only a pointer to a snap, which no container can run. */
function isDebian() {
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

const runCommand = (program, args) =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', env: toolEnvironment() }).status === 0;

/** Installs a Debian package, where there is a Debian that lets us. */
function aptInstall(name) {
  if (!isDebian() || !isOnPath('apt-get')) return false;
  const sudoPrefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [program, ...rest] = [...sudoPrefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    return runCommand(program, rest);
  };
  return apt('update') && apt('install', '-y', '--no-install-recommends', name);
}

/** What the tests of TLS ask for a second opinion; nearly every machine has it. */
export function ensureOpenssl() {
  if (isOnPath('openssl') || aptInstall('openssl')) return;
  printLine('OpenSSL tidak dapat dipasang. Pasang sendiri (di Debian: apt-get install openssl).');
  process.exit(1);
}

export function ensureBrowser() {
  if (process.env['CHROMIUM_PATH'] || isOnPath('chromium') || hasPlaywrightChromium()) return;
  printLine('Memasang Chromium untuk pengujian (hanya kali ini) …');
  if (aptInstall('chromium')) return;
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
