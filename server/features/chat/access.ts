import { errorTexts } from '#shared/texts.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ConversationRow } from './message-queries.ts';
import type { ChatQueries } from './queries.ts';

/** The rules who may read and write which conversation (R-CHAT-4, R-CHAT-7). */

type Statements = Pick<ChatQueries, 'findConversation' | 'findUser'>;

/**
 * The conversation to which a message belongs.
 * @throws 404 for an unknown receiver, 403 for a receiver with the sender's role
 */
export function requireReceiverConversation(
  statements: Statements,
  currentUser: CurrentUser,
  receiverId: string,
): ConversationRow {
  const receiver = statements.findUser(receiverId);
  if (!receiver) throw notFound(errorTexts.userMissing);
  if (receiver.isAdmin === currentUser.isAdmin) throw forbidden();
  return requireRow(statements, currentUser.isAdmin ? receiver.id : currentUser.id);
}

/** The conversation that is opened under this id: a user always gets the own one. @throws 403, 404 */
export function requireConversation(statements: Statements, currentUser: CurrentUser, userId: string): ConversationRow {
  const otherUser = statements.findUser(userId);
  // A user must not learn which accounts exist: an unknown id gets the same answer as a forbidden one.
  if (currentUser.isAdmin && !otherUser) throw notFound(errorTexts.userMissing);
  if (!otherUser || otherUser.isAdmin === currentUser.isAdmin) throw forbidden();
  return requireRow(statements, currentUser.isAdmin ? userId : currentUser.id);
}

function requireRow(statements: Statements, userId: string): ConversationRow {
  const row = statements.findConversation(userId);
  if (!row) throw notFound(errorTexts.userMissing);
  return row;
}
