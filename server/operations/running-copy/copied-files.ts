import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { errorCode, renameAndSyncFolder } from '#server/files/atomic.ts';
import { isProofName } from '../backups/archive/manifest.ts';
import type { Throttle } from '../backups/throttle.ts';
import { SMALL_PARTS, UNFINISHED_SUFFIX } from './copy-state.ts';

/** Copies the files beside the database. A file of `proofs` never changes under its name. */

const PIECE_BYTES = 256 * 1024;
/** A folder changed so lately that its time may not show the next change. File systems keep times of up to two seconds. */
const RECENT_MS = 2500;

/** @returns false when the original is gone */
async function copyWhole(from: string, to: string, throttle: Throttle): Promise<boolean> {
  let source: number;
  try {
    source = openSync(from, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  const unfinished = `${to}${UNFINISHED_SUFFIX}`;
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    rmSync(unfinished, { force: true });
    const target = openSync(unfinished, 'wx', 0o600);
    try {
      for (;;) {
        const piece = Buffer.allocUnsafe(PIECE_BYTES);
        const length = readSync(source, piece);
        if (length === 0) break;
        await throttle.write(target, piece.subarray(0, length));
      }
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
    renameAndSyncFolder(unfinished, to);
    return true;
  } finally {
    closeSync(source);
  }
}

const fileNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** @returns the files of `tls` and the like, relative to the data folder */
function listSmallFiles(dataDir: string): string[] {
  const walk = (path: string): string[] => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return [];
    if (!stats.isDirectory()) return [path];
    return readdirSync(path).flatMap((name) => walk(join(path, name)));
  };
  return SMALL_PARTS.flatMap((part) => walk(join(dataDir, part)))
    .map((path) => relative(dataDir, path))
    .filter((path) => !/\.(new|part)$/.test(path));
}

/** @param folder of the copy @param now in epoch milliseconds */
export function createCopiedFiles(dataDir: string, folder: string, now: () => number) {
  const proofsDir = join(dataDir, 'proofs');
  const copyDir = join(folder, 'proofs');
  mkdirSync(copyDir, { recursive: true, mode: 0o700 });
  const copied = new Set(fileNames(copyDir).filter((name) => isProofName(name)));
  for (const name of fileNames(copyDir).filter((left) => left.endsWith(UNFINISHED_SUFFIX))) rmSync(join(copyDir, name));
  const smallTimes = new Map<string, number>();
  let listed: { present: Set<string>; changedMs: number; isFinal: boolean } | null = null;
  let compared: { present: Set<string>; missing: string[]; gone: string[] } | null = null;

  /** Reads the folder only when it has changed, or when its last change was too recent at the last reading. */
  function listPresent(): Set<string> {
    const nowMs = now();
    const changedMs = statSync(proofsDir, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (listed?.isFinal && changedMs === listed.changedMs) return listed.present;
    const names = fileNames(proofsDir).filter((name) => isProofName(name) && !name.endsWith(UNFINISHED_SUFFIX));
    listed = { present: new Set(names), changedMs, isFinal: nowMs - changedMs > RECENT_MS };
    return listed.present;
  }

  /** Compares the folders only when one of them has changed: an office has many files, and a look comes after each log. */
  function compare(): { missing: string[]; gone: string[] } {
    const present = listPresent();
    if (compared?.present === present) return compared;
    const missing = [...present].filter((name) => !copied.has(name));
    const gone = [...copied].filter((name) => !present.has(name));
    compared = { present, missing, gone };
    return compared;
  }

  return {
    /** The files that the copy lacks, with their sizes. */
    missing(): { name: string; bytes: number }[] {
      return compare().missing.map((name) => ({
        name,
        bytes: statSync(join(proofsDir, name), { throwIfNoEntry: false })?.size ?? 0,
      }));
    },

    /** A file that is gone meanwhile is left out. */
    async add(name: string, throttle: Throttle): Promise<void> {
      if (!(await copyWhole(join(proofsDir, name), join(copyDir, name), throttle))) return;
      copied.add(name);
      compared = null;
    },

    /** The files of the copy that the data folder has no more. */
    gone(): string[] {
      return compare().gone;
    },

    /** The database of the copy must not name them any more. */
    remove(names: readonly string[]): void {
      for (const name of names) {
        rmSync(join(copyDir, name), { force: true });
        copied.delete(name);
      }
      compared = null;
    },

    /** Copies settings, keys and certificates that have changed, and removes those that are gone. */
    async copySmallFiles(throttle: Throttle): Promise<void> {
      const names = listSmallFiles(dataDir);
      for (const name of names) {
        const changedMs = statSync(join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs;
        if (changedMs === undefined || smallTimes.get(name) === changedMs) continue;
        await copyWhole(join(dataDir, name), join(folder, name), throttle);
        smallTimes.set(name, changedMs);
      }
      const kept = new Set(names);
      for (const name of listSmallFiles(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
    },
  };
}
export type CopiedFiles = ReturnType<typeof createCopiedFiles>;
