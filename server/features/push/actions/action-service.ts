import type { z } from 'zod';
import { type pushActionBody, pushTexts } from '#shared/api/push.ts';
import type { SendBody } from '#shared/api/chat/chat.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { AppError } from '#server/http/errors.ts';
import { createRateLimit } from '#server/http/limits/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ActionTokens, PushAction } from './action-tokens.ts';

/** A person presses a few buttons; each is a commit. */
const ACTIONS_MAX = 30;
const ACTIONS_WINDOW_MS = MINUTE_MS;

/** The calls of the chat that the buttons need. */
export type PushChat = {
  /** Whether the conversation still has this message: its history may have been deleted. */
  hasMessage: (userId: string, messageId: number) => Promise<boolean>;
  send: (currentUser: CurrentUser, body: SendBody) => Promise<unknown>;
  markSeen: (currentUser: CurrentUser, userId: string, upTo: number) => Promise<unknown>;
  /** Unread messages of this person in all conversations. */
  countUnread: (person: Pick<CurrentUser, 'id' | 'isAdmin'>) => Promise<number>;
};

export type ActionServiceDeps = {
  chat: PushChat;
  tokens: ActionTokens;
  /** @returns null for a session that has ended */
  resolveSession: (sessionId: string) => Promise<CurrentUser | null>;
  /** @throws 404 while there is no active admin */
  requireContactAdmin: () => Promise<{ id: string }>;
};

type ActionBody = z.output<typeof pushActionBody>;

/** One answer for every reason: the holder of an old token learns nothing from it. */
const refused = (): AppError => new AppError(403, pushTexts.actionRefused);

/** Marks as read and answers from a notification, without an open page (R-PUSH-30 to R-PUSH-32). */
export function createActionService(
  { monotonicNow, rateLimits }: Pick<ServiceContext, 'monotonicNow' | 'rateLimits'>,
  { chat, tokens, resolveSession, requireContactAdmin }: ActionServiceDeps,
) {
  const actions = createRateLimit(ACTIONS_MAX, ACTIONS_WINDOW_MS, monotonicNow);

  /** @throws 403 */
  async function requireAction(token: string): Promise<PushAction & { currentUser: CurrentUser }> {
    const action = tokens.read(token);
    const currentUser = action && (await resolveSession(action.sessionId));
    if (!action || currentUser?.isAdmin !== action.isAdmin) throw refused();
    if (!action.isAdmin && action.userId !== currentUser.id) throw refused();
    if (!(await chat.hasMessage(action.userId, action.messageId))) throw refused();
    return { ...action, currentUser };
  }

  /**
   * An admin's answer counts as written after the message of the notification: if a colleague has answered since, it is
   * refused (R-INBOX-10). Sending it again is safe.
   */
  async function sendReply(
    { currentUser, userId, messageId }: PushAction & { currentUser: CurrentUser },
    { content, client_id: clientId }: Extract<ActionBody, { action: 'reply' }>,
  ): Promise<unknown> {
    const receiver = currentUser.isAdmin
      ? { to_user_id: userId, seen_id: messageId }
      : { to_user_id: (await requireContactAdmin()).id, seen_id: undefined };
    const carried = { reply_to: undefined, attachment_ids: [], record_id: null };
    return chat.send(currentUser, { ...receiver, ...carried, content, client_id: clientId });
  }

  return {
    /**
     * @returns how many messages stay unread
     * @throws 403 for a token that does not count any more, 404, 409 for a second answer, 429
     */
    async act(body: ActionBody): Promise<{ unread: number }> {
      const action = await requireAction(body.action_token);
      const { currentUser, userId, messageId } = action;
      if (rateLimits) {
        actions.check(currentUser.id);
        actions.count(currentUser.id);
      }
      try {
        if (body.action === 'reply') await sendReply(action, body);
        // A person who answers a message has read it.
        await chat.markSeen(currentUser, userId, messageId);
      } catch (error) {
        // The session has ended meanwhile.
        throw error instanceof AppError && error.status === 401 ? refused() : error;
      }
      return { unread: await chat.countUnread(currentUser) };
    },
  };
}
export type ActionService = ReturnType<typeof createActionService>;
