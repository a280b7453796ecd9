import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { OnConnection } from '#server/realtime/namespace.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createChatQueries } from './queries.ts';
import { chatRoutes } from './routes.ts';
import { createChatService, type ChatService } from './service.ts';
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
  finishClearsInBackground(app, chat);
  return {
    /** Called before the server listens. */
    bindClientEvents: (onConnection: OnConnection) =>
      registerSocketHandlers(onConnection, context, chat.cursors, queries),
    /** Updates the inbox after an account was deleted or changed its role. */
    notifyInbox: (userId: string) => chat.accountChanged(userId),
  };
}

/** Deletions that a crash interrupted go on beside the first requests: a long history takes seconds. */
function finishClearsInBackground(app: FastifyInstance, chat: ChatService): void {
  let isClosing = false;
  let finished = Promise.resolve();
  app.addHook('onListen', async () => {
    finished = chat
      .finishClears(() => !isClosing)
      .catch((error: unknown) => app.log.error({ err: error }, 'interrupted deletions of histories were not finished'));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    await finished;
  });
}
