import { and, gte, lt, type SQL } from 'drizzle-orm';
import { recordParts, recordVersion, taxRecords } from './schema.ts';
import { rowNumber } from './dialect.ts';
import { databaseOf, type Transaction } from './engine.ts';

/** The number of results of one kind that are kept by default; the newest ones. */
const KEPT_MAX = 8;

type Kept<R> = { version: number; result: R };

/** The newest results by their questions, for each database. */
function createResults<K>(keptMax: number) {
  const byDatabase = new WeakMap<object, Map<string, K>>();
  return (tx: Transaction, question: unknown): { known: K | undefined; keep: (result: K) => void } => {
    const database = databaseOf(tx);
    const kept = byDatabase.get(database) ?? new Map<string, K>();
    byDatabase.set(database, kept);
    const key = JSON.stringify(question);
    return {
      known: kept.get(key),
      keep(result) {
        kept.delete(key);
        kept.set(key, result);
        const [oldest] = kept.keys();
        if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
      },
    };
  };
}

const readVersion = async (tx: Transaction): Promise<number> =>
  (await tx.select().from(recordVersion).get())?.version ?? 0;

/**
 * Keeps the results of a query over all records until a record changes. A trigger counts the changes in the database itself, so
 * those of another process count too, and a result is used only in a snapshot of the same count.
 */
export function keepUntilRecordsChange<Q, R>(
  read: (tx: Transaction, question: Q) => Promise<R>,
  keptMax = KEPT_MAX,
): (tx: Transaction, question: Q) => Promise<R> {
  const find = createResults<Kept<R>>(keptMax);
  return async (tx, question) => {
    const version = await readVersion(tx);
    const { known, keep } = find(tx, question);
    if (known?.version === version) return known.result;
    const result = await read(tx, question);
    keep({ version, result });
    return result;
  };
}

/** Rows with this many consecutive numbers are one part, as in the triggers of migration 0034. A town has one or two parts. */
const PART_ROWS = 2 ** 15;

/** A query that takes longer is kept in parts, once records have changed since. */
const SLOW_MS = 150;

type KeptPart<P> = { changes: number; result: P };
type KeptInParts<R, P> = Kept<R> & { isSlow: boolean; parts: ReadonlyMap<number, KeptPart<P>> };

/** A query that is answered for each part of the records, and how the answers become one. */
export type InParts<Q, R, P> = {
  /** @param inPart the condition on the records of the part */
  read: (tx: Transaction, question: Q, inPart: SQL | undefined) => Promise<P>;
  join: (parts: readonly P[]) => R;
};

const isInPart = (part: number): SQL | undefined =>
  and(gte(rowNumber(taxRecords), part * PART_ROWS), lt(rowNumber(taxRecords), (part + 1) * PART_ROWS));

/**
 * Keeps the results of a query over all records. When records change, a quick query is asked again, and a slow one only for the
 * parts of the records that changed.
 */
export function keepInParts<Q, R, P>(
  readAll: (tx: Transaction, question: Q) => Promise<R>,
  inParts: InParts<Q, R, P>,
  keptMax: number,
): (tx: Transaction, question: Q) => Promise<R> {
  const find = createResults<KeptInParts<R, P>>(keptMax);

  async function readParts(tx: Transaction, question: Q, known: KeptInParts<R, P>['parts']) {
    const parts = new Map<number, KeptPart<P>>();
    for (const { part, changes } of await tx.select().from(recordParts).all()) {
      const before = known.get(part);
      const isKept = before?.changes === changes;
      parts.set(part, isKept ? before : { changes, result: await inParts.read(tx, question, isInPart(part)) });
    }
    return { result: inParts.join([...parts.values()].map(({ result }) => result)), parts };
  }

  return async (tx, question) => {
    const version = await readVersion(tx);
    const { known, keep } = find(tx, question);
    if (known?.version === version) return known.result;
    const from = performance.now();
    const { result, parts } = known?.isSlow
      ? await readParts(tx, question, known.parts)
      : { result: await readAll(tx, question), parts: new Map<number, KeptPart<P>>() };
    keep({ version, result, parts, isSlow: known?.isSlow === true || performance.now() - from > SLOW_MS });
    return result;
  };
}
