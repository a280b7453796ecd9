import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { programResources } from '#server/files/program-resources.ts';
import { DAY_MS } from '#shared/durations.ts';
import { root } from '../../bootstrap.mjs';
import { type BenchUser, SECRET, signToken } from '../seed-data.ts';
import { type MadeData, makeRegencyData, type RegencySizes, type SessionOf, sizesOf } from './regency-data.ts';

/** A data folder that a server may change, with signed-in accounts. */
export type RegencyCopy = {
  sizes: RegencySizes;
  dataDir: string;
  databaseFile: string;
  admins: BenchUser[];
  users: BenchUser[];
  vocabulary: string[];
  /** The moment at which some conversations wait again, if it is not past already. */
  snoozesEndAtMs: number;
};

const CACHE = join(root, '.cache', 'regency');
/** Until then the search index is filled, which takes longer with more messages. */
const snoozesEndAfterMs = (messages: number): number => 60_000 + Math.ceil(messages / 15);

/** The newest migration: data of another version is made anew. */
function newestMigration(): string {
  const journal = JSON.parse(programResources().read('migrations/meta/_journal.json').toString('utf8')) as {
    entries: { tag: string }[];
  };
  return journal.entries.at(-1)?.tag ?? '';
}

/** @returns the folder with the data of this size, which is made once */
function cachedFolder(records: number): string {
  const folder = join(CACHE, `${records}-${newestMigration()}`);
  if (existsSync(folder)) return folder;
  process.stdout.write(`\nmaking the data of a regency with ${records.toLocaleString('en')} records …\n`);
  // Only one size is kept, because each can have gigabytes.
  rmSync(CACHE, { recursive: true, force: true });
  const part = `${folder}.part`;
  mkdirSync(part, { recursive: true });
  writeFileSync(join(part, 'made.json'), JSON.stringify(makeRegencyData(part, records)));
  renameSync(part, folder);
  return folder;
}

/** Copies the cached data into a folder of its own, and opens its sessions and snoozes anew. */
export function copyRegencyData(records: number): RegencyCopy {
  const folder = cachedFolder(records);
  const made = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as MadeData;
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  const databaseFile = join(dataDir, 'pbb.sqlite');
  copyFileSync(join(folder, 'pbb.sqlite'), databaseFile);
  // The server's first answers would wait while the copy is written to the disk.
  const file = openSync(databaseFile, 'r+');
  fsyncSync(file);
  closeSync(file);
  writeFileSync(join(dataDir, 'secret'), SECRET, { mode: 0o600 });
  const sizes = sizesOf(records);
  const nowMs = Date.now();
  const snoozesEndAtMs = nowMs + snoozesEndAfterMs(sizes.messages);
  const { sqlite } = openDatabase(databaseFile);
  sqlite
    .prepare('update sessions set created_at = ?, last_seen_at = ?, expires_at = ?')
    .run(nowMs, nowMs, nowMs + DAY_MS);
  sqlite
    .prepare('update conversations set snoozed_until = ? where snoozed_until = ?')
    .run(snoozesEndAtMs, made.snoozesEndAtMs);
  sqlite.close();
  const withToken = ({ id, sessionId }: SessionOf): BenchUser => ({ id, token: signToken(id, sessionId, nowMs) });
  return {
    sizes,
    dataDir,
    databaseFile,
    admins: made.admins.map(withToken),
    users: made.users.map(withToken),
    vocabulary: made.vocabulary,
    snoozesEndAtMs,
  };
}
