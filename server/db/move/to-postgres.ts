import type { ClientBase } from 'pg';
import type { Sqlite } from '../sqlite/connect.ts';
import type { Transaction } from '../engine.ts';
import { createTransaction } from '../postgres/engine.ts';
import { isLost } from '../postgres/lost.ts';
import { copyTables, type Report, requireEqual, UnknownEndError } from './move.ts';
import { movedTables } from './moved-tables.ts';
import * as target from './postgres-side.ts';
import * as source from './sqlite-side.ts';

export type MoveToPostgres = {
  sqlite: Sqlite;
  /** Prepared by `prepareTarget`. */
  client: ClientBase;
  report: Report;
  /** Fills the search index over messages, whose words the engine does not divide by itself. */
  fillMessageIndex: (tx: Transaction) => Promise<void>;
  /** @throws what keeps the move from its commit */
  beforeCommit: () => Promise<void>;
};

/**
 * Moves all rows in one transaction from one snapshot.
 * @throws UnequalMoveError, UnfitValueError, errors of the database; nothing was moved then. UnknownEndError
 * @returns the number of rows
 */
export async function moveToPostgres({
  sqlite,
  client,
  report,
  fillMessageIndex,
  beforeCommit,
}: MoveToPostgres): Promise<number> {
  sqlite.exec('begin');
  try {
    await client.query('begin');
    const digests = await target.withoutParts(client, async () => {
      const copied = await copyTables(
        source.readPages(sqlite),
        (table, rows) => target.insertRows(client, table, rows),
        report,
      );
      for (const table of movedTables)
        await target.continueNumbers(client, table, source.readLastNumber(sqlite, table));
      const { tx, end } = createTransaction(client, client);
      await fillMessageIndex(tx);
      await end();
      return copied;
    });
    await requireEqual(digests, target.readPages(client));
    await beforeCommit();
    await client.query('commit').catch((error: unknown) => {
      throw isLost(error) ? new UnknownEndError('commit', { cause: error }) : error;
    });
    return [...digests.values()].reduce((sum, { rows }) => sum + rows, 0);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    sqlite.exec('commit');
  }
}
