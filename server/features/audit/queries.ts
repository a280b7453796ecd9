import { type AnyColumn, and, count, desc, eq, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { type PossibleFilters, possibleFilters } from '#shared/api/filters.ts';
import type { AuditAction, AuditQuery } from '#shared/api/audit.ts';
import { otherNopForms } from '#shared/domain/dhkp/nop.ts';
import { withoutIndex } from '#server/db/dialect.ts';
import { type ConnectionOrTransaction, perStatements, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { auditEntries } from '#server/db/schema.ts';
import { containsText } from '#server/db/search.ts';

export type AuditRow = typeof auditEntries.$inferSelect;
export type AuditFilter = Omit<AuditQuery, 'limit' | 'page' | 'from' | 'to'> & {
  /** Milliseconds; the end is not in the range. Null matches nothing. */
  fromMs?: number | null | undefined;
  endMs?: number | null | undefined;
  /** Several at once, instead of `action`. */
  actions?: readonly AuditAction[] | undefined;
  limit: number;
  offset: number;
};

/** Reads one page, newest first, with the total. Runs in the query worker, because a search or a range of time reads every entry. */
export async function readAudit(
  orm: ConnectionOrTransaction,
  { limit, offset, ...sentFilter }: AuditFilter,
): Promise<{ rows: AuditRow[]; total: number }> {
  const filter = possibleFilters(sentFilter);
  if (!filter) return { rows: [], total: 0 };
  // One snapshot, so that the total agrees with the rows.
  return readSnapshot(orm, async (tx) => {
    const where = and(...conditions(filter));
    const rows = await tx
      .select()
      .from(auditEntries)
      .where(where)
      .orderBy(desc(auditEntries.id))
      .limit(limit)
      .offset(offset)
      .all();
    // A page that is not full is the last one, so its end is the total and nothing has to be counted.
    if (rows.length > 0 && rows.length < limit) return { rows, total: offset + rows.length };
    if (rows.length === 0 && offset === 0) return { rows, total: 0 };
    return { rows, total: await countOnward(tx, sentFilter, where) };
  });
}

/** The number of filters whose counts are kept; the newest ones. */
const KEPT_MAX = 100;
type Counted = { upToId: number; total: number };
const countedOn = perStatements(() => new Map<string, Counted>());

/** Triggers let entries only be added, so a count goes on where the last one of the same filter ended. */
async function countOnward(tx: Transaction, filter: object, where: SQL | undefined): Promise<number> {
  const kept = countedOn(tx);
  const key = JSON.stringify(filter);
  const known = kept.get(key);
  const newest = await tx.value<number | null>(sql`select max(id) from ${auditEntries}`);
  const added = await tx
    .select({ total: count() })
    .from(auditEntries)
    .where(and(where, known && gt(auditEntries.id, known.upToId)))
    .get();
  const total = (known?.total ?? 0) + (added?.total ?? 0);
  kept.delete(key);
  kept.set(key, { upToId: newest ?? 0, total });
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return total;
}

/** A subject has few entries, an actor more, and an action a large share of all entries. */
function conditions({
  search,
  action,
  actions = action && [action],
  actor_id,
  subject_id,
  fromMs,
  endMs,
}: PossibleFilters<Omit<AuditFilter, 'limit' | 'offset'>>): (SQL | undefined)[] {
  // The plus turns off the index of a column when a rarer value is searched too.
  const withoutIndexIf = (column: AnyColumn, hasRarer: boolean): AnyColumn | SQL =>
    hasRarer ? withoutIndex(column) : column;
  const hasSubject = subject_id !== undefined;
  const hasActor = actor_id !== undefined;
  const actionColumn = withoutIndexIf(auditEntries.action, hasSubject || hasActor);
  return [
    hasSubject ? eq(auditEntries.subjectId, subject_id) : undefined,
    hasActor ? sql`${withoutIndexIf(auditEntries.actorId, hasSubject)} = ${actor_id}` : undefined,
    actions ? inArray(sql`${actionColumn}`, [...actions]) : undefined,
    fromMs === undefined ? undefined : gte(auditEntries.at, fromMs),
    endMs === undefined ? undefined : lt(auditEntries.at, endMs),
    search
      ? or(
          ...[search, ...otherNopForms(search)].map((form) => containsText(auditEntries.subjectLabel, form)),
          containsText(auditEntries.actorName, search),
        )
      : undefined,
  ];
}
