import { createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { errorCode } from '#server/files/atomic.ts';

export type ZipWriter = {
  /** Packs a text that is made piece by piece. */
  addText: (name: string, pieces: Iterable<string> | AsyncIterable<string>) => Promise<void>;
  /** Adds an image or document as it is: packing it again gains nothing. @returns false when the file is gone */
  addFile: (name: string, path: string, atMs: number) => Promise<boolean>;
  /** @returns the size of the archive, which is on the disk then */
  finish: () => Promise<number>;
  /** Ends the writing after an error. */
  abort: () => Promise<void>;
};

/** Writes one entry after the other, so that memory holds a piece of one of them. */
export function createZipWriter(path: string, nowMs: number): ZipWriter {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const written = pipeline(output, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  // The step that waits for it throws it.
  written.catch(() => undefined);
  // Else an error of a source would end the thread.
  zip.on('error', (error: Error) => output.destroy(error));

  async function add(name: string, source: Readable, options: { mtime: Date; compress: boolean }): Promise<void> {
    zip.addReadStream(source, name, options);
    try {
      // A full disk ends the writing, and then nobody reads the source any more.
      await Promise.race([finished(source), written]);
    } finally {
      source.destroy();
    }
  }

  return {
    addText: (name, pieces) =>
      add(name, Readable.from(pieces, { objectMode: false }), { mtime: new Date(nowMs), compress: true }),

    async addFile(name, from, atMs) {
      try {
        const handle = await open(from, 'r');
        await add(name, handle.createReadStream(), { mtime: new Date(atMs), compress: false });
        return true;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return false;
        throw error;
      }
    },

    async finish() {
      zip.end();
      await written;
      const file = await open(path, 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      return (await stat(path)).size;
    },

    async abort() {
      output.destroy();
      await written.catch(() => undefined);
    },
  };
}
