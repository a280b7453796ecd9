import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Opens the database of a data folder, beside a running server or without one, and closes it afterwards. */
export function withDatabase<T>(dataDir: string, run: (sqlite: Database.Database) => T): T {
  const sqlite = new Database(join(dataDir, 'pbb.sqlite'));
  try {
    return run(sqlite);
  } finally {
    sqlite.close();
  }
}
