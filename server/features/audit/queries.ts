import { type AnyColumn, and, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { AuditAction, AuditQuery } from '#shared/api/audit.ts';
import { type Connection, readSnapshot } from '#server/db/open.ts';
import { auditEntries } from '#server/db/schema.ts';
import { containsText } from '#server/db/search.ts';

export type AuditRow = typeof auditEntries.$inferSelect;
export type AuditFilter = Omit<AuditQuery, 'action' | 'limit' | 'page'> & {
  actions?: readonly AuditAction[] | undefined;
  limit: number;
  offset: number;
};

/** A page of entries, newest first, with its total; runs in the reading worker because a search reads every entry. */
export function readAudit(
  orm: Connection,
  { limit, offset, ...filter }: AuditFilter,
): { rows: AuditRow[]; total: number } {
  // One snapshot: the total agrees with the rows.
  return readSnapshot(orm, (tx) => {
    const where = and(...conditions(filter));
    const rows = tx
      .select()
      .from(auditEntries)
      .where(where)
      .orderBy(desc(auditEntries.id))
      .limit(limit)
      .offset(offset)
      .all();
    // A page that is not full is the last one: then nothing needs to be read a second time to be counted.
    if (rows.length > 0 && rows.length < limit) return { rows, total: offset + rows.length };
    const counted = tx.select({ total: count() }).from(auditEntries).where(where).get();
    return { rows, total: counted?.total ?? 0 };
  });
}

/** One subject has few entries, one actor not many, one kind of action a great share of all. */
function conditions({
  search,
  actions,
  actor_id,
  subject_id,
}: Omit<AuditFilter, 'limit' | 'offset'>): (SQL | undefined)[] {
  // The plus keeps an index from being preferred to that of something rarer.
  const withoutIndexIf = (column: AnyColumn, hasRarer: boolean): AnyColumn | SQL =>
    hasRarer ? sql`+${column}` : column;
  const hasSubject = subject_id !== undefined;
  const hasActor = actor_id !== undefined;
  const action = withoutIndexIf(auditEntries.action, hasSubject || hasActor);
  return [
    hasSubject ? eq(auditEntries.subjectId, subject_id) : undefined,
    hasActor ? sql`${withoutIndexIf(auditEntries.actorId, hasSubject)} = ${actor_id}` : undefined,
    actions ? inArray(sql`${action}`, [...actions]) : undefined,
    search
      ? or(containsText(auditEntries.subjectLabel, search), containsText(auditEntries.actorName, search))
      : undefined,
  ];
}
