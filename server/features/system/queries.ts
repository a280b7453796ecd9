import { sql } from 'drizzle-orm';
import type { ConnectionOrTransaction } from '#server/db/open.ts';

/** Reads from a table, because an expression alone would not touch the file. */
export function canReadDatabase(orm: ConnectionOrTransaction): boolean {
  try {
    return orm.get(sql`select count(*) from sqlite_schema`) !== undefined;
  } catch {
    return false;
  }
}
