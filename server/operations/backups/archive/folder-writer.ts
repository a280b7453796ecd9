import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, linkSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, syncFolderSync } from '#server/files/atomic.ts';
import { MANIFEST_NAME, UNFINISHED_SUFFIX } from '../archive-names.ts';
import { BackupError } from '../backup-errors.ts';
import type { Throttle } from '../throttle.ts';
import { readEntry, readFolderManifest } from './archive-reader.ts';
import { buildManifest, type ArchiveWriter } from './archive-writer.ts';
import { type ArchiveEntry, type FolderManifest } from './manifest.ts';

/** Errors of a disk without hard links, of two disks, and of a file that has as many names as its disk allows. */
const NO_LINK_ERRORS = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EMLINK',
  'EINVAL',
  'EACCES',
  'EISDIR',
]);

/** Makes a second name for a file. @throws errors of the disk */
export type LinkFile = (existing: string, name: string) => void;

/** An archive in the same folder, whose files may be shared. */
export type PreviousArchive = { folder: string; manifest: FolderManifest };

/** @returns null for a folder that has no valid manifest */
export function findPreviousArchive(folder: string): PreviousArchive | null {
  try {
    return { folder, manifest: readFolderManifest(folder) };
  } catch {
    return null;
  }
}

/** Whether the disk of a folder has hard links: tried with the manifest of an archive that is there. */
export function canLink({ folder }: PreviousArchive, link: LinkFile = linkSync): boolean {
  // A sweep removes it by its name.
  const probe = `${folder}${UNFINISHED_SUFFIX}`;
  try {
    link(join(folder, MANIFEST_NAME), probe);
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}

type FolderWriterOptions = {
  previous: PreviousArchive | null;
  /** Whether a file is read, and compared with its hash, before it is shared. */
  checksShared: boolean;
  link?: LinkFile;
};

export type FolderWriter = ArchiveWriter & {
  /** Whether an entry was written, and not shared. */
  isWritten: (name: string) => boolean;
  /** Reads everything back that was written. @throws BackupError when it reads otherwise */
  readBack: () => Promise<void>;
};

/**
 * Writes an archive as a folder. What the archive before has already is shared by a hard link, so nothing may ever write into
 * a file of an archive. On a disk without hard links it is copied.
 * @param folder a folder that does not exist
 */
export function createFolderWriter(
  folder: string,
  throttle: Throttle,
  { previous, checksShared, link = linkSync }: FolderWriterOptions,
): FolderWriter {
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(join(folder, 'proofs'), { mode: 0o700 });
  const entries: ArchiveEntry[] = [];
  const written: ArchiveEntry[] = [];
  const shareable = new Map(previous?.manifest.entries.map((entry) => [entry.name, entry]));

  async function write(name: string, make: (write: (piece: Buffer) => Promise<void>) => Promise<void>) {
    const file = openSync(join(folder, name), 'wx', 0o600);
    const hash = createHash('sha256');
    let size = 0;
    try {
      await make(async (piece) => {
        hash.update(piece);
        size += piece.length;
        await throttle.write(file, piece);
      });
    } finally {
      closeSync(file);
    }
    return { name, size, sha256: hash.digest('hex') };
  }

  async function addPieces(name: string, make: Parameters<typeof write>[1]): Promise<void> {
    const entry = await write(name, make);
    entries.push(entry);
    written.push(entry);
  }

  /** @returns whether the file has the size and, if it is to be checked, the content that the manifest says */
  async function isWhole(source: string, entry: ArchiveEntry): Promise<boolean> {
    if (lstatSync(join(source, entry.name), { throwIfNoEntry: false })?.size !== entry.size) return false;
    return !checksShared || (await readEntry(source, entry.name, throttle)).sha256 === entry.sha256;
  }

  function tryLink(from: string, to: string): boolean {
    try {
      link(from, to);
      return true;
    } catch (error) {
      if (NO_LINK_ERRORS.has(errorCode(error) ?? '')) return false;
      throw error;
    }
  }

  /** An error of reading leaves the copy incomplete: its hash tells. @throws errors of writing */
  async function copyEntry(from: string, name: string, writePiece: (piece: Buffer) => Promise<void>): Promise<void> {
    let isWriting = false;
    try {
      await readEntry(from, name, throttle, async (piece) => {
        isWriting = true;
        await writePiece(piece);
        isWriting = false;
      });
    } catch (error) {
      if (isWriting) throw error;
    }
  }

  async function share(name: string, sha256?: string): Promise<boolean> {
    const entry = shareable.get(name);
    if (!previous || !entry || (sha256 !== undefined && sha256 !== entry.sha256)) return false;
    try {
      if (!(await isWhole(previous.folder, entry))) return false;
    } catch {
      // A damaged disk refuses to read it.
      return false;
    }
    if (tryLink(join(previous.folder, name), join(folder, name))) {
      entries.push(entry);
      return true;
    }
    const copied = await write(name, (writePiece) => copyEntry(previous.folder, name, writePiece));
    if (copied.sha256 !== entry.sha256) {
      rmSync(join(folder, name));
      return false;
    }
    entries.push(entry);
    written.push(entry);
    return true;
  }

  /** Late, when most of it is on the disk already. Windows syncs only files that are open for writing. */
  function syncAll(): void {
    for (const { name } of written) {
      const file = openSync(join(folder, name), 'r+');
      try {
        fdatasyncSync(file);
      } finally {
        closeSync(file);
      }
    }
    for (const path of [join(folder, 'proofs'), folder, dirname(folder)]) syncFolderSync(path);
  }

  return {
    addBytes: (name, bytes) => addPieces(name, (writePiece) => writePiece(bytes)),
    addPieces,
    share,
    isWritten: (name) => written.some((entry) => entry.name === name),

    async finish(about) {
      const manifest = buildManifest(about, entries);
      written.push(await write(MANIFEST_NAME, (writePiece) => writePiece(Buffer.from(JSON.stringify(manifest)))));
      syncAll();
      return manifest;
    },

    async readBack() {
      for (const { name, size, sha256 } of written) {
        const read = await readEntry(folder, name, throttle);
        if (read.size !== size || read.sha256 !== sha256) throw new BackupError(`${name} differs`);
      }
    },

    abort: () => rmSync(folder, { recursive: true, force: true }),
  };
}
