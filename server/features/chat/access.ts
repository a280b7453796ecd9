import { errorTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ConversationRow } from './message-queries.ts';
import { chatQueries } from './queries.ts';

/** The rules who may read and write which conversation (R-CHAT-4, R-CHAT-7). */

/**
 * The conversation to which a message belongs.
 * @throws 404 for an unknown receiver, 403 for a receiver with the sender's role
 */
export async function requireReceiverConversation(
  orm: ConnectionOrTransaction,
  currentUser: CurrentUser,
  receiverId: string,
): Promise<ConversationRow> {
  const receiver = await chatQueries(orm).findUser(receiverId);
  if (!receiver) throw notFound(errorTexts.userMissing);
  if (receiver.isAdmin === currentUser.isAdmin) throw forbidden();
  return requireRow(orm, currentUser.isAdmin ? receiver.id : currentUser.id);
}

/** The conversation that is opened under this id: a user always gets the own one. @throws 403, 404 */
export async function requireConversation(
  orm: ConnectionOrTransaction,
  currentUser: CurrentUser,
  userId: string,
): Promise<ConversationRow> {
  const otherUser = await chatQueries(orm).findUser(userId);
  // A user must not learn which accounts exist: an unknown id gets the same answer as a forbidden one.
  if (currentUser.isAdmin && !otherUser) throw notFound(errorTexts.userMissing);
  if (!otherUser || otherUser.isAdmin === currentUser.isAdmin) throw forbidden();
  return requireRow(orm, currentUser.isAdmin ? userId : currentUser.id);
}

async function requireRow(orm: ConnectionOrTransaction, userId: string): Promise<ConversationRow> {
  const row = await chatQueries(orm).findConversation(userId);
  if (!row) throw notFound(errorTexts.userMissing);
  return row;
}
