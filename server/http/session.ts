import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, sessionEnded } from './errors.ts';

/** Who asks, as the database says at this very request (contract 3). */
export type CurrentUser = { id: string; name: string; email: string; isAdmin: boolean; sessionId: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** null outside the routes that asked for a session. */
    currentUser: CurrentUser | null;
  }
}

/** @throws 401 outside a route that requires a session */
export function requireCurrentUser(request: FastifyRequest): CurrentUser {
  if (!request.currentUser) throw sessionEnded();
  return request.currentUser;
}

/** Levels at which no request has a line of its own. */
const ERROR_ONLY_LEVELS = new Set(['warn', 'error', 'fatal', 'silent']);

function bearerToken(request: FastifyRequest): string | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return token ?? null;
}

/**
 * Gives requests their viewer. Both guards run before the body is read, so that who may not ask learns nothing else.
 * @param resolve turns a token into whom it stands for, or null when it no longer counts
 */
export function createSessionGuards(resolve: (token: string) => CurrentUser | null) {
  const requireSession = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = bearerToken(request);
    const currentUser = token === null ? null : resolve(token);
    if (!currentUser) throw sessionEnded();
    request.currentUser = currentUser;
    // The line that tells the outcome is the reply's. A logger that writes only faults is told who asked with each.
    if (!ERROR_ONLY_LEVELS.has(request.log.level))
      request.log = reply.log = request.log.child({ userId: currentUser.id });
  };
  const requireAdmin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await requireSession(request, reply);
    if (!requireCurrentUser(request).isAdmin) throw forbidden();
  };
  return { requireSession, requireAdmin };
}
export type SessionGuards = ReturnType<typeof createSessionGuards>;

export function decorateCurrentUser(app: FastifyInstance): void {
  app.decorateRequest('currentUser', null);
}
