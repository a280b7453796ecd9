import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type FolderSize = { count: number; sizeBytes: number };

/** Counting ten thousand images takes a second of waiting for the disk; nobody needs it truer than this. */
const CACHE_MS = 60_000;

async function measure(folder: string): Promise<FolderSize> {
  let count = 0;
  let sizeBytes = 0;
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile()) continue;
    // One that is removed at this moment no longer counts.
    const file = await stat(join(folder, entry.name)).catch(() => null);
    if (!file) continue;
    count += 1;
    sizeBytes += file.size;
  }
  return { count, sizeBytes };
}

/**
 * How much a folder holds, counted one file at a time off the event loop and remembered for a minute.
 * @param now epoch milliseconds
 */
export function createFolderSizeReader(folder: string, now: () => number): () => Promise<FolderSize> {
  let cached: { atMs: number; size: Promise<FolderSize> } | null = null;
  return () => {
    const atMs = now();
    if (!cached || atMs - cached.atMs >= CACHE_MS) {
      const size = measure(folder);
      cached = { atMs, size };
      size.catch(() => {
        cached = null;
      });
    }
    return cached.size;
  };
}
