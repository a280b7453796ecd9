import { rmSync } from 'node:fs';
import type { ClientBase } from 'pg';
import type { Resources } from '#server/files/resources.ts';
import { renameAndSyncFolder, syncFileSync } from '#server/files/atomic.ts';
import type { DataPaths } from '../data-folder/data-folder.ts';
import { openMigratedDatabase } from '../migrations/open-migrated.ts';
import type { Sqlite } from '../sqlite/connect.ts';
import { markLeft } from '../postgres/moved-office.ts';
import { listMovedFiles } from './moved-files.ts';
import { copyTables, type Report, requireEqual, UnequalMoveError } from './move.ts';
import { movedTables } from './moved-tables.ts';
import * as source from './postgres-side.ts';
import * as target from './sqlite-side.ts';

export type MoveToSqlite = {
  /** Checked by `requireSource`. */
  client: ClientBase;
  /** Locked, and without a database. */
  folder: DataPaths;
  resources: Resources;
  report: Report;
  /** Called when all rows are there. */
  onChecks: () => void;
  /** Called with the paths of all files that rows name, before the database gets its name. */
  copyFiles: (paths: string[]) => void;
  /** @throws what keeps the move from its end */
  beforeCommit: () => Promise<void>;
  /** The day of the move, for the mark of the database that is left. */
  date: string;
};

const ENDINGS = ['', '-wal', '-shm', '-journal'];

function removeStaged(file: string): void {
  for (const ending of ENDINGS) rmSync(`${file}${ending}`, { force: true });
}

async function fill(sqlite: Sqlite, { client, report, onChecks }: MoveToSqlite): Promise<number> {
  // A file that is not whole is made anew, so nothing waits for the disk before its end.
  sqlite.pragma('journal_mode = off');
  sqlite.pragma('synchronous = off');
  sqlite.pragma('foreign_keys = off');
  sqlite.pragma('cache_size = -262144');
  const insert = target.createInserts(sqlite);
  sqlite.exec('begin');
  const digests = await target.withoutParts(sqlite, async () => {
    const copied = await copyTables(source.readPages(client), async (table, rows) => insert(table, rows), report);
    const lastNumbers = new Map<string, number>();
    for (const table of movedTables) lastNumbers.set(table.name, await source.readLastNumber(client, table));
    target.continueNumbers(sqlite, lastNumbers);
    onChecks();
    return copied;
  });
  target.fillSearchIndexes(sqlite);
  sqlite.exec('commit');
  await requireEqual(digests, target.readPages(sqlite));
  const damage = target.findDamage(sqlite);
  if (damage !== null) throw new UnequalMoveError(damage);
  return [...digests.values()].reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * Moves all rows from one snapshot into a file that gets its name when it is whole, and marks the database as left.
 * @throws UnequalMoveError, errors of either database; the folder has no database then, and the other one is unmarked
 * @returns the number of rows
 */
export async function moveToSqlite(move: MoveToSqlite): Promise<number> {
  const { client, folder, resources } = move;
  const staged = `${folder.databaseFile}.pindah`;
  removeStaged(staged);
  let sqlite: Sqlite | null = null;
  try {
    await client.query('begin isolation level repeatable read');
    sqlite = openMigratedDatabase({ ...folder, databaseFile: staged }, resources).sqlite;
    const rows = await fill(sqlite, move);
    const files = listMovedFiles(sqlite);
    sqlite.pragma('journal_mode = delete');
    sqlite.close();
    move.copyFiles(files);
    syncFileSync(staged);
    await markLeft(client, move.date);
    await move.beforeCommit();
    renameAndSyncFolder(staged, folder.databaseFile);
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    sqlite?.close();
    removeStaged(staged);
  }
}
