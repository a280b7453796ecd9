import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type FolderSize = { count: number; sizeBytes: number };

/** Measuring ten thousand images takes about a second of disk access; a size one minute old is good enough. */
const CACHE_MS = 60_000;

async function measure(folder: string): Promise<FolderSize> {
  let count = 0;
  let sizeBytes = 0;
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile()) continue;
    // Null when the file was removed meanwhile.
    const file = await stat(join(folder, entry.name)).catch(() => null);
    if (!file) continue;
    count += 1;
    sizeBytes += file.size;
  }
  return { count, sizeBytes };
}

/**
 * Measures a folder, one file at a time so that the event loop stays free, and caches the result for a minute.
 * @param now epoch milliseconds
 */
export function createFolderSizeReader(folder: string, now: () => number): () => Promise<FolderSize> {
  let cached: { atMs: number; size: Promise<FolderSize> } | null = null;
  return () => {
    const atMs = now();
    // A clock that was set back must not keep an old size.
    if (!cached || Math.abs(atMs - cached.atMs) >= CACHE_MS) {
      const size = measure(folder);
      cached = { atMs, size };
      size.catch(() => {
        cached = null;
      });
    }
    return cached.size;
  };
}
