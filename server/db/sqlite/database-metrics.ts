import { stat } from 'node:fs/promises';
import type { DatabaseMarks } from '../database.ts';
import type { Sqlite } from './connect.ts';

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

const fileBytes = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;

/** @returns the bytes of a database's file and of its write-ahead log */
export async function diskUseBytes(file: string): Promise<number> {
  const [database, log] = await Promise.all([fileBytes(file), fileBytes(`${file}-wal`)]);
  return database + log;
}

/** Numbers that only grow, also when rows are deleted. */
export function readDatabaseMarks(sqlite: Sqlite): DatabaseMarks {
  const sequence = sqlite.prepare<[string], number>('select seq from sqlite_sequence where name = ?').pluck();
  return { messages: sequence.get('messages') ?? 0, auditEntries: sequence.get('audit_entries') ?? 0 };
}
