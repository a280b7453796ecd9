import { and, asc, count, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { placeIn } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { pushSubscriptions, secondFactors, users } from '#server/db/schema.ts';

export type AdminAccount = Pick<typeof users.$inferSelect, 'email' | 'name' | 'passwordHash'> & {
  /** Null: it has no second factor. */
  factorSince: number | null;
};

/** The admins who can sign in. */
export async function listActiveAdmins(orm: ConnectionOrTransaction): Promise<AdminAccount[]> {
  const { userId, confirmedAt: factorSince } = secondFactors;
  return orm
    .select({ email: users.email, name: users.name, passwordHash: users.passwordHash, factorSince })
    .from(users)
    .leftJoin(secondFactors, eq(userId, users.id))
    .where(and(eq(users.isAdmin, true), eq(users.isActive, true)))
    .orderBy(asc(users.createdAt))
    .all();
}

/** The second factors that are asked for, as they are stored. */
export async function listFactors(
  orm: ConnectionOrTransaction,
): Promise<{ userId: string; email: string; secret: string }[]> {
  const { userId, secret, confirmedAt } = secondFactors;
  return orm
    .select({ userId, secret, email: users.email })
    .from(secondFactors)
    .innerJoin(users, eq(userId, users.id))
    .where(isNotNull(confirmedAt))
    .orderBy(asc(users.createdAt), asc(userId))
    .all();
}

export async function countAccountsSince(orm: ConnectionOrTransaction, sinceMs: number): Promise<number> {
  const row = await orm.select({ total: count() }).from(users).where(gt(users.createdAt, sinceMs)).get();
  return row?.total ?? 0;
}

/** The origins of the push services that browsers use here, as in `https://fcm.googleapis.com`; the most used first. */
export async function listPushOrigins(orm: ConnectionOrTransaction, limit: number): Promise<string[]> {
  const { endpoint } = pushSubscriptions;
  const afterScheme = sql`substr(${endpoint}, 9)`;
  const host = sql<string>`'https://' || substr(${afterScheme}, 1, ${placeIn(sql`${afterScheme} || '/'`, sql`'/'`)} - 1)`;
  return (
    await orm
      .select({ origin: host })
      .from(pushSubscriptions)
      .groupBy(host)
      .orderBy(desc(count()), host)
      .limit(limit)
      .all()
  ).map(({ origin }) => origin);
}
