import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolderSync } from '#server/files/atomic.ts';

const UNFINISHED = '.pindah';
const REPORT_EVERY = 1000;

/** @returns bytes; undefined when there is no such file */
const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/** A file has its name only when it is whole and on the disk. */
function copyWhole(from: string, to: string): void {
  const unfinished = `${to}${UNFINISHED}`;
  try {
    copyFileSync(from, unfinished);
    const handle = openSync(unfinished, 'r+');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(unfinished, to);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/**
 * Copies files from one folder into another. A file never changes under its name, so one that is there already stays.
 * @param report called with the number of files so far, now and then
 * @returns the paths of those that are missing
 */
export function copyFiles(
  paths: readonly string[],
  { from, to, report }: { from: string; to: string; report: (count: number) => void },
): string[] {
  const missing: string[] = [];
  for (const folder of new Set(paths.map((path) => dirname(path))))
    mkdirSync(join(to, folder), { recursive: true, mode: 0o700 });
  for (const [index, path] of paths.entries()) {
    const [source, target] = [join(from, path), join(to, path)];
    const size = sizeOf(source);
    if (size === undefined) missing.push(path);
    else if (sizeOf(target) !== size) copyWhole(source, target);
    if ((index + 1) % REPORT_EVERY === 0) report(index + 1);
  }
  for (const folder of new Set(paths.map((path) => dirname(path)))) syncFolderSync(join(to, folder));
  return missing;
}
