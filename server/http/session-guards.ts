import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accessTexts } from '#shared/texts.ts';
import { AppError, forbidden, sessionEnded } from './errors.ts';

/** The signed-in caller, as read from the database for this request (docs/requirements.md R-PERM-4). */
export type CurrentUser = { id: string; name: string; email: string; isAdmin: boolean; sessionId: string };

/** @property mustChangePassword until then the session reaches nothing else (R-ACCESS-20) */
export type ResolvedUser = CurrentUser & { mustChangePassword: boolean };

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
  /** @returns whether the account must choose a new password first */
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const token = bearerToken(request);
    const resolved = token === null ? null : await resolve(token);
    if (!resolved) throw sessionEnded();
    const { mustChangePassword, ...currentUser } = resolved;
    request.currentUser = currentUser;
    // The log line with the status belongs to the reply. At these levels sendError adds the user id itself, and the
    // child logger would only cost time.
    if (!ERROR_ONLY_LEVELS.has(request.log.level))
      request.log = reply.log = request.log.child({ userId: currentUser.id });
    return mustChangePassword;
  }
  /** For the few calls that lead to a new password. */
  const requireAnySession = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await identify(request, reply);
  };
  const requireSession = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (await identify(request, reply)) throw new AppError(403, accessTexts.changePassword);
  };
  const requireAdmin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await requireSession(request, reply);
    if (!requireCurrentUser(request).isAdmin) throw forbidden();
  };
  return { requireAnySession, requireSession, requireAdmin };
}
export type SessionGuards = ReturnType<typeof createSessionGuards>;

export function decorateCurrentUser(app: FastifyInstance): void {
  app.decorateRequest('currentUser', null);
}
