import { and, count, eq } from 'drizzle-orm';
import { conversationNotes } from '#server/db/schema.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';

export type NoteRow = typeof conversationNotes.$inferSelect;

/** The notes about a conversation, oldest first. */
export function listNotes(orm: ConnectionOrTransaction, userId: string): NoteRow[] {
  return orm
    .select()
    .from(conversationNotes)
    .where(eq(conversationNotes.userId, userId))
    .orderBy(conversationNotes.id)
    .all();
}

export function countNotes(tx: Transaction, userId: string): number {
  const counted = tx
    .select({ total: count() })
    .from(conversationNotes)
    .where(eq(conversationNotes.userId, userId))
    .get();
  return counted?.total ?? 0;
}

export function findWrittenNote(tx: Transaction, authorId: string, clientId: string): NoteRow | undefined {
  return tx
    .select()
    .from(conversationNotes)
    .where(and(eq(conversationNotes.authorId, authorId), eq(conversationNotes.clientId, clientId)))
    .get();
}

export function insertNote(tx: Transaction, note: Omit<NoteRow, 'id'>): NoteRow {
  return tx.insert(conversationNotes).values(note).returning().get();
}

/** @returns the deleted note */
export function deleteNote(tx: Transaction, id: number): NoteRow | undefined {
  return tx.delete(conversationNotes).where(eq(conversationNotes.id, id)).returning().get();
}
