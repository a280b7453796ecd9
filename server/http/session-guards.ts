import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FirstDuty } from '#shared/api/calls/call.ts';
import { accessTexts, factorTexts } from '#shared/texts.ts';
import { AppError, forbidden, sessionEnded } from './errors.ts';

/** The signed-in caller, as read from the database for this request (docs/requirements.md R-PERM-4). */
export type CurrentUser = { id: string; name: string; email: string; isAdmin: boolean; sessionId: string };

export type ResolvedUser = CurrentUser & { firstDuty: FirstDuty | null };
export const dutyTexts = {
  'new password': accessTexts.changePassword,
  'second factor': factorTexts.setUpFirst,
} as const satisfies Record<FirstDuty, string>;

declare module 'fastify' {
  interface FastifyRequest {
    /** null in routes that require no session. */
    currentUser: CurrentUser | null;
  }
}

/** @throws 401 outside a route that requires a session */
export function requireCurrentUser(request: FastifyRequest): CurrentUser {
  if (!request.currentUser) throw sessionEnded();
  return request.currentUser;
}

/** At these log levels a request has no log line of its own. */
const ERROR_ONLY_LEVELS = new Set(['warn', 'error', 'fatal', 'silent']);

function bearerToken(request: FastifyRequest): string | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return token ?? null;
}

/**
 * Hooks that set `request.currentUser`. Both run before the body is read, so that a caller without rights gets no other
 * information (docs/requirements.md R-PERM-1).
 * @param resolve returns the user of a token, or null for a token that does not count
 */
export function createSessionGuards(resolve: (token: string) => Promise<ResolvedUser | null>) {
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<FirstDuty | null> {
    const token = bearerToken(request);
    const resolved = token === null ? null : await resolve(token);
    if (!resolved) throw sessionEnded();
    const { firstDuty, ...currentUser } = resolved;
    request.currentUser = currentUser;
    // The log line with the status belongs to the reply. At these levels sendError adds the user id itself, and the
    // child logger would only cost time.
    if (!ERROR_ONLY_LEVELS.has(request.log.level))
      request.log = reply.log = request.log.child({ userId: currentUser.id });
    return firstDuty;
  }
  /** @param duties for the few calls that lead to their end */
  const requireSessionBefore =
    (duties: readonly FirstDuty[]) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const duty = await identify(request, reply);
      if (duty !== null && !duties.includes(duty)) throw new AppError(403, dutyTexts[duty]);
    };
  const requireSession = requireSessionBefore([]);
  const requireAdmin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await requireSession(request, reply);
    if (!requireCurrentUser(request).isAdmin) throw forbidden();
  };
  return { requireSessionBefore, requireSession, requireAdmin };
}
export type SessionGuards = ReturnType<typeof createSessionGuards>;

export function decorateCurrentUser(app: FastifyInstance): void {
  app.decorateRequest('currentUser', null);
}
