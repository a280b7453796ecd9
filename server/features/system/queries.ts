import { and, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { isListedChange } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { auditEntries, users } from '#server/db/schema.ts';

/** Reads from a table, because an expression alone would not touch the file. */
export async function canReadDatabase(orm: ConnectionOrTransaction): Promise<boolean> {
  try {
    return (await orm.column('select id from users limit 1')).length >= 0;
  } catch {
    return false;
  }
}

/** Whether an admin lost the role, was deactivated or was deleted since then. */
export async function wasAdminRemovedSince(orm: ConnectionOrTransaction, sinceMs: number): Promise<boolean> {
  const isLost = (field: string): SQL => isListedChange(auditEntries.changes, field, true);
  const lostAccess = sql`${isLost('is_active')} and ${auditEntries.subjectId} in
    (select ${users.id} from ${users} where ${users.isAdmin} = 1)`;
  const entry = await orm
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(
      and(
        inArray(auditEntries.action, ['user.updated', 'user.deleted']),
        gt(auditEntries.at, sinceMs),
        or(isLost('is_admin'), lostAccess),
      ),
    )
    .limit(1)
    .get();
  return entry !== undefined;
}
