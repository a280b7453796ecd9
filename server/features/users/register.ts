import type { FastifyInstance } from 'fastify';
import { runAfterListen } from '#server/http/after-listen.ts';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { userRoutes } from './routes.ts';
import { type AccountHooks, createUserService, type PasswordDeps } from './service.ts';
import type { encodeUsersAnswer } from './list-answers.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    users: typeof encodeUsersAnswer;
  }
}

/** Adds the users as admins manage them. */
export async function registerUsers(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & AccountHooks & PasswordDeps,
): Promise<void> {
  const service = createUserService(context, deps);
  await app.register(userRoutes(service, guards), { prefix: API_PREFIX });
  runAfterListen(
    app,
    (mayContinue) => service.finishDeletions(mayContinue),
    'interrupted deletions of accounts were not finished',
  );
}
