import Database from 'better-sqlite3';

/** The one place that opens SQLite: where the native part comes from depends on how the program was packed. */
export function connect(file: string, options: Database.Options = {}): Database.Database {
  return new Database(file, options);
}
