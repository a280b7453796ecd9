import { noteTexts, type Note, type NoteBody, type NoteForMe } from '#shared/api/chat/inbox.ts';
import { NOTES_MAX } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import type { Transaction } from '#server/db/engine.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { findUserById } from '#server/accounts/user-queries.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { requireConversation } from '../access.ts';
import { presentNote } from './note-answers.ts';
import * as queries from './note-queries.ts';

/** More than an admin works on in a day. */
const FOR_ME_MAX = 100;

/** The notes of admins about a conversation; no user gets any of them (R-NOTE-1). */
export function createNoteService(context: ServiceContext) {
  const { audit, policy, write, now, publish } = context;
  const nameOf = async (tx: Transaction, id: string | null): Promise<string | null> =>
    id === null ? null : ((await findUserById(tx, id))?.name ?? null);

  return {
    /** @throws 403 for an admin's account, 404 */
    async encodeList(
      currentUser: CurrentUser,
      userId: string,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      await requireConversation(context.orm, currentUser, userId);
      return context.queryWorker.run('notes', { userId, acceptsGzip }, caller);
    },

    /**
     * Stores a note once: the same author and `client_id` again get the first note, and nothing is stored (R-NOTE-2).
     * @throws 401, 403, 404, 409
     */
    async add(currentUser: CurrentUser, userId: string, body: NoteBody): Promise<{ note: Note; isNew: boolean }> {
      const { row, forName, isNew } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const before = await queries.findWrittenNote(tx, currentUser.id, body.client_id);
        if (before) return { row: before, forName: await nameOf(tx, before.forAdminId), isNew: false };
        await requireConversation(tx, currentUser, userId);
        if ((await queries.countNotes(tx, userId)) >= NOTES_MAX) throw conflict(noteTexts.tooMany);
        const forAdminId = body.for_admin_id ?? null;
        const addressee = forAdminId === null ? undefined : await findUserById(tx, forAdminId);
        if (forAdminId !== null && !(addressee?.isAdmin && addressee.isActive)) {
          throw invalid('for_admin_id', noteTexts.noSuchAdmin);
        }
        const added = await queries.insertNote(tx, {
          userId,
          authorId: currentUser.id,
          authorName: currentUser.name,
          content: body.content.toWellFormed(),
          clientId: body.client_id,
          forAdminId,
          seenAt: null,
          createdAt: now(),
        });
        return { row: added, forName: addressee?.name ?? null, isNew: true };
      });
      if (isNew) publish.toAdmins('note:changed', { user_id: userId });
      return { note: presentNote({ note: row, forName }), isNew };
    },

    /** Notes of colleagues for this admin that were not opened yet (R-CHAT-62). */
    listForMe: async (currentUser: CurrentUser): Promise<NoteForMe[]> =>
      (await queries.listNotesFor(context.orm, currentUser.id, FOR_ME_MAX)).map(({ user, author, createdAt }) => ({
        user,
        author,
        created_at: new Date(createdAt).toISOString(),
      })),

    /** The admin has opened the notes of a conversation. Nothing changes for anybody else's. @throws 401, 403, 404 */
    async markSeen(currentUser: CurrentUser, userId: string): Promise<void> {
      const hasChanged = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        await requireConversation(tx, currentUser, userId);
        return queries.markNotesSeen(tx, userId, currentUser.id, now());
      });
      if (hasChanged) publish.toAdmins('note:changed', { user_id: userId });
    },

    /** Before the answer the text is gone from the disk too, and the audit does not have it. @throws 401, 403, 404 */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      const deleted = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const row = /^\d{1,15}$/.test(id) ? await queries.deleteNote(tx, Number(id)) : undefined;
        if (!row) throw notFound(noteTexts.missing);
        await audit.noteDeleted(tx, currentUser, row);
        return row;
      });
      publish.toAdmins('note:changed', { user_id: deleted.userId });
      await context.eraseDeleted();
    },
  };
}
export type NoteService = ReturnType<typeof createNoteService>;
