import { and, gt, inArray, sql } from 'drizzle-orm';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { auditEntries, users } from '#server/db/schema.ts';

/** Reads from a table, because an expression alone would not touch the file. */
export async function canReadDatabase(orm: ConnectionOrTransaction): Promise<boolean> {
  try {
    return (await orm.get(sql`select count(*) from sqlite_schema`)) !== undefined;
  } catch {
    return false;
  }
}

/** Whether an admin lost the role, was deactivated or was deleted since then. */
export async function wasAdminRemovedSince(orm: ConnectionOrTransaction, sinceMs: number): Promise<boolean> {
  const lostRole = sql`json_extract(change.value, '$.field') = 'is_admin' and json_extract(change.value, '$.from') = 1`;
  const lostAccess = sql`json_extract(change.value, '$.field') = 'is_active' and json_extract(change.value, '$.from') = 1
    and ${auditEntries.subjectId} in (select ${users.id} from ${users} where ${users.isAdmin} = 1)`;
  const entry = await orm
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(
      and(
        inArray(auditEntries.action, ['user.updated', 'user.deleted']),
        gt(auditEntries.at, sinceMs),
        sql`exists (select 1 from json_each(${auditEntries.changes}) as change where (${lostRole}) or (${lostAccess}))`,
      ),
    )
    .limit(1)
    .get();
  return entry !== undefined;
}
