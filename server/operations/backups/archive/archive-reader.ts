import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { errorCode } from '#server/files/atomic.ts';
import { MANIFEST_NAME } from '../archive-names.ts';
import { BackupError } from '../backup-errors.ts';
import { FRAME_HEADER_BYTES, hashAll, hashPage, LOG_HEADER_BYTES, PAGE_HASH_BYTES } from './database-pages.ts';
import {
  ARCHIVE_FORMAT,
  CHANGES_ENTRY,
  DATABASE_ENTRY,
  isEntryName,
  MEMBER_BYTES,
  manifestSchema,
  PAGE_HASHES_ENTRY,
  type ArchiveEntry,
  type Manifest,
  type PagedDatabase,
} from './manifest.ts';
import type { Throttle } from '../throttle.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Enough for a manifest with millions of proofs. */
const MANIFEST_MAX_BYTES = 512 * 1024 * 1024;

/** Receives the content of an entry while an archive is read. The manifest is not passed to it. */
export type Sink = { write: (bytes: Buffer) => void; close: () => void };
/** Receives a database, whose pages come in any order. `at` counts bytes from the beginning. */
export type DatabaseSink = { write: (bytes: Buffer, at: number) => void; close: () => void };

const foreignArchiveError = (): BackupError =>
  new BackupError('Ini bukan cadangan PBB Kita. Pilih folder atau berkas pbb-kita-… dari folder cadangan.');
const corruptArchiveError = (what: string): BackupError =>
  new BackupError(`Cadangan ini rusak atau tidak lengkap (${what}). Pilih cadangan lain.`);

async function* readChunks(file: number, throttle: Throttle): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(file, chunk);
    if (length === 0) return;
    await throttle.afterRead(length);
    yield chunk.subarray(0, length);
  }
}

/** @throws BackupError for an invalid manifest, or a format of a newer program */
function parseManifest(bytes: Buffer): Manifest {
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw corruptArchiveError('manifest.json');
  }
  const format = typeof content === 'object' && content !== null && 'format' in content ? content.format : null;
  if (typeof format === 'number' && format > ARCHIVE_FORMAT) {
    throw new BackupError(
      'Cadangan ini dibuat oleh PBB Kita yang lebih baru daripada program ini. Pasang versi yang sama atau lebih baru, lalu ulangi.',
    );
  }
  const parsed = manifestSchema.safeParse(content);
  if (!parsed.success) throw corruptArchiveError('manifest.json');
  return parsed.data;
}

/** A tar that was packed for a download has another order than its manifest. */
function requireMatchingEntries(manifest: Manifest, actual: ArchiveEntry[]): void {
  if (manifest.entries.length !== actual.length)
    throw corruptArchiveError(`${actual.length} isi, seharusnya ${manifest.entries.length}`);
  const found = new Map(actual.map((entry) => [entry.name, entry]));
  for (const { name, size, sha256 } of manifest.entries) {
    const real = found.get(name);
    if (real?.size !== size || real.sha256 !== sha256) throw corruptArchiveError(name);
  }
}

export const isArchiveFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Opens a file of an archive that is a folder. Links are not followed: they could lead to any file of this computer.
 * @returns a descriptor
 * @throws BackupError when there is no such file
 */
export function openEntry(folder: string, name: string): number {
  const isInside = name
    .split('/')
    .slice(0, -1)
    .every((part) => isArchiveFolder(join(folder, part)));
  const path = join(folder, name);
  // Windows has no O_NOFOLLOW.
  if (!isInside || !lstatSync(path, { throwIfNoEntry: false })?.isFile())
    throw corruptArchiveError(`${name} tidak ada`);
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw corruptArchiveError(name);
}

/** @throws BackupError when it is no manifest, or not one of this folder's format */
export function readFolderManifest(folder: string): Extract<Manifest, { format: typeof ARCHIVE_FORMAT }> {
  if (!lstatSync(join(folder, MANIFEST_NAME), { throwIfNoEntry: false })) throw foreignArchiveError();
  const file = openEntry(folder, MANIFEST_NAME);
  try {
    if (fstatSync(file).size > MANIFEST_MAX_BYTES) throw corruptArchiveError(MANIFEST_NAME);
    const manifest = parseManifest(readFileSync(file));
    if (manifest.format !== ARCHIVE_FORMAT) throw corruptArchiveError(MANIFEST_NAME);
    const names = manifest.entries.map(({ name }) => name);
    const isOurs = names.every((name) => isEntryName(name) && name !== MANIFEST_NAME);
    if (!isOurs || new Set(names).size !== names.length) throw foreignArchiveError();
    return manifest;
  } finally {
    closeSync(file);
  }
}

/** Reads one file of an archive that is a folder. @returns its size in bytes and its SHA-256 */
export async function readEntry(
  folder: string,
  name: string,
  throttle: Throttle,
  write: (bytes: Buffer) => void | Promise<void> = () => undefined,
): Promise<ArchiveEntry> {
  const file = openEntry(folder, name);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of readChunks(file, throttle)) {
      hash.update(chunk);
      size += chunk.length;
      await write(chunk);
    }
    return { name, size, sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}

/** Other files, such as those that a file manager leaves in a folder, do no harm. */
async function readFolder(folder: string, throttle: Throttle, openSink?: (entry: string) => Sink): Promise<Manifest> {
  const manifest = readFolderManifest(folder);
  for (const expected of manifest.entries) {
    const sink = openSink?.(expected.name);
    try {
      const { size, sha256 } = await readEntry(folder, expected.name, throttle, sink?.write);
      if (size !== expected.size || sha256 !== expected.sha256) throw corruptArchiveError(expected.name);
    } finally {
      sink?.close();
    }
  }
  return manifest;
}

/**
 * Reads a whole archive and compares each entry with the manifest, by name, size and hash.
 * @param path a folder, or a tar
 * @param openSink returns the sink for an entry; without it the content is only checked
 * @returns the manifest, with its entries in the order of the archive
 * @throws BackupError for a foreign, truncated or changed archive, and for names that lead out of the folder
 */
export function readArchive(path: string, throttle: Throttle, openSink?: (entry: string) => Sink): Promise<Manifest> {
  return isArchiveFolder(path) ? readFolder(path, throttle, openSink) : readTar(path, throttle, openSink);
}

async function readTar(path: string, throttle: Throttle, openSink?: (entry: string) => Sink): Promise<Manifest> {
  const file = openSync(path, 'r');
  const found: ArchiveEntry[] = [];
  const names = new Set<string>();
  let manifest: Manifest | null = null;
  const extract = tar.extract();

  async function readEntries(): Promise<void> {
    for await (const entry of extract) {
      const content = entry as AsyncIterable<Buffer>;
      const { name, type } = entry.header;
      // No entry may follow the manifest, because the manifest would not list it.
      if (type !== 'file' || !isEntryName(name) || manifest !== null || names.has(name)) throw foreignArchiveError();
      names.add(name);
      if (name === MANIFEST_NAME) {
        if ((entry.header.size ?? 0) > MANIFEST_MAX_BYTES) throw corruptArchiveError(MANIFEST_NAME);
        const chunks: Buffer[] = [];
        for await (const chunk of content) chunks.push(chunk);
        manifest = parseManifest(Buffer.concat(chunks));
        continue;
      }
      const sink = openSink?.(name);
      const hash = createHash('sha256');
      let size = 0;
      try {
        for await (const chunk of content) {
          hash.update(chunk);
          size += chunk.length;
          sink?.write(chunk);
        }
      } finally {
        sink?.close();
      }
      found.push({ name, size, sha256: hash.digest('hex') });
    }
  }

  try {
    await Promise.all([
      pipeline(Readable.from(readChunks(file, throttle), { objectMode: true }), extract),
      readEntries(),
    ]);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const reason = error instanceof Error ? error.message : '';
    // Errors of tar-stream have no code. Errors of the disk or a sink have one.
    if (reason.startsWith('Invalid tar header'))
      throw names.size > 0 ? corruptArchiveError('susunan berkas') : foreignArchiveError();
    if (/^(Unexpected end of data|Invalid header|Header exceeds)/.test(reason)) throw corruptArchiveError('terpotong');
    throw error;
  } finally {
    closeSync(file);
  }
  if (manifest === null) throw names.size > 0 ? corruptArchiveError('manifest.json tidak ada') : foreignArchiveError();
  requireMatchingEntries(manifest, found);
  return Object.assign(manifest, { entries: found });
}

/** @returns the offset of an entry's content. Our names are short, so each entry has one header of 512 bytes. */
function requireTarOffset({ entries }: Manifest, name: string): number {
  let offset = 0;
  for (const entry of entries) {
    if (entry.name === name) return offset + 512;
    offset += 512 + Math.ceil(entry.size / 512) * 512;
  }
  throw corruptArchiveError(`${name} tidak ada`);
}

/** Unpacks the gzip members of an entry one after the other. */
async function* unpackMembers(
  path: string,
  manifest: Manifest,
  { name, members }: { name: string; members: readonly number[] },
  throttle: Throttle,
): AsyncGenerator<Buffer> {
  const isFolder = isArchiveFolder(path);
  const file = isFolder ? openEntry(path, name) : openSync(path, 'r');
  let at = isFolder ? 0 : requireTarOffset(manifest, name);
  try {
    for (const length of members) {
      const packed = Buffer.allocUnsafe(length);
      if (readSync(file, packed, 0, length, at) !== length) throw corruptArchiveError(name);
      at += length;
      const bytes = unpackMember(packed, name);
      yield bytes;
      await throttle.afterRead(bytes.length);
    }
  } finally {
    closeSync(file);
  }
}

function unpackMember(packed: Buffer, name: string): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: MEMBER_BYTES });
  } catch (error) {
    if (/^(Z_|ERR_BUFFER_TOO_LARGE)/.test(errorCode(error) ?? '')) throw corruptArchiveError(name);
    throw error;
  }
}

/**
 * Unpacks the database of an archive in pieces. The archive must have been read by `readArchive` before.
 * @param knownBase the hashes of the pages of `DATABASE_ENTRY`, when that entry was unpacked and checked before: it is left
 * out then
 * @throws BackupError when the database differs from the manifest
 */
export async function unpackDatabase(
  path: string,
  manifest: Manifest,
  throttle: Throttle,
  { sink, knownBase }: { sink?: DatabaseSink; knownBase?: Buffer } = {},
): Promise<void> {
  try {
    if (manifest.format === 1) await unpackWholeDatabase(path, manifest, throttle, sink);
    else await unpackPages(path, manifest, throttle, { sink, knownBase });
  } finally {
    sink?.close();
  }
}

async function unpackWholeDatabase(
  path: string,
  manifest: Extract<Manifest, { format: 1 }>,
  throttle: Throttle,
  sink?: DatabaseSink,
): Promise<void> {
  const { size, sha256, members } = manifest.database;
  const hash: Hash = createHash('sha256');
  let unpacked = 0;
  for await (const bytes of unpackMembers(path, manifest, { name: DATABASE_ENTRY, members }, throttle)) {
    hash.update(bytes);
    sink?.write(bytes, unpacked);
    unpacked += bytes.length;
  }
  if (unpacked !== size || hash.digest('hex') !== sha256) throw corruptArchiveError(DATABASE_ENTRY);
}

/** Hashes the pages of a database while they are read. @returns the hashes, as long as the larger of both states */
function createHashes({ pages, base_pages, page_size, base_members, changes_members }: PagedDatabase): Buffer {
  const count = Math.max(pages, base_pages);
  // More than the members can hold would only take memory.
  if (count * page_size > (base_members.length + changes_members.length) * MEMBER_BYTES) {
    throw corruptArchiveError(MANIFEST_NAME);
  }
  return Buffer.alloc(count * PAGE_HASH_BYTES);
}

async function unpackPages(
  path: string,
  manifest: Extract<Manifest, { format: typeof ARCHIVE_FORMAT }>,
  throttle: Throttle,
  { sink, knownBase }: { sink: DatabaseSink | undefined; knownBase: Buffer | undefined },
): Promise<void> {
  const { database } = manifest;
  const { page_size: pageSize, pages, base_pages: basePages } = database;
  const hashes = createHashes(database);
  /** @throws BackupError for a page that the database does not have */
  const takeHash = (index: number, page: Buffer, limit: number, name: string): void => {
    if (index >= limit) throw corruptArchiveError(name);
    hashPage(page).copy(hashes, index * PAGE_HASH_BYTES);
  };

  if (knownBase) knownBase.copy(hashes);
  else {
    const base = { name: DATABASE_ENTRY, members: database.base_members };
    let index = 0;
    for await (const bytes of unpackMembers(path, manifest, base, throttle)) {
      // A database that became smaller has fewer pages than before.
      sink?.write(bytes.subarray(0, Math.max(0, (pages - index) * pageSize)), index * pageSize);
      for (let at = 0; at < bytes.length; at += pageSize, index += 1) {
        takeHash(index, bytes.subarray(at, at + pageSize), basePages, DATABASE_ENTRY);
      }
    }
  }
  // The next archives compare their pages with these hashes.
  const baseHash = hashAll(hashes.subarray(0, basePages * PAGE_HASH_BYTES));
  if (manifest.entries.find(({ name }) => name === PAGE_HASHES_ENTRY)?.sha256 !== baseHash) {
    throw corruptArchiveError(PAGE_HASHES_ENTRY);
  }

  const changes = { name: CHANGES_ENTRY, members: database.changes_members };
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  let isFirst = true;
  for await (const bytes of changes.members.length > 0 ? unpackMembers(path, manifest, changes, throttle) : []) {
    const start: number = isFirst ? LOG_HEADER_BYTES : 0;
    isFirst = false;
    if ((bytes.length - start) % frameBytes !== 0) throw corruptArchiveError(CHANGES_ENTRY);
    for (let at = start; at < bytes.length; at += frameBytes) {
      const page = bytes.subarray(at + FRAME_HEADER_BYTES, at + frameBytes);
      const index = bytes.readUInt32BE(at) - 1;
      takeHash(index, page, pages, CHANGES_ENTRY);
      sink?.write(page, index * pageSize);
    }
  }
  if (hashAll(hashes.subarray(0, pages * PAGE_HASH_BYTES)) !== database.sha256)
    throw corruptArchiveError(DATABASE_ENTRY);
}
