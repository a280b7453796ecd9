import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Sqlite } from '#server/db/sqlite/connect.ts';
import { listReferencedFiles } from '#server/db/referenced-files.ts';
import { readCopyState } from '#server/operations/running-copy/copy-state.ts';
import type { Check } from './accounting.ts';
import { checkFileMessages, hashOf } from './file-accounting.ts';
import { sentMessages, type FileMessage, type Ledger } from './ledger.ts';

/** Behind by more, the copy breaks its promise. */
const BEHIND_MAX_MS = 60_000;
const COPY_FILES = ['pbb.sqlite', 'pbb.sqlite-wal'];

export type CopyLedger = {
  folder: string;
  /** The longest time that the copy was behind the acknowledgements, in milliseconds. */
  behindMs: number;
  /** Each first copy and each further one gets a file of its own. */
  bases: Set<number>;
  compared: number;
  /** Messages with files that had to be in a copy, and those of deleted histories that had to be gone, over all looks. */
  kept: number;
  cleared: number;
};

export const createCopyLedger = (folder: string): CopyLedger => ({
  folder,
  behindMs: 0,
  bases: new Set(),
  compared: 0,
  kept: 0,
  cleared: 0,
});

/** Opens the copy as plain SQLite does, in another folder, because opening it would change it. */
function withCopy<T>(folder: string, read: (sqlite: Sqlite) => T): T {
  const look = mkdtempSync(join(tmpdir(), 'pbb-copy-'));
  try {
    for (const name of COPY_FILES) if (existsSync(join(folder, name))) cpSync(join(folder, name), join(look, name));
    const sqlite = connect(join(look, 'pbb.sqlite'));
    try {
      return read(sqlite);
    } finally {
      sqlite.close();
    }
  } finally {
    rmSync(look, { recursive: true, force: true });
  }
}

function checkFiles(sqlite: Sqlite, folder: string, proofsDir: string): string[] {
  return listReferencedFiles(sqlite).flatMap((name) => {
    const copied = join(folder, 'proofs', name);
    const original = join(proofsDir, name);
    if (!existsSync(copied)) return [`the copy names ${name} and lacks it`];
    if (existsSync(original) && hashOf(copied) !== hashOf(original)) return [`${name} is not as it was uploaded`];
    return [];
  });
}

/** Acknowledged messages may be missing only for a minute. @returns how long the oldest missing one was acknowledged ago */
function measureBehind(sqlite: Sqlite, ledger: Ledger, atMs: number): number {
  const stored = new Set(sqlite.prepare<[], string>('select client_id from messages').pluck().all());
  const missing = [...sentMessages(ledger), ...ledger.fileMessages].filter(
    ({ clientId, acknowledgedAtMs }) => acknowledgedAtMs !== null && acknowledgedAtMs <= atMs && !stored.has(clientId),
  );
  return missing.reduce((longest, { acknowledgedAtMs }) => Math.max(longest, atMs - (acknowledgedAtMs ?? atMs)), 0);
}

/**
 * The copy has all that was acknowledged before its instant: messages with their files, and deletions. Deleted files may
 * stay for a minute (docs/requirements.md R-SYS-34).
 */
function checkCopiedMessages(copy: CopyLedger, sqlite: Sqlite, ledger: Ledger, killedAtMs: number): string[] {
  const copiedAtMs = readCopyState(copy.folder)?.atMs ?? 0;
  const clearedBefore = ({ clearedAtMs }: FileMessage, ms: number): boolean => clearedAtMs !== null && clearedAtMs < ms;
  const { kept, cleared, failures } = checkFileMessages(sqlite, join(copy.folder, 'proofs'), ledger, {
    state: (message) =>
      message.state === 'cleared'
        ? clearedBefore(message, copiedAtMs)
        : (message.acknowledgedAtMs ?? Infinity) < copiedAtMs,
    filesGone: (message) => clearedBefore(message, killedAtMs - BEHIND_MAX_MS),
  });
  copy.kept += kept;
  copy.cleared += cleared;
  return failures.map((failure) => `in the copy ${failure}`);
}

/** Checks the running copy right after the server was killed. @param atMs when it was killed */
export function checkRunningCopy(copy: CopyLedger, ledger: Ledger, proofsDir: string, atMs: number): Check {
  const name = 'the running copy is intact, a minute old at most, and has its files';
  const { folder } = copy;
  const base = statSync(join(folder, 'pbb.sqlite'), { throwIfNoEntry: false });
  if (!base) return { name, counted: 0, failures: copy.bases.size > 0 ? ['the copy is gone'] : [] };
  copy.bases.add(base.ino);
  copy.compared += 1;
  const failures = withCopy(folder, (sqlite) => {
    const integrity = sqlite.pragma('integrity_check', { simple: true });
    const behindMs = measureBehind(sqlite, ledger, atMs);
    copy.behindMs = Math.max(copy.behindMs, behindMs);
    return [
      ...(integrity === 'ok' ? [] : [String(integrity)]),
      ...(behindMs <= BEHIND_MAX_MS ? [] : [`a message of ${behindMs} ms ago is missing`]),
      ...checkFiles(sqlite, folder, proofsDir),
      ...checkCopiedMessages(copy, sqlite, ledger, atMs),
    ];
  });
  return { name, counted: 1, failures };
}
