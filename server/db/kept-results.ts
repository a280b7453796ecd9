import { recordVersion } from './schema.ts';
import { databaseOf, type Transaction } from './engine.ts';

/** The number of results of one kind that are kept by default; the newest ones. */
const KEPT_MAX = 8;

type Kept<R> = { version: number; result: R };

/**
 * Keeps the results of a query over all records until a record changes. A trigger counts the changes in the database itself, so
 * those of another process count too, and a result is used only in a snapshot of the same count.
 */
export function keepUntilRecordsChange<Q, R>(
  read: (tx: Transaction, question: Q) => Promise<R>,
  keptMax = KEPT_MAX,
): (tx: Transaction, question: Q) => Promise<R> {
  const byConnection = new WeakMap<object, Map<string, Kept<R>>>();
  return async (tx, question) => {
    const database = databaseOf(tx);
    const kept = byConnection.get(database) ?? new Map<string, Kept<R>>();
    byConnection.set(database, kept);
    const version = (await tx.select().from(recordVersion).get())?.version ?? 0;
    const key = JSON.stringify(question);
    const known = kept.get(key);
    if (known?.version === version) return known.result;
    const result = await read(tx, question);
    kept.delete(key);
    kept.set(key, { version, result });
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
    return result;
  };
}
