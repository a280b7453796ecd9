import { and, count, desc, eq, inArray, isNull, max } from 'drizzle-orm';
import { conversationNotes, users } from '#server/db/schema.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';

export type NoteRow = typeof conversationNotes.$inferSelect;

/** With the name of the admin whom it is meant for; null without one, and once the account is gone. */
export type ShownNote = { note: NoteRow; forName: string | null };

/** The notes about a conversation, oldest first. */
export async function listNotes(orm: ConnectionOrTransaction, userId: string): Promise<ShownNote[]> {
  return orm
    .select({ note: conversationNotes, forName: users.name })
    .from(conversationNotes)
    .leftJoin(users, eq(users.id, conversationNotes.forAdminId))
    .where(eq(conversationNotes.userId, userId))
    .orderBy(conversationNotes.id)
    .all();
}

/** Reads the partial index conversation_notes_unseen. */
const unseenFor = (adminId: string) => and(eq(conversationNotes.forAdminId, adminId), isNull(conversationNotes.seenAt));

/** The newest unopened note for an admin in each conversation, the newest first. */
export function listNotesFor(orm: ConnectionOrTransaction, adminId: string, limit: number) {
  const newest = orm
    .select({ id: max(conversationNotes.id) })
    .from(conversationNotes)
    .where(unseenFor(adminId))
    .groupBy(conversationNotes.userId);
  return orm
    .select({
      user: { id: conversationNotes.userId, name: users.name },
      author: { id: conversationNotes.authorId, name: conversationNotes.authorName },
      createdAt: conversationNotes.createdAt,
      id: conversationNotes.id,
    })
    .from(conversationNotes)
    .innerJoin(users, and(eq(users.id, conversationNotes.userId), eq(users.isAdmin, false)))
    .where(inArray(conversationNotes.id, newest))
    .orderBy(desc(conversationNotes.id))
    .limit(limit)
    .all();
}

/** @returns whether there was any */
export async function markNotesSeen(tx: Transaction, userId: string, adminId: string, nowMs: number): Promise<boolean> {
  const seen = await tx
    .update(conversationNotes)
    .set({ seenAt: nowMs })
    .where(and(eq(conversationNotes.userId, userId), unseenFor(adminId)))
    .returning({ id: conversationNotes.id })
    .all();
  return seen.length > 0;
}

export async function countNotes(tx: Transaction, userId: string): Promise<number> {
  const counted = await tx
    .select({ total: count() })
    .from(conversationNotes)
    .where(eq(conversationNotes.userId, userId))
    .get();
  return counted?.total ?? 0;
}

export async function findWrittenNote(
  tx: Transaction,
  authorId: string,
  clientId: string,
): Promise<NoteRow | undefined> {
  return tx
    .select()
    .from(conversationNotes)
    .where(and(eq(conversationNotes.authorId, authorId), eq(conversationNotes.clientId, clientId)))
    .get();
}

export async function insertNote(tx: Transaction, note: Omit<NoteRow, 'id'>): Promise<NoteRow> {
  return tx.insert(conversationNotes).values(note).returning().get();
}

/** @returns the deleted note */
export async function deleteNote(tx: Transaction, id: number): Promise<NoteRow | undefined> {
  return tx.delete(conversationNotes).where(eq(conversationNotes.id, id)).returning().get();
}
