import { fdatasyncSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Bytes written between two syncs. A chat message that is synced at that moment waits too. Measured p99 of messages: three
 * times as long with 4 MiB, unchanged with 256 KiB.
 */
const SYNC_EVERY_BYTES = 256 * 1024;
/** Bytes read and hashed between two pauses. */
const PAUSE_EVERY_READ_BYTES = 1024 * 1024;
/** Pause for each millisecond of work. On a slow or busy disk the work takes longer, and so does the pause. */
const PAUSE_FACTOR = { write: 2, read: 1 };
const PAUSE_MAX_MS = 1000;
/** Without throttling, unsynced pages still must not fill the memory. */
const UNTHROTTLED_SYNC_EVERY_BYTES = 64 * 1024 * 1024;

/** Limits the load of a backup and counts its progress. */
export type Throttle = {
  /** Writes all bytes, in pieces. @param file descriptor @param position else where the last write ended */
  write: (file: number, bytes: Uint8Array, position?: number) => Promise<void>;
  /** Must be called after this many bytes were read or processed. */
  afterRead: (bytes: number) => Promise<void>;
};

/**
 * @param isThrottled a server runs beside the backup: sync small pieces and pause between them
 * @param onBytes called after each piece of work
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
    async write(file, bytes, position) {
      for (let done = 0; done < bytes.length;) {
        const at = position === undefined ? null : position + done;
        const length = writeSync(file, bytes, done, Math.min(SYNC_EVERY_BYTES, bytes.length - done), at);
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
