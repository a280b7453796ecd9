import { fdatasyncSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Written between two syncs. Whoever syncs a message at that moment waits for it too: at 4 MiB their p99 was seen to grow
 * threefold, at 256 KiB not at all.
 */
const SYNC_EVERY_BYTES = 256 * 1024;
/** Read and hashed between two rests. */
const PAUSE_EVERY_READ_BYTES = 1024 * 1024;
/** Rest for each millisecond of work: where the disk is slow or busy, work takes longer and so does the rest. */
const PAUSE_FACTOR = { write: 2, read: 1 };
const PAUSE_MAX_MS = 1000;
/** Without rests dirty pages still must not fill the memory. */
const UNTHROTTLED_SYNC_EVERY_BYTES = 64 * 1024 * 1024;

/** How hard a backup works, and how far it has come. */
export type Throttle = {
  /** Writes all of it, piece by piece. @param file descriptor */
  write: (file: number, bytes: Uint8Array) => Promise<void>;
  /** Tells of so much that was read or worked on. */
  afterRead: (bytes: number) => Promise<void>;
};

/**
 * @param isThrottled a server answers people on this machine: sync little by little and rest between
 * @param onBytes hears of every piece of work
 */
export function createThrottle(isThrottled: boolean, onBytes: (bytes: number) => void = () => undefined): Throttle {
  let written = 0;
  let read = 0;
  let workStartedAtMs = performance.now();

  async function pause(share: number): Promise<void> {
    if (isThrottled) await sleep(Math.min(PAUSE_MAX_MS, (performance.now() - workStartedAtMs) * share));
    workStartedAtMs = performance.now();
  }

  return {
    async write(file, bytes) {
      for (let done = 0; done < bytes.length;) {
        const length = writeSync(file, bytes, done, Math.min(SYNC_EVERY_BYTES, bytes.length - done));
        done += length;
        written += length;
        onBytes(length);
        if (written < (isThrottled ? SYNC_EVERY_BYTES : UNTHROTTLED_SYNC_EVERY_BYTES)) continue;
        written = 0;
        fdatasyncSync(file);
        await pause(PAUSE_FACTOR.write);
      }
    },
    async afterRead(bytes) {
      onBytes(bytes);
      read += bytes;
      if (read < PAUSE_EVERY_READ_BYTES) return;
      read = 0;
      await pause(PAUSE_FACTOR.read);
    },
  };
}
