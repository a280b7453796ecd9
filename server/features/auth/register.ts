import type { FastifyInstance } from 'fastify';
import { authCalls } from '#shared/api/calls/auth.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createAccountService, createOwnPasswordCheck, createOwnPasswordRule } from './account-service.ts';
import { createOwnLogService } from './own-log-service.ts';
import { createPasswordCheck } from './password-check.ts';
import { createRecoveryService } from './recovery-service.ts';
import { authRoutes } from './routes.ts';
import { createAuthService } from './service.ts';
import type { Sessions } from './sessions.ts';

/** Adds login, registration and the own account. @returns what other features need */
export function registerAuth(
  app: FastifyInstance,
  { context, guards, sessions }: FeatureDeps & { sessions: Sessions },
) {
  const passwords = createPasswordCheck(context);
  const auth = createAuthService(context, sessions, passwords);
  const account = createAccountService(context, passwords);
  const ownLog = createOwnLogService(context);
  const recovery = createRecoveryService(context, sessions);
  serveCalls(app, guards, authCalls, authRoutes({ auth, account, ownLog, recovery, sessions }));
  return {
    /** @throws 404 while there is no active admin */
    requireContactAdmin: () => auth.requireContactAdmin(),
    issueDeviceToken: passwords.issueDeviceToken,
    /** Counts wrong passwords together with the login. */
    isOwnPassword: createOwnPasswordCheck(context, passwords),
    /** For what opens an account later; wrong ones are counted for the account too. */
    requireOwnPassword: createOwnPasswordRule(context, passwords),
  };
}
