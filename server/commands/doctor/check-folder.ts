import { constants, existsSync, readdirSync, statfsSync, statSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasAccess } from '#server/files/access.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import type { Settings } from '#server/settings.ts';
import type { Finding, Installation } from './check.ts';
import { checkWindowsAccess } from './windows-access.ts';

const FREE_MIN_BYTES = 1_000_000_000;
/** A backup needs the size of the data once more; an upgrade copies the database. */
const FREE_MIN_FACTOR = 2;
const LISTED_NAMES_MAX = 3;
/** The subfolders that the server writes. */
const DATA_SUBFOLDERS = ['backups', 'proofs', 'logs', 'tls', 'tls/acme'];

export function checkMissingFolder({ settings: { dataDir } }: Installation): Finding {
  let parent = dirname(dataDir);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  const what = 'folder data belum ada; dibuat saat server dinyalakan';
  if (mayWrite(parent)) return { what };
  return { what: `${what}, tetapi "${parent}" tidak dapat ditulis`, advice: 'Pilih folder lain dengan DATA_DIR.' };
}

const mayWrite = (path: string): boolean => hasAccess(path, constants.R_OK | constants.W_OK);

/** Checks that the server can write all files, that they have one owner, and that other users cannot read them. */
export function* checkPermissions({ settings: { dataDir } }: Installation): Generator<Finding> {
  const entries = ['', ...readdirSync(dataDir), ...listNamesBelow(dataDir)].flatMap((name) => {
    const path = join(dataDir, name);
    // Files of SQLite (-wal, -shm) may disappear while a server runs.
    const about = statOrUndefined(path);
    return about ? [{ name: name || 'folder data', path, about }] : [];
  });
  const namesOf = (isWrong: (entry: (typeof entries)[number]) => boolean): string => {
    const names = entries.filter((entry) => isWrong(entry)).map(({ name }) => name);
    const more = names.length - LISTED_NAMES_MAX;
    return `${names.slice(0, LISTED_NAMES_MAX).join(', ')}${more > 0 ? `, dan ${more} lagi` : ''}`;
  };

  const locked = namesOf(({ path }) => existsSync(path) && !mayWrite(path));
  yield locked === ''
    ? { what: 'folder data dapat ditulis' }
    : {
        what: `tidak dapat ditulis oleh pengguna ini: ${locked}`,
        advice: 'Jalankan sebagai pengguna yang menjalankan server, atau perbaiki pemilik dan hak berkas itu.',
      };
  // Windows has access lists in place of owners and modes.
  if (process.platform === 'win32') {
    yield checkWindowsAccess(dataDir);
    return;
  }
  const owner = entries[0]?.about.uid;
  const foreign = namesOf(({ about }) => about.uid !== owner);
  // Files in a closed folder need no check: other users cannot reach them.
  const open = namesOf(({ name, about }) => !name.includes('/') && about.isFile() && (about.mode & 0o077) !== 0);
  if (foreign !== '') {
    yield {
      what: `pemiliknya bukan pemilik folder data: ${foreign}`,
      advice: `Sebagai root: chown -R --reference="${dataDir}" "${dataDir}"`,
    };
  }
  if (open !== '') {
    yield {
      what: `dapat dibaca pengguna lain di komputer ini: ${open}`,
      advice: `Jalankan: chmod -R go= "${dataDir}"`,
    };
  }
  if (foreign === '' && open === '') yield { what: 'berkas hanya terbuka bagi pemiliknya' };
}

function listNamesBelow(dataDir: string): string[] {
  return DATA_SUBFOLDERS.flatMap((folder) => {
    try {
      return readdirSync(join(dataDir, folder)).map((name) => `${folder}/${name}`);
    } catch {
      // The folder does not exist, or it is closed; the caller reports a closed folder itself.
      return [];
    }
  });
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The folder that holds photos and documents: with PostgreSQL it may be another one, which all processes share. */
export const filesFolder = ({ filesDir, dataDir }: Settings): string => filesDir ?? dataDir;

export async function checkDiskSpace({ settings }: Installation): Promise<Finding | null> {
  const dataDir = filesFolder(settings);
  // Its own check reports a folder that is missing.
  if (!existsSync(dataDir)) return null;
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const files = ['pbb.sqlite', 'pbb.sqlite-wal'].map((name) => join(dataDir, name));
  const proofs = (await readdir(join(dataDir, 'proofs')).catch(() => [])).map((name) => join(dataDir, 'proofs', name));
  let used = 0;
  for (const file of [...files, ...proofs]) used += (await stat(file).catch(() => null))?.size ?? 0;
  const wanted = Math.max(FREE_MIN_BYTES, used * FREE_MIN_FACTOR);
  const what = `ruang disk: ${formatBytes(free)} kosong; data ${formatBytes(used)}`;
  return free >= wanted
    ? { what }
    : { what, advice: `Sisakan paling sedikit ${formatBytes(wanted)}: kosongkan disk, atau pindahkan folder data.` };
}
