import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { userCalls } from '#shared/api/calls/users.ts';
import type { OwnStatistics } from '#shared/api/tax-records/statistics.ts';
import type { QuotaUse } from '#shared/api/tax-records/tax-records.ts';
import type { OwnPasswordBody } from '#shared/api/users.ts';
import { presentAdminAccount } from '#server/accounts/cards/present-admin-account.ts';
import type { UserRow } from '#server/accounts/user-queries.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { presentSingle, presentUser } from '#server/http/answers/present.ts';
import { runWhenLeading } from '#server/http/listen/after-listen.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { encodeUsersAnswer } from './list-answers.ts';
import { createRecoveryCodeService } from './recovery-code-service.ts';
import { type AccountHooks, createUserService, type OwnPassword, type PasswordDeps } from './service.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    users: typeof encodeUsersAnswer;
  }
}

/** Reads sums of the records of a user. */
type UserRecords = {
  statisticsOf: (userId: string) => Promise<OwnStatistics>;
  quotaUseOf: (userId: string) => Promise<QuotaUse>;
};

/** Adds the users as admins manage them. @returns what other features need */
export function registerUsers(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & AccountHooks & PasswordDeps & UserRecords,
) {
  const users = createUserService(context, deps);
  const presentWithCard = (user: UserRow) => presentAdminAccount(context, user);
  const recoveryCodes = createRecoveryCodeService(context, deps);
  serveCalls(app, guards, userCalls, {
    'GET /admin/users': (received) => users.encodeList(received.query, listCallerOf(received)),
    'GET /admin/users/{id}': async ({ params }) =>
      presentSingle('Data user', await presentWithCard(await users.requireUser(params.id))),
    'POST /admin/users': async (received) => {
      const user = await users.create(received.currentUser, received.body, ownPasswordOf(received));
      return presentSingle('User berhasil dibuat', presentUser(user));
    },
    'PUT /admin/users/{id}': async (received) => {
      const { currentUser, params, body } = received;
      const user = await users.update(currentUser, params.id, body, ownPasswordOf(received));
      return presentSingle('User berhasil diperbarui', await presentWithCard(user));
    },
    'PUT /admin/users/{id}/toggle-status': async (received) => {
      const user = await users.toggleActive(received.currentUser, received.params.id, ownPasswordOf(received));
      return presentSingle(user.isActive ? 'User diaktifkan' : 'User dinonaktifkan', presentUser(user));
    },
    'PUT /admin/users/{id}/password': async (received) => {
      const { currentUser, params, body } = received;
      await users.resetPassword(currentUser, params.id, body, ownPasswordOf(received));
      return presentSingle('Password user berhasil diganti', {});
    },
    'POST /admin/users/{id}/recovery-code': async (received) => {
      const { currentUser, params, body } = received;
      const made = await recoveryCodes.make(currentUser, params.id, body, ownPasswordOf(received));
      return presentSingle('Kode masuk dibuat', made);
    },
    'DELETE /admin/users/{id}/recovery-code': async ({ currentUser, params }) => {
      await recoveryCodes.end(currentUser, params.id);
      return presentSingle('Kode masuk dicabut', {});
    },
    'DELETE /admin/users/{id}': async (received) => {
      await users.remove(received.currentUser, received.params.id, ownPasswordOf(received));
      return presentSingle('User berhasil dihapus', {});
    },
    'GET /admin/users/{id}/statistics': async ({ params }) =>
      presentSingle('Statistik data PBB', await deps.statisticsOf((await users.requireUser(params.id)).id)),
    'GET /admin/users/{id}/quota': async ({ params }) =>
      presentSingle('Batas data PBB', await deps.quotaUseOf((await users.requireUser(params.id)).id)),
  });
  runWhenLeading(
    app,
    context.processes,
    (mayContinue) => users.finishDeletions(mayContinue),
    'interrupted deletions of accounts were not finished',
  );
  return { removeAccount: users.removeAccount, removeUnused: users.removeUnused };
}

type Received = { body: OwnPasswordBody; request: FastifyRequest; reply: FastifyReply };

function ownPasswordOf({ body, request, reply }: Received): OwnPassword {
  const source = { address: request.ip, deviceToken: body?.device_token, signal: callerSignal(reply) };
  return { password: body?.current_password, source };
}
