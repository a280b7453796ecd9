import { errorTexts } from '#shared/texts.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session.ts';
import type { ConversationRow } from './message-queries.ts';
import type { ChatQueries } from './queries.ts';

/** Who may do what with which conversation (contract 3 and 4). */
export function createAccessChecks(statements: ChatQueries) {
  function requireConversationRow(userId: string): ConversationRow {
    const row = statements.findConversation(userId);
    if (!row) throw notFound(errorTexts.userMissing);
    return row;
  }

  return {
    /** Whose conversation a message goes to. @throws 404 unknown receiver, 403 a receiver of one's own kind */
    requireReceiverConversation(currentUser: CurrentUser, receiverId: string): ConversationRow {
      const receiver = statements.findUser(receiverId);
      if (!receiver) throw notFound(errorTexts.userMissing);
      if (receiver.isAdmin === currentUser.isAdmin) throw forbidden();
      return requireConversationRow(currentUser.isAdmin ? receiver.id : currentUser.id);
    },

    /** The conversation a viewer may open under this id: a resident always gets their own. @throws 403, 404 */
    requireConversation(currentUser: CurrentUser, userId: string): ConversationRow {
      const otherUser = statements.findUser(userId);
      // To a resident an account that does not exist is no different from one that is none of theirs.
      if (currentUser.isAdmin && !otherUser) throw notFound(errorTexts.userMissing);
      if (!otherUser || otherUser.isAdmin === currentUser.isAdmin) throw forbidden();
      return requireConversationRow(currentUser.isAdmin ? userId : currentUser.id);
    },
  };
}
