import type { FastifyInstance } from 'fastify';
import { recoveryCalls } from '#shared/api/calls/recoveries.ts';
import type { Recovery } from '#shared/api/recoveries.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { OpenRequest } from '#server/accounts/recovery-queries.ts';
import { presentIds, presentSingle } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createRecoveriesService } from './service.ts';

/** Adds the requests for a way back in, as the office sees them. */
export function registerRecoveries(app: FastifyInstance, { context, guards }: FeatureDeps): void {
  const recoveries = createRecoveriesService(context);
  serveCalls(app, guards, recoveryCalls, {
    'GET /admin/recoveries': async ({ query }) => {
      // Null: a state that no request has.
      const open = query.state === null ? [] : await recoveries.listOpen();
      const sinceStartMs = context.now() - context.operatingNow();
      const shown = open.map((request) => presentRecovery(request, sinceStartMs));
      return presentSingle('Permintaan kode masuk', shown);
    },
    'DELETE /admin/recoveries/{id}': async ({ currentUser, params }) => {
      await recoveries.remove(currentUser, params.id);
      return presentSingle('Permintaan disingkirkan', {});
    },
  });
}

/** @param sinceStartMs the clock of the computer less the operating time */
function presentRecovery({ id, users, kind, createdAt, lastSeenAt }: OpenRequest, sinceStartMs: number): Recovery {
  return {
    ...presentIds(id),
    users: users.map(({ wayMadeAt, phoneProves, ...user }) => ({
      ...user,
      has_email: hasEmail(user.email),
      phone_proves: phoneProves === 1,
      way_made_at: wayMadeAt === null ? null : new Date(sinceStartMs + wayMadeAt).toISOString(),
    })),
    identifier_kind: kind,
    created_at: new Date(createdAt).toISOString(),
    last_seen_at: new Date(lastSeenAt).toISOString(),
  };
}
