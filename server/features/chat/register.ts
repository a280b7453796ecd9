import type { FastifyInstance } from 'fastify';
import { runAfterListen } from '#server/http/after-listen.ts';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { OnConnection } from '#server/realtime/namespace.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createChatQueries } from './queries.ts';
import { chatRoutes } from './routes.ts';
import { createChatService } from './service.ts';
import { registerSocketHandlers } from './socket-handlers.ts';
import type { encodeConversationsAnswer, encodeHistoryAnswer } from './list-answers.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    conversations: typeof encodeConversationsAnswer;
    history: typeof encodeHistoryAnswer;
  }
}

/** @throws 404 while there is no active admin */
type RequireContactAdmin = () => { id: string; name: string };

/** Adds the conversations. @returns what the namespace and other features need */
export async function registerChat(
  app: FastifyInstance,
  { context, guards, requireContactAdmin }: FeatureDeps & { requireContactAdmin: RequireContactAdmin },
) {
  const queries = createChatQueries(context.orm);
  const chat = createChatService(context, queries, requireContactAdmin);
  await app.register(chatRoutes(chat, guards), { prefix: API_PREFIX });
  runAfterListen(
    app,
    (mayContinue) => chat.finishClears(mayContinue),
    'interrupted deletions of histories were not finished',
  );
  return {
    /** Called before the server listens. */
    bindClientEvents: (onConnection: OnConnection) =>
      registerSocketHandlers(onConnection, context, chat.cursors, queries),
    /** Updates the inbox after an account was deleted or changed its role. */
    notifyInbox: (userId: string) => chat.accountChanged(userId),
  };
}
