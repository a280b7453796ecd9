import type { FastifyInstance } from 'fastify';
import { userCalls } from '#shared/api/calls/users.ts';
import { runAfterListen } from '#server/http/listen/after-listen.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { type UserRecords, userRoutes } from './routes.ts';
import { type AccountHooks, createUserService, type PasswordDeps } from './service.ts';
import type { encodeUsersAnswer } from './list-answers.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    users: typeof encodeUsersAnswer;
  }
}

/** Adds the users as admins manage them. */
export function registerUsers(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & AccountHooks & PasswordDeps & UserRecords,
): void {
  const service = createUserService(context, deps);
  serveCalls(app, guards, userCalls, userRoutes(service, deps));
  runAfterListen(
    app,
    (mayContinue) => service.finishDeletions(mayContinue),
    'interrupted deletions of accounts were not finished',
  );
}
