import type { Sqlite } from './open.ts';

/** @returns the size of the database in bytes, without its write-ahead log */
export function databaseSizeBytes(sqlite: Sqlite): number {
  return Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }));
}

/** @returns how many messages were ever stored, as an id is never used twice */
export function countMessagesEverStored(sqlite: Sqlite): number {
  const row = sqlite.prepare("select seq from sqlite_sequence where name = 'messages'").get() as
    | { seq: number }
    | undefined;
  return row?.seq ?? 0;
}
