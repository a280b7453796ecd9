import { errorTexts } from '#shared/texts.ts';
import { forbidden, notFound, sessionEnded } from '#server/http/errors.ts';
import type { Viewer } from '#server/http/session.ts';
import type { ConversationRow } from './message-queries.ts';
import type { ChatQueries } from './queries.ts';

/** Who may do what with which conversation (contract 3 and 4). */
export function createAccess(statements: ChatQueries) {
  function requireRow(userId: string): ConversationRow {
    const row = statements.findConversation(userId);
    if (!row) throw notFound(errorTexts.userMissing);
    return row;
  }

  return {
    /**
     * Asked again where something is written: the session was checked before the body came, and a body may take long.
     * @throws 401, 403
     */
    requireStanding(viewer: Viewer): void {
      const standing = statements.findStanding(viewer.sessionId);
      if (!standing) throw sessionEnded();
      if (standing.isAdmin !== viewer.isAdmin) throw forbidden();
    },

    /** Whose conversation a message goes to. @throws 404 unknown receiver, 403 a receiver of one's own kind */
    requireConversationOf(viewer: Viewer, receiverId: string): ConversationRow {
      const receiver = statements.findPerson(receiverId);
      if (!receiver) throw notFound(errorTexts.userMissing);
      if (receiver.isAdmin === viewer.isAdmin) throw forbidden();
      return requireRow(viewer.isAdmin ? receiver.id : viewer.id);
    },

    /** The conversation a viewer may open under this id: a resident always gets their own. @throws 403, 404 */
    requireConversation(viewer: Viewer, userId: string): ConversationRow {
      const person = statements.findPerson(userId);
      // To a resident an account that does not exist is no different from one that is none of theirs.
      if (viewer.isAdmin && !person) throw notFound(errorTexts.userMissing);
      if (!person || person.isAdmin === viewer.isAdmin) throw forbidden();
      return requireRow(viewer.isAdmin ? userId : viewer.id);
    },
  };
}
