import { randomUUID } from 'node:crypto';
import type { JWT } from '@fastify/jwt';
import { z } from 'zod';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '#shared/limits.ts';
import type { Context } from '#server/context.ts';
import type { Orm } from '#server/db/open.ts';
import type { Viewer } from '#server/http/session.ts';
import { deleteSession, prepareLiveSession, insertSession, touchSession } from './queries.ts';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: { sub: string; jti: string; iat: number; exp: number };
    user: { sub: string; jti: string; iat: number; exp: number };
  }
}

const claims = z.object({ sub: z.string(), jti: z.string(), exp: z.number() });
type Claims = z.infer<typeof claims>;

/** As many as a busy office has open; each is a few hundred bytes. */
const SIGNED_MAX = 5000;

/** Writing down every request would cost a commit each; idle days need no such precision. */
const TOUCH_EVERY_MS = 5 * 60 * 1000;
const USER_AGENT_MAX = 300;

export type Origin = { userAgent: string | undefined; address: string };

/** Sessions: a signed token whose `jti` counts only while its row exists (contract 3). */
export function createSessions(jwt: JWT, { orm, commit, now, publish }: Context) {
  const findLiveSession = prepareLiveSession(orm);
  /** That we signed a token never changes; whether its session still counts is asked anew every time. */
  const signed = new Map<string, Claims>();

  /** Whom a session stands for now; null when it ended, idled out, or its account is no longer active. */
  function resolveId(sessionId: string): Viewer | null {
    const at = now();
    const found = findLiveSession(sessionId, at, at - SESSION_IDLE_MS);
    if (!found) return null;
    if (at - found.lastSeenAt > TOUCH_EVERY_MS) {
      // Nobody waits for this; if it fails, the next request tries again.
      commit((tx) => touchSession(tx, sessionId, at)).catch(() => undefined);
    }
    const { id, name, email, isAdmin } = found.user;
    return { id, name, email, isAdmin, sessionId };
  }

  /** What the token says, if we signed it. */
  function readClaims(token: string): Claims | null {
    const known = signed.get(token);
    if (known) return known;
    try {
      const read = claims.parse(jwt.verify(token));
      if (signed.size >= SIGNED_MAX) signed.clear();
      signed.set(token, read);
      return read;
    } catch {
      return null;
    }
  }

  return {
    resolveId,

    /** @throws whatever the database throws: a busy one ends nobody's session */
    resolve(token: string): Viewer | null {
      const said = readClaims(token);
      if (!said || said.exp * 1000 <= now()) return null;
      const viewer = resolveId(said.jti);
      return viewer?.id === said.sub ? viewer : null;
    },

    /** Opens a session inside the caller's transaction. @returns the token */
    open(tx: Orm, userId: string, origin: Origin): string {
      const at = now();
      const jti = randomUUID();
      const expiresAt = at + SESSION_MAX_MS;
      insertSession(tx, {
        id: jti,
        userId,
        createdAt: at,
        lastSeenAt: at,
        expiresAt,
        userAgent: origin.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
        address: origin.address,
      });
      return jwt.sign({ sub: userId, jti, iat: Math.floor(at / 1000), exp: Math.floor(expiresAt / 1000) });
    },

    async close(sessionId: string): Promise<void> {
      await commit((tx) => deleteSession(tx, sessionId));
      publish.endSession(sessionId);
    },
  };
}
export type Sessions = ReturnType<typeof createSessions>;
