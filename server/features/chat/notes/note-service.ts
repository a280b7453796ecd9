import { noteTexts, type NoteBody, type Note } from '#shared/api/inbox.ts';
import { NOTES_MAX } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { EncodedAnswer } from '#server/http/encoded-answer.ts';
import { conflict, notFound } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { AccessChecks } from '../access.ts';
import { presentNote } from './note-answers.ts';
import * as queries from './note-queries.ts';

/** What admins note about a conversation among themselves; no user gets any of it (R-NOTE-1). */
export function createNoteService(context: ServiceContext, access: AccessChecks) {
  const { audit, policy, write, now, publish } = context;

  return {
    /** @throws 403 for an admin's account, 404 */
    encodeList(
      currentUser: CurrentUser,
      userId: string,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      access.requireConversation(currentUser, userId);
      return context.queryWorker.run('notes', { userId, acceptsGzip }, caller);
    },

    /**
     * Stores a note once: the same author and `client_id` again get the first note, and nothing is stored (R-NOTE-2).
     * @throws 401, 403, 404, 409
     */
    async add(currentUser: CurrentUser, userId: string, body: NoteBody): Promise<{ note: Note; isNew: boolean }> {
      const { row, isNew } = await write((tx) => {
        policy.requireLiveAdmin(currentUser);
        const before = queries.findWrittenNote(tx, currentUser.id, body.client_id);
        if (before) return { row: before, isNew: false };
        access.requireConversation(currentUser, userId);
        if (queries.countNotes(tx, userId) >= NOTES_MAX) throw conflict(noteTexts.tooMany);
        const added = queries.insertNote(tx, {
          userId,
          authorId: currentUser.id,
          authorName: currentUser.name,
          content: body.content.toWellFormed(),
          clientId: body.client_id,
          createdAt: now(),
        });
        return { row: added, isNew: true };
      });
      if (isNew) publish.toAdmins('note:changed', { user_id: userId });
      return { note: presentNote(row), isNew };
    },

    /** Before the answer the text is gone from the disk too, and the audit does not have it. @throws 401, 403, 404 */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      const deleted = await write((tx) => {
        policy.requireLiveAdmin(currentUser);
        const row = /^\d{1,15}$/.test(id) ? queries.deleteNote(tx, Number(id)) : undefined;
        if (!row) throw notFound(noteTexts.missing);
        audit.noteDeleted(tx, currentUser, row);
        return row;
      });
      publish.toAdmins('note:changed', { user_id: deleted.userId });
      await context.eraseDeleted();
    },
  };
}
export type NoteService = ReturnType<typeof createNoteService>;
