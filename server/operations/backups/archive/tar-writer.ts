import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import tar from 'tar-stream';
import { buildManifest, type ArchiveWriter } from './archive-writer.ts';
import { type ArchiveEntry } from './manifest.ts';
import { MANIFEST_NAME } from '../archive-names.ts';
import type { Throttle } from '../throttle.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Writes one tar. It reads and writes synchronously in its own thread, so that the thread pool stays free for the server.
 * @param path a file that does not exist
 * @param spool another one, for content whose size must be known before it is added
 */
export function createTarWriter(path: string, spool: string, throttle: Throttle, madeAt: Date): ArchiveWriter {
  const file = openSync(path, 'wx', 0o600);
  let isOpen = true;
  const pack = tar.pack();
  const entries: ArchiveEntry[] = [];

  let writeError: unknown;

  async function write(chunk: Buffer): Promise<void> {
    try {
      await throttle.write(file, chunk);
    } catch (error) {
      writeError ??= error;
      throw error;
    }
  }
  const written = (async () => {
    for await (const chunk of pack as AsyncIterable<Buffer>) await write(chunk);
  })();
  // Each entry awaits this promise too. This handler prevents an unhandled rejection between two entries.
  written.catch(() => undefined);

  /** After a write error an entry would never end, so the wait for it ends too. */
  async function writeEntry(name: string, size: number, fill: (sink: ReturnType<typeof pack.entry>) => Promise<void>) {
    const done = Promise.withResolvers<void>();
    done.promise.catch(() => undefined);
    try {
      const header = { name, size, mode: 0o600, mtime: madeAt };
      const sink = pack.entry(header, (error) => (error ? done.reject(error) : done.resolve()));
      await Promise.race([fill(sink).then(() => done.promise), written.then(() => done.promise)]);
    } catch (error) {
      // The streams only report that they were closed. The error of the disk says why.
      throw writeError ?? error;
    }
  }

  async function addBytes(name: string, bytes: Buffer): Promise<void> {
    await writeEntry(name, bytes.length, async (sink) => void sink.end(bytes));
    entries.push({ name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }

  function close(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }

  async function addFile(name: string, from: string): Promise<void> {
    const source = openSync(from, 'r');
    const hash = createHash('sha256');
    const { size } = fstatSync(source);
    try {
      await writeEntry(name, size, async (sink) => {
        for (;;) {
          const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
          const length = readSync(source, chunk);
          if (length === 0) break;
          const bytes = chunk.subarray(0, length);
          hash.update(bytes);
          if (!sink.write(bytes)) await once(sink, 'drain');
        }
        sink.end(null);
      });
    } finally {
      closeSync(source);
    }
    entries.push({ name, size, sha256: hash.digest('hex') });
  }

  return {
    addBytes,

    async addPieces(name, make) {
      const spooled = openSync(spool, 'wx', 0o600);
      try {
        await make((piece) => throttle.write(spooled, piece));
      } finally {
        closeSync(spooled);
      }
      await addFile(name, spool);
      rmSync(spool);
    },

    share: async () => false,

    async finish(about) {
      const manifest = buildManifest(about, entries);
      await addBytes(MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)));
      pack.finalize();
      await written;
      fdatasyncSync(file);
      close();
      return manifest;
    },

    abort() {
      pack.destroy(new Error('the archive was abandoned'));
      close();
      for (const unfinished of [path, spool]) rmSync(unfinished, { force: true });
    },
  };
}
