import { recordVersion } from './schema.ts';
import type { Connection, Sqlite, Transaction } from './open.ts';

/** The number of results of one kind that are kept by default; the newest ones. */
const KEPT_MAX = 8;

type Kept<R> = { version: number; result: R };

/**
 * Keeps the results of a query over all records until a record changes. A trigger counts the changes in the database itself, so
 * those of another process count too, and a result is used only in a snapshot of the same count.
 */
export function keepUntilRecordsChange<Q, R>(
  read: (tx: Transaction, question: Q, orm: Connection) => R,
  keptMax = KEPT_MAX,
): (orm: Connection, tx: Transaction, question: Q) => R {
  const byConnection = new WeakMap<Sqlite, Map<string, Kept<R>>>();
  return (orm, tx, question) => {
    const kept = byConnection.get(orm.$client) ?? new Map<string, Kept<R>>();
    byConnection.set(orm.$client, kept);
    const version = tx.select().from(recordVersion).get()?.version ?? 0;
    const key = JSON.stringify(question);
    const known = kept.get(key);
    if (known?.version === version) return known.result;
    const result = read(tx, question, orm);
    kept.delete(key);
    kept.set(key, { version, result });
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
    return result;
  };
}
