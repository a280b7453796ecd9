import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { errorCode } from '#server/files/atomic.ts';
import { BackupError } from '../backup-errors.ts';
import {
  ARCHIVE_FORMAT,
  DATABASE_ENTRY,
  MANIFEST_ENTRY,
  MEMBER_BYTES,
  manifestSchema,
  findProofName,
  type Manifest,
} from './manifest.ts';
import type { Throttle } from '../throttle.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Enough for a manifest with millions of proofs. */
const MANIFEST_MAX_BYTES = 512 * 1024 * 1024;

/** Receives the content of an entry while an archive is read. The manifest is not passed to it. */
export type Sink = { write: (bytes: Buffer) => void; close: () => void };
type ReadEntry = Manifest['entries'][number];

const foreignArchiveError = (): BackupError =>
  new BackupError('Berkas ini bukan cadangan PBB Kita. Pilih berkas pbb-kita-….tar dari folder cadangan.');
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

function requireMatchingEntries(manifest: Manifest, actual: ReadEntry[]): void {
  if (manifest.entries.length !== actual.length)
    throw corruptArchiveError(`${actual.length} isi, seharusnya ${manifest.entries.length}`);
  for (const [index, expected] of manifest.entries.entries()) {
    const real = actual[index];
    if (real?.name !== expected.name || real.size !== expected.size || real.sha256 !== expected.sha256) {
      throw corruptArchiveError(expected.name);
    }
  }
}

/**
 * Reads a whole archive and compares each entry with the manifest, by order, size and hash.
 * @param openSink returns the sink for an entry; without it the content is only checked
 * @throws BackupError for a foreign, truncated or changed archive, and for names that lead out of the folder
 */
export async function readArchive(
  path: string,
  throttle: Throttle,
  openSink?: (entry: string) => Sink,
): Promise<Manifest> {
  const file = openSync(path, 'r');
  const found: ReadEntry[] = [];
  const names = new Set<string>();
  let manifest: Manifest | null = null;
  const extract = tar.extract();

  async function readEntries(): Promise<void> {
    for await (const entry of extract) {
      const content = entry as AsyncIterable<Buffer>;
      const { name, type } = entry.header;
      // No entry may follow the manifest, because the manifest would not list it.
      const isOurs = name === DATABASE_ENTRY || name === MANIFEST_ENTRY || findProofName(name) !== null;
      if (type !== 'file' || !isOurs || manifest !== null || names.has(name)) throw foreignArchiveError();
      names.add(name);
      if (name === MANIFEST_ENTRY) {
        if ((entry.header.size ?? 0) > MANIFEST_MAX_BYTES) throw corruptArchiveError(MANIFEST_ENTRY);
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
  return manifest;
}

/** @returns the offset of an entry's content. Our names are short, so each entry has one header of 512 bytes. */
function requireEntryOffset({ entries }: Manifest, name: string): number {
  let offset = 0;
  for (const entry of entries) {
    if (entry.name === name) return offset + 512;
    offset += 512 + Math.ceil(entry.size / 512) * 512;
  }
  throw corruptArchiveError(`${name} tidak ada`);
}

/**
 * Unpacks the database of an archive in pieces. The archive must have been read by `readArchive` before.
 * @throws BackupError when the database differs from the manifest
 */
export async function unpackDatabase(path: string, manifest: Manifest, throttle: Throttle, sink?: Sink): Promise<void> {
  const { size, sha256, members } = manifest.database;
  const file = openSync(path, 'r');
  const hash = createHash('sha256');
  let at = requireEntryOffset(manifest, DATABASE_ENTRY);
  let unpacked = 0;
  try {
    for (const length of members) {
      const packed = Buffer.allocUnsafe(length);
      if (readSync(file, packed, 0, length, at) !== length) throw corruptArchiveError(DATABASE_ENTRY);
      at += length;
      const bytes = gunzipSync(packed, { maxOutputLength: MEMBER_BYTES });
      unpacked += bytes.length;
      hash.update(bytes);
      sink?.write(bytes);
      await throttle.afterRead(bytes.length);
    }
  } catch (error) {
    if (/^(Z_|ERR_BUFFER_TOO_LARGE)/.test(errorCode(error) ?? '')) {
      throw corruptArchiveError(DATABASE_ENTRY);
    }
    throw error;
  } finally {
    closeSync(file);
    sink?.close();
  }
  if (unpacked !== size || hash.digest('hex') !== sha256) throw corruptArchiveError(DATABASE_ENTRY);
}
