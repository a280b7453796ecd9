import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { erasureCalls } from '#shared/api/calls/erasures.ts';
import type { OpenErasure, OwnErasure } from '#shared/api/erasures.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { OpenErasureRow } from '#server/accounts/erasures/erasure-queries.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { presentIds, presentSingle } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createErasureDecisions, type DecidedErasure, type DecisionDeps } from './decision-service.ts';
import { createOwnErasureService } from './own-service.ts';

type ErasureTerms = {
  /** The term in which the office decides. */
  erasureHours: number;
  /** So long, at most, archives hold what was deleted. */
  archiveMonths: number;
};
type Received = { request: FastifyRequest; reply: FastifyReply };

const sourceOf = ({ request, reply }: Received) => ({ address: request.ip, signal: callerSignal(reply) });

/** Adds requests to delete the own account, and the office's decisions about them. */
export function registerErasures(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & DecisionDeps & ErasureTerms,
): void {
  const own = createOwnErasureService(context, deps);
  const decisions = createErasureDecisions(context, deps);
  serveCalls(app, guards, erasureCalls, {
    'POST /auth/erasure': async (received) => {
      const asked = await own.ask(received.currentUser, received.body, sourceOf(received));
      return presentSingle('Permintaan dikirim ke kantor', presentErasure(asked));
    },
    'GET /auth/erasure': async ({ currentUser }) =>
      presentSingle('Permintaan hapus akun', presentErasure(await own.find(currentUser))),
    'GET /auth/erasure/terms': async ({ currentUser }) =>
      presentSingle('Ketentuan hapus akun', {
        deadline_hours: deps.erasureHours,
        archive_months: deps.archiveMonths,
        has_asked: await own.hasAsked(currentUser),
      }),
    'DELETE /auth/erasure': async ({ currentUser }) =>
      presentSingle('Permintaan dibatalkan', presentErasure(await own.withdraw(currentUser))),
    'GET /admin/erasures': async ({ query }) => {
      // Null: a state that no open request has.
      const open = query.state === null ? [] : await decisions.listOpen();
      return presentSingle(
        'Permintaan hapus akun',
        open.map((row) => presentOpen(row, decisions.approvableAt(row.request))),
      );
    },
    'POST /admin/users/{id}/erasure': async (received) => {
      const { currentUser, params, body } = received;
      const decided = await decisions.decide(currentUser, params.id, body, sourceOf(received));
      const message = decided.state === 'approved' ? 'Akun berhasil dihapus' : 'Permintaan ditolak';
      return presentSingle(message, presentErasure(decided));
    },
  });
}

function presentErasure({ id, state, reason, dueAt, createdAt, updatedAt }: DecidedErasure): OwnErasure {
  return {
    ...presentIds(id),
    state,
    due_at: new Date(dueAt).toISOString(),
    reason,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

function presentOpen({ request, user, ...counts }: OpenErasureRow, approvableAt: number): OpenErasure {
  const { id, name, email, isAdmin, isActive } = user;
  return {
    ...presentErasure(request),
    user: { id, name, email, has_email: hasEmail(email), is_admin: isAdmin, is_active: isActive },
    approvable_at: new Date(approvableAt).toISOString(),
    records: counts.records,
    unpaid: counts.unpaid,
    open_claims: counts.openClaims,
  };
}
