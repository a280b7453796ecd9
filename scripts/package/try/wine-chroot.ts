import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Changes when the recipe changes, so that an older folder is made again. */
const RECIPE = 'trixie, wine 10, faketime; 1';
/** Wine 8 of Debian 12 cannot run Node 24. */
const SUITE = 'trixie';
const FALLBACK_MIRROR = 'http://deb.debian.org/debian';

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** @throws Error with the last lines of the program when it fails */
function run(program: string, args: string[], environment: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: environment });
  if (error) throw new Error(`${program} tidak dapat dijalankan: ${error.message}`);
  if (status === 0) return stdout;
  const tail = `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n');
  throw new Error(`${program} ${args.join(' ')} gagal (${status}):\n${tail}`);
}

/** The mirror of Debian that apt of this machine uses. */
function readMirror(): string {
  const { status, stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(ORIGIN) $(LABEL) $(REPO_URI)'], {
    encoding: 'utf8',
  });
  const line = status === 0 ? stdout.split('\n').find((target) => target.startsWith('Debian Debian ')) : undefined;
  return line?.slice('Debian Debian '.length).trim() || FALLBACK_MIRROR;
}

/** Unpacks debootstrap without installing it, so that nothing on this machine changes. @returns its folder */
function unpackDebootstrap(cache: string): string {
  const folder = join(cache, 'debootstrap');
  const library = join(folder, 'usr/share/debootstrap');
  if (existsSync(join(library, 'scripts', SUITE))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const download = () => spawnSync('apt-get', ['download', 'debootstrap'], { cwd: folder }).status === 0;
  if (!download()) {
    run('apt-get', ['update']);
    if (!download()) throw new Error('apt-get download debootstrap gagal; periksa sumber paket Debian di komputer ini');
  }
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
  run('dpkg-deb', ['-x', join(folder, archive), folder]);
  return folder;
}

/** Copies what apt needs to reach its mirror from here: proxies, certificates, names. */
function copyNetworkSettings(root: string): void {
  const paths = ['/etc/apt/apt.conf', '/etc/apt/apt.conf.d', '/usr/local/share/ca-certificates'];
  for (const path of [...paths, '/etc/resolv.conf', '/etc/hosts']) {
    if (existsSync(path)) cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
}

function mountSystemFolders(root: string): void {
  run('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  run('mount', ['--rbind', '/dev', join(root, 'dev')]);
}

export const wineEnvironment = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  // Wine needs UTF-8 for file names with other letters.
  LANG: 'C.UTF-8',
  XDG_RUNTIME_DIR: '/tmp',
  WINEDEBUG: '-all',
  // Wine would ask to install Mono and Gecko; Node needs neither.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
};

/**
 * Makes a Debian with Wine in the cache folder, or takes the one of an earlier run, and mounts what it needs. The caller
 * runs in mount and process namespaces of its own, so that every mount and process ends with it.
 * @returns the root folder of that Debian
 */
export function requireWineChroot(cache: string): string {
  const root = join(cache, 'root');
  const stamp = join(root, '.recipe');
  const isReady = existsSync(stamp) && run('cat', [stamp]) === RECIPE;
  if (isReady) {
    mountSystemFolders(root);
    return root;
  }
  printLine(`Membuat Debian ${SUITE} dengan Wine di ${root} (hanya kali ini, beberapa menit) …`);
  const debootstrap = unpackDebootstrap(cache);
  rmSync(root, { recursive: true, force: true });
  run(join(debootstrap, 'usr/sbin/debootstrap'), ['--variant=minbase', '--include=ca-certificates', SUITE, root, readMirror()], {
    ...process.env,
    DEBOOTSTRAP_DIR: join(debootstrap, 'usr/share/debootstrap'),
  }); // prettier-ignore
  copyNetworkSettings(root);
  mountSystemFolders(root);
  const inside = (...words: string[]): string =>
    run('chroot', [root, ...words], { ...wineEnvironment, DEBIAN_FRONTEND: 'noninteractive' });
  inside('update-ca-certificates');
  inside('apt-get', 'update');
  inside('apt-get', 'install', '-y', '--no-install-recommends', 'wine', 'wine64', 'libfaketime');
  inside('apt-get', 'clean');
  // Wine's registry is written when its server ends; without it Node finds no source of random numbers.
  inside('wineboot', '-i');
  inside('wineserver', '-w');
  writeFileSync(`${stamp}.new`, RECIPE);
  renameSync(`${stamp}.new`, stamp);
  return root;
}
