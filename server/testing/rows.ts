import { eq, sql } from 'drizzle-orm';
import { sessions, taxRecords, users } from '#server/db/schema.ts';
import type { RecordRow, UserRow } from './factories.ts';
import type { TestApp } from './test-app.ts';

/** Reads and changes stored rows without the server, so that tests do not name tables themselves. Rows come as they were inserted. */

export type SessionRow = typeof sessions.$inferSelect;

export const storedUsers = ({ database }: TestApp): UserRow[] =>
  database.direct
    .select()
    .from(users)
    .orderBy(sql`rowid`)
    .all();
export const storedSessions = ({ database }: TestApp): SessionRow[] =>
  database.direct
    .select()
    .from(sessions)
    .orderBy(sql`rowid`)
    .all();
export const storedRecords = ({ database }: TestApp): RecordRow[] =>
  database.direct
    .select()
    .from(taxRecords)
    .orderBy(sql`rowid`)
    .all();

export function changeUser({ database }: TestApp, id: string, changes: Partial<UserRow>): void {
  database.direct.update(users).set(changes).where(eq(users.id, id)).run();
}

export function removeUser({ database }: TestApp, id: string): void {
  database.direct.delete(users).where(eq(users.id, id)).run();
}

export function changeSession({ database }: TestApp, id: string, changes: Partial<SessionRow>): void {
  database.direct.update(sessions).set(changes).where(eq(sessions.id, id)).run();
}

export function removeSession({ database }: TestApp, id: string): void {
  database.direct.delete(sessions).where(eq(sessions.id, id)).run();
}
