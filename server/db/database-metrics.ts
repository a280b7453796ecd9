import type { Sqlite } from './open.ts';

/** Figures that SQLite keeps anyway. */

/** Bytes of the database, without its write-ahead log. */
export function databaseSizeBytes(sqlite: Sqlite): number {
  return Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }));
}

/** How many messages were ever stored: their ids are never given twice. */
export function countMessagesEverStored(sqlite: Sqlite): number {
  const row = sqlite.prepare("select seq from sqlite_sequence where name = 'messages'").get() as
    | { seq: number }
    | undefined;
  return row?.seq ?? 0;
}
