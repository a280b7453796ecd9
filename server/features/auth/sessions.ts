import { randomUUID } from 'node:crypto';
import type { JWT } from '@fastify/jwt';
import { z } from 'zod';
import { SESSION_MAX_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/open.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { deleteSession, insertSession, touchSession } from './queries.ts';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: { sub: string; jti: string; iat: number; exp: number };
    user: { sub: string; jti: string; iat: number; exp: number };
  }
}

const claimsSchema = z.object({ sub: z.string(), jti: z.string(), exp: z.number() });
type TokenClaims = z.infer<typeof claimsSchema>;

/** As many as a busy office has open; each is a few hundred bytes. */
const VERIFIED_TOKENS_MAX = 5000;

/** Writing down every request would cost a commit each; idle days need no such precision. */
const LAST_SEEN_UPDATE_MS = 5 * 60 * 1000;
const USER_AGENT_MAX = 300;

export type ClientInfo = { userAgent: string | undefined; address: string };

/** Sessions: a signed token whose `jti` counts only while its row exists (contract 3). */
export function createSessions(jwt: JWT, { policy, write, now, publish }: ServiceContext) {
  /** That we signed a token never changes; whether its session still counts is asked anew every time. */
  const verifiedTokens = new Map<string, TokenClaims>();

  /** Whom a session stands for now; null when it ended, idled out, or its account is no longer active. */
  function resolveId(sessionId: string): CurrentUser | null {
    const at = now();
    const found = policy.findLiveSession(sessionId);
    if (!found) return null;
    if (at - found.lastSeenAt > LAST_SEEN_UPDATE_MS) {
      // Nobody waits for this; if it fails, the next request tries again.
      write((tx) => touchSession(tx, sessionId, at)).catch(() => undefined);
    }
    const { id, name, email, isAdmin } = found.user;
    return { id, name, email, isAdmin, sessionId };
  }

  /** What the token says, if we signed it. */
  function readClaims(token: string): TokenClaims | null {
    const cached = verifiedTokens.get(token);
    if (cached) return cached;
    try {
      const tokenClaims = claimsSchema.parse(jwt.verify(token));
      if (verifiedTokens.size >= VERIFIED_TOKENS_MAX) verifiedTokens.clear();
      verifiedTokens.set(token, tokenClaims);
      return tokenClaims;
    } catch {
      return null;
    }
  }

  /** @throws the error of the database: a busy one must not end a session */
  function resolve(token: string): CurrentUser | null {
    const tokenClaims = readClaims(token);
    if (!tokenClaims || tokenClaims.exp * 1000 <= now()) return null;
    const currentUser = resolveId(tokenClaims.jti);
    return currentUser?.id === tokenClaims.sub ? currentUser : null;
  }

  return {
    resolve,
    resolveId,

    /** Opens a session inside the caller's transaction. @returns the token */
    open(tx: Transaction, userId: string, clientInfo: ClientInfo): string {
      const at = now();
      const jti = randomUUID();
      const expiresAt = at + SESSION_MAX_MS;
      insertSession(tx, {
        id: jti,
        userId,
        createdAt: at,
        lastSeenAt: at,
        expiresAt,
        userAgent: clientInfo.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
        address: clientInfo.address,
      });
      return jwt.sign({ sub: userId, jti, iat: Math.floor(at / 1000), exp: Math.floor(expiresAt / 1000) });
    },

    async close(sessionId: string): Promise<void> {
      await write((tx) => deleteSession(tx, sessionId));
      publish.endSession(sessionId);
    },
  };
}
export type Sessions = ReturnType<typeof createSessions>;
