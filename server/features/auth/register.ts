import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { accountRoutes } from './account-routes.ts';
import { createAccountService, createOwnPasswordCheck } from './account-service.ts';
import { createPasswordCheck } from './password-check.ts';
import { authRoutes } from './routes.ts';
import { createAuthService } from './service.ts';
import type { Sessions } from './sessions.ts';

/** Adds login, registration and the own account. @returns what other features need */
export async function registerAuth(
  app: FastifyInstance,
  { context, guards, sessions }: FeatureDeps & { sessions: Sessions },
) {
  const passwords = createPasswordCheck(context);
  const auth = createAuthService(context, sessions, passwords);
  await app.register(authRoutes(auth, sessions, guards), { prefix: API_PREFIX });
  await app.register(accountRoutes(createAccountService(context, passwords), guards), { prefix: API_PREFIX });
  return {
    /** @throws 404 while there is no active admin */
    requireContactAdmin: () => auth.requireContactAdmin(),
    /** Counts wrong passwords together with the login. */
    isOwnPassword: createOwnPasswordCheck(context, passwords),
  };
}
