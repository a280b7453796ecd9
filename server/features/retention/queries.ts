import { eq, lt, lte, max, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { RECOVERY_REQUEST_MS } from '#shared/limits.ts';
import { byIndex } from '#server/db/dialect.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import { messages, retention, retentionMarks } from '#server/db/schema.ts';
import { readNewestMessageId } from '#server/messages/message-index-queries.ts';

export type RetentionRow = typeof retention.$inferSelect;

export async function findRetention(orm: ConnectionOrTransaction): Promise<RetentionRow | undefined> {
  return orm.select().from(retention).where(eq(retention.id, 1)).get();
}

export async function saveRetention(tx: Transaction, row: RetentionRow): Promise<void> {
  await tx.insert(retention).values(row).onConflictDoUpdate({ target: retention.id, set: row }).run();
}

export async function updateRetention(tx: Transaction, changes: Partial<RetentionRow>): Promise<void> {
  await tx.update(retention).set(changes).where(eq(retention.id, 1)).run();
}

export const addToRun = (tx: Transaction, deleted: RetentionCounts): Promise<void> =>
  updateRetention(tx, {
    runMessages: sql`${retention.runMessages} + ${deleted.messages}` as never,
    runAccounts: sql`${retention.runAccounts} + ${deleted.accounts}` as never,
  });

export type RetentionCounts = { messages: number; accounts: number };

/** Notes the newest message with the operating time; the same message keeps the time at which it was noted first. */
export async function addMark(tx: Transaction, messageId: number, operating: number): Promise<void> {
  await tx.insert(retentionMarks).values({ messageId, operating }).onConflictDoNothing().run();
}

export async function deleteMarks(tx: Transaction): Promise<void> {
  await tx.delete(retentionMarks).run();
}

/** Marks of messages that are deleted tell nothing more. */
export async function deleteMarksBefore(tx: Transaction, messageId: number): Promise<void> {
  await tx.delete(retentionMarks).where(lt(retentionMarks.messageId, messageId)).run();
}

/** The newest message that was there at an operating time; 0 when nothing tells. */
export async function findMarkedMessage(orm: ConnectionOrTransaction, operating: number): Promise<number> {
  const found = await orm
    .select({ id: max(retentionMarks.messageId) })
    .from(retentionMarks)
    .where(lte(retentionMarks.operating, operating))
    .get();
  return found?.id ?? 0;
}

/** One read looks at so many messages: a few milliseconds. */
const MESSAGES_LOOKED_AT = 2000;

/**
 * The first of the next messages that is not from before an instant.
 * @returns its id; or the last one of those that were looked at, with `isFound` false
 */
export async function findNewerMessage(
  orm: ConnectionOrTransaction,
  { afterId, upToId, beforeMs }: { afterId: number; upToId: number; beforeMs: number },
): Promise<{ id: number; isFound: boolean }> {
  const lastId = Math.min(upToId, afterId + MESSAGES_LOOKED_AT);
  const found = await orm.value<number | null>(
    'select id from messages where id > ? and id <= ? and created_at >= ? order by id limit 1',
    afterId,
    lastId,
    beforeMs,
  );
  return found === undefined || found === null ? { id: lastId, isFound: false } : { id: found, isFound: true };
}

/** The use of an account that is not an admin's, as a look finds it. */
export type AccountUse = {
  id: string;
  /** Changes with each use. */
  stamp: string;
  /** By the clock of the computer. */
  lastUsedAt: number;
  /** Whether an open request or a linked object of the office's list keeps the account. */
  isKept: boolean;
  /** Null before the first look of the series. */
  seen: { stamp: string; since: number; isFirst: boolean } | null;
};

type StoredUse = {
  id: string;
  stamp: string;
  lastUsedAt: number;
  isKept: number;
  seenSeries: number | null;
  seenStamp: string | null;
  since: number | null;
  isFirst: number | null;
};

/** When each kind of use was the last time. Raw SQL, because each one is a look-up in an index. */
const SESSION_AT = sql.raw('coalesce((select max(last_seen_at) from sessions where user_id = users.id), 0)');
const SENT_AT = sql.raw(
  'coalesce((select created_at from messages where user_id = users.id and from_admin = 0 order by id desc limit 1), 0)',
);
const RECORD_AT = sql.raw('coalesce((select max(updated_at) from tax_records where user_id = users.id), 0)');
const LOGGED_AT = sql.raw(
  'coalesce((select at from security_log where user_id = users.id order by id desc limit 1), 0)',
);
const CLAIM_AT = sql.raw('coalesce((select max(updated_at) from object_claims where user_id = users.id), 0)');

/** Whether an unused account stays, because something of it is still open or needed. */
const isKept = (operating: number) => sql`(
  exists (select 1 from erasure_requests where user_id = users.id and state = 'open')
    or exists (select 1 from object_claims where user_id = users.id and state = 'open')
    or exists (select 1 from recovery_codes where user_id = users.id and made_at > ${operating - RECOVERY_REQUEST_MS})
    or exists (select 1 from recovery_requests where (user_id = users.id or phone = users.phone)
      and asked_at > ${operating - RECOVERY_REQUEST_MS})
    or exists (select 1 from objects where user_id = users.id))`;

/** The accounts of users with their use; a number and a time of each kind. */
const selectUses = (operating: number) => sql`
  select id, "lastUsedAt", "isKept", "seenSeries", "seenStamp", since, "isFirst",
    updated_at || ' ' || entries || ' ' || session || ' ' || sent || ' ' || records || ' ' || "recordAt" || ' ' || logged || ' ' || "claimAt" as stamp
  from (
    select *, max(created_at, updated_at, "seenAt", session, "sentAt", "recordAt", "loggedAt", "claimAt") as "lastUsedAt"
    from (
      select users.id, users.created_at, users.updated_at,
        coalesce(account_activity.entries, 0) as entries, coalesce(account_activity.last_seen_at, 0) as "seenAt",
        account_activity.series as "seenSeries", account_activity.stamp as "seenStamp", account_activity.since as since,
        account_activity.is_first as "isFirst",
        ${SESSION_AT} as session,
        coalesce((select user_ordinal from conversations where user_id = users.id), 0) as sent,
        ${SENT_AT} as "sentAt",
        (select count(*) from tax_records where user_id = users.id) as records,
        ${RECORD_AT} as "recordAt",
        coalesce((select max(id) from security_log where user_id = users.id), 0) as logged,
        ${LOGGED_AT} as "loggedAt",
        ${CLAIM_AT} as "claimAt",
        ${isKept(operating)} as "isKept"
      from users left join account_activity on account_activity.user_id = users.id
      where users.is_admin = 0`;
const END_OF_USES = sql`) as uses) as dated`;

const toUse = (row: StoredUse, series: number): AccountUse => ({
  id: row.id,
  stamp: row.stamp,
  lastUsedAt: row.lastUsedAt,
  isKept: row.isKept === 1,
  seen:
    row.seenSeries === series
      ? { stamp: row.seenStamp ?? '', since: row.since ?? 0, isFirst: row.isFirst === 1 }
      : null,
});

/** One read looks at so many accounts: a few milliseconds. */
const ACCOUNTS_LOOKED_AT = 25;

/** Of which series the looks count, and when it is, in operating time. */
type Look = { series: number; operating: number };

/** The next accounts in the order of their ids; without a last one at the end. */
export async function listUses(
  orm: ConnectionOrTransaction,
  { series, operating }: Look,
  afterId: string,
): Promise<{ uses: AccountUse[]; lastId: string | null }> {
  const rows = await orm.all<StoredUse>(
    sql`${selectUses(operating)} and users.id > ${afterId} order by users.id limit ${ACCOUNTS_LOOKED_AT} ${END_OF_USES} order by id`,
  );
  return { uses: rows.map((row) => toUse(row, series)), lastId: rows.at(-1)?.id ?? null };
}

export async function findUse(
  orm: ConnectionOrTransaction,
  { series, operating }: Look,
  id: string,
): Promise<AccountUse | undefined> {
  const row = await orm.get<StoredUse>(sql`${selectUses(operating)} and users.id = ${id} ${END_OF_USES}`);
  return row && toUse(row, series);
}

/** Notes the use that a look found. The accounts may be gone by now. */
export async function noteUses(
  tx: Transaction,
  uses: readonly Pick<AccountUse, 'id' | 'stamp' | 'seen'>[],
  { series, operating }: Look,
): Promise<void> {
  for (const { id, stamp, seen } of uses)
    await tx.run(
      sql`insert into account_activity (user_id, series, stamp, since, is_first)
        select id, ${series}, ${stamp}, ${operating}, ${seen === null ? 1 : 0} from users where id = ${id}
        on conflict (user_id) do update set series = excluded.series, stamp = excluded.stamp, since = excluded.since,
          is_first = excluded.is_first`,
    );
}

type CountStep = {
  terms: readonly { months: number; beforeMs: number }[];
  operating: number;
  afterId: string;
  limit: number;
};
/** `lastId`: after which the next step begins; null at the end. */
export type CountedStep = { older: ({ months: number } & RetentionCounts)[]; lastId: string | null };

/**
 * Counts what each term would delete among the next accounts, for the page; by the clock, so about right. Runs in the query worker,
 * in which other queries come between the steps.
 */
export function readOlderCounts(
  orm: Connection,
  { terms, operating, afterId, limit }: CountStep,
): Promise<CountedStep> {
  return readSnapshot(orm, async (tx) => {
    const lastId = await tx.value<string>(
      sql`select id from users where id > ${afterId} order by id limit 1 offset ${limit - 1}`,
    );
    const isInStep = (id: SQLWrapper): SQL =>
      lastId === undefined ? sql`${id} > ${afterId}` : sql`${id} > ${afterId} and ${id} <= ${lastId}`;
    // The accounts themselves tell most often that they were in use.
    const beforeMs = Math.max(...terms.map((term) => term.beforeMs));
    const uses = await tx.tuples<[lastUsedAt: number]>(
      sql`select max(users.created_at, users.updated_at, coalesce(account_activity.last_seen_at, 0),
          ${SESSION_AT}, ${SENT_AT}, ${RECORD_AT}, ${LOGGED_AT}, ${CLAIM_AT})
        from users left join account_activity on account_activity.user_id = users.id
        where users.is_admin = 0 and ${isInStep(sql`users.id`)}
          and users.created_at < ${beforeMs} and users.updated_at < ${beforeMs} and not ${isKept(operating)}`,
    );
    const bounds = await Promise.all(terms.map((term) => findMessageBefore(tx, term.beforeMs)));
    const sums = terms.map((_, index) => sql`count(*) filter (where messages.id <= ${bounds[index] ?? 0})`);
    // Reads the index alone, and never the texts.
    const counted = await tx.tuples<number[]>(
      sql`select ${sql.join(sums, sql`, `)} from ${byIndex(messages, 'messages_conversation')}
        join conversations on conversations.user_id = messages.user_id
        where ${isInStep(messages.userId)} and messages.id > cleared_id`,
    );
    const older = terms.map((term, index) => ({
      months: term.months,
      messages: counted[0]?.[index] ?? 0,
      accounts: uses.filter(([lastUsedAt]) => lastUsedAt < term.beforeMs).length,
    }));
    return { older, lastId: lastId ?? null };
  });
}

/** The newest message from before an instant, found by halving: messages come in the order of their times. */
async function findMessageBefore(tx: Transaction, beforeMs: number): Promise<number> {
  let low = 0;
  let high = await readNewestMessageId(tx);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const at = await tx.value<number | null>(
      'select created_at from messages where id <= ? order by id desc limit 1',
      middle,
    );
    if ((at ?? 0) < beforeMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
