import { notesAnswer, type Note } from '#shared/api/chat/inbox.ts';
import type { Connection } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentIds, presentSingle } from '#server/http/answers/present.ts';
import { listNotes, type ShownNote } from './note-queries.ts';

export function presentNote({ note: row, forName }: ShownNote): Note {
  const createdAt = new Date(row.createdAt).toISOString();
  return {
    ...presentIds(String(row.id)),
    user_id: row.userId,
    author: { id: row.authorId, name: row.authorName },
    content: row.content,
    client_id: row.clientId,
    createdAt,
    created_at: createdAt,
    ...(row.forAdminId === null
      ? {}
      : {
          for: { id: row.forAdminId, name: forName ?? 'Akun dihapus' },
          seen_at: row.seenAt === null ? null : new Date(row.seenAt).toISOString(),
        }),
  };
}

type NotesRequest = { userId: string; acceptsGzip: boolean };

/** The whole answer with the notes about a conversation; the query worker makes it, because they may be long. */
export async function encodeNotesAnswer(
  orm: Connection,
  { userId, acceptsGzip }: NotesRequest,
): Promise<EncodedAnswer> {
  const notes = (await listNotes(orm, userId)).map(presentNote);
  return encodeAnswer(notesAnswer, presentSingle('Catatan internal', notes), acceptsGzip);
}
