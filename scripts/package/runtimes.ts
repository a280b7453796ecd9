import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { root, toolEnvironment } from '../bootstrap.mjs';
import type { BinaryTarget } from './targets.ts';

const CACHE = join(root, '.cache', 'runtimes');
/** The license of Node and of what it contains, in each runtime package. */
const LICENSE_FILE = 'LICENSE';

export type NodeRuntime = { version: string; file: string; licenseFile: string };
type LockedPackage = { version: string; integrity: string };

/** Returns the Node that package-lock.json names for a target: the installed one, else a cached download. */
export async function requireRuntime(target: BinaryTarget, onDownload: () => void): Promise<NodeRuntime> {
  const locked = requireLockedPackage(target.runtimePackage);
  const installed = join(root, 'node_modules', target.runtimePackage);
  if (existsSync(join(installed, target.nodePath)) && versionOf(installed) === locked.version) {
    return {
      version: locked.version,
      file: join(installed, target.nodePath),
      licenseFile: join(installed, LICENSE_FILE),
    };
  }
  const file = join(CACHE, `${target.runtimePackage}-${locked.version}${target.extension}`);
  const licenseFile = `${file}.${LICENSE_FILE}`;
  if (!existsSync(file) || !existsSync(licenseFile)) {
    onDownload();
    const licensePackage = target.licensePackage ?? target.runtimePackage;
    if (requireLockedPackage(licensePackage).version !== locked.version)
      throw new Error(`${licensePackage} di package-lock.json bukan versi ${locked.version}`);
    await download(licensePackage, LICENSE_FILE, licenseFile);
    await download(target.runtimePackage, target.nodePath, file);
    await chmod(file, 0o755);
  }
  return { version: locked.version, file, licenseFile };
}

function requireLockedPackage(name: string): LockedPackage {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const locked = lock.packages[`node_modules/${name}`];
  if (!locked) throw new Error(`package-lock.json tidak memuat ${name}; jalankan npm install dulu`);
  return locked;
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

/** Downloads one file of a package. */
async function download(name: string, entry: string, file: string): Promise<void> {
  const { version, integrity } = requireLockedPackage(name);
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'download-'));
  try {
    fetchPackage(`${name}@${version}`, folder);
    const [archiveName] = readdirSync(folder);
    if (archiveName === undefined) throw new Error('npm tidak mengirim apa pun');
    const archive = join(folder, archiveName);
    requireIntegrity(archive, integrity);
    const temporaryFile = join(folder, 'entry');
    await writeFile(temporaryFile, await readEntry(archive, `package/${entry}`));
    renameSync(temporaryFile, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Downloads through npm, because npm has this machine's settings for registry, proxy and certificates. */
function fetchPackage(name: string, folder: string): void {
  const args = ['pack', name, '--silent', '--pack-destination', folder];
  const npm = process.env['npm_execpath'];
  const options = { cwd: root, env: toolEnvironment(), stdio: 'pipe' as const };
  const { status } =
    npm === undefined
      ? spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [npm, ...args], options);
  if (status !== 0) throw new Error(`${name} tidak dapat diunduh; periksa koneksi ke registri npm, lalu jalankan lagi`);
}

/** @throws when the hash of the archive is not the one in package-lock.json */
function requireIntegrity(archive: string, integrity: string): void {
  const [algorithm = '', expected] = integrity.split('-', 2);
  const found = createHash(algorithm).update(readFileSync(archive)).digest('base64');
  if (found !== expected) throw new Error('isi unduhan tidak sama dengan yang dicatat di package-lock.json');
}

async function readEntry(archive: string, name: string): Promise<Buffer> {
  const entries = createReadStream(archive).pipe(createGunzip()).pipe(extract());
  for await (const entry of entries) {
    if (entry.header.name === name) return await buffer(entry);
    entry.resume();
  }
  throw new Error(`${name} tidak ada di dalam unduhan`);
}
