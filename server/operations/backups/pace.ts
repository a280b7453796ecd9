import { fdatasyncSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Written between two syncs. Whoever syncs a message at that moment waits for it too: at 4 MiB their p99 was seen to grow
 * threefold, at 256 KiB not at all.
 */
const WRITE_BYTES = 256 * 1024;
/** Read and hashed between two rests. */
const READ_BYTES = 1024 * 1024;
/** Rest for each millisecond of work: where the disk is slow or busy, work takes longer and so does the rest. */
const REST_SHARE = { write: 2, read: 1 };
const REST_MAX_MS = 1000;
/** Without rests dirty pages still must not fill the memory. */
const HURRIED_BYTES = 64 * 1024 * 1024;

/** How hard a backup works, and how far it has come. */
export type Pace = {
  /** Writes all of it, piece by piece. @param file descriptor */
  write: (file: number, bytes: Uint8Array) => Promise<void>;
  /** Tells of so much that was read or worked on. */
  read: (bytes: number) => Promise<void>;
};

/**
 * @param isGentle a server answers people on this machine: sync little by little and rest between
 * @param onBytes hears of every piece of work
 */
export function createPace(isGentle: boolean, onBytes: (bytes: number) => void = () => undefined): Pace {
  let written = 0;
  let read = 0;
  let since = performance.now();

  async function rest(share: number): Promise<void> {
    if (isGentle) await sleep(Math.min(REST_MAX_MS, (performance.now() - since) * share));
    since = performance.now();
  }

  return {
    async write(file, bytes) {
      for (let done = 0; done < bytes.length;) {
        const length = writeSync(file, bytes, done, Math.min(WRITE_BYTES, bytes.length - done));
        done += length;
        written += length;
        onBytes(length);
        if (written < (isGentle ? WRITE_BYTES : HURRIED_BYTES)) continue;
        written = 0;
        fdatasyncSync(file);
        await rest(REST_SHARE.write);
      }
    },
    async read(bytes) {
      onBytes(bytes);
      read += bytes;
      if (read < READ_BYTES) return;
      read = 0;
      await rest(REST_SHARE.read);
    },
  };
}
