import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { JWT } from '@fastify/jwt';
import { z } from 'zod';
import type { SessionEntry } from '#shared/domain/users/security-events.ts';
import { ACCOUNT_SESSIONS_MAX, SESSION_MAX_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { CurrentUser, ResolvedUser } from '#server/http/session-guards.ts';
import { findFactor, insertTicket } from '#server/accounts/second-factor/factor-queries.ts';
import { deleteOldestSessions, deleteSession, insertSession, touchSession } from './queries.ts';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: { sub: string; jti: string; iat: number; exp: number };
    user: { sub: string; jti: string; iat: number; exp: number };
  }
}

const claimsSchema = z.object({ sub: z.string(), jti: z.string(), exp: z.number() });
type TokenClaims = z.infer<typeof claimsSchema>;

/** More than a large installation has open at once; an entry takes a few hundred bytes. */
const VERIFIED_TOKENS_MAX = 5000;

/** Storing the time of every request would cost one commit each; a limit of days needs no such precision. */
const LAST_SEEN_UPDATE_MS = 5 * 60 * 1000;
const USER_AGENT_MAX = 300;

/** @property replacedIds the oldest sessions of the account, which ended for the new one */
export type OpenedSession = { token: string; replacedIds: string[] };
/** The result of a way in: a session, or the second step where a second factor is on (R-ACCESS-61). */
export type Entrance = { session: OpenedSession; ticket?: never } | { ticket: string; session?: never };
export type ClientInfo = { userAgent: string | undefined; address: string };

export const hashTicket = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url');

/** A session is a signed token and a row; the token counts only while the row of its `jti` exists (R-AUTH-8). */
export function createSessions(
  jwt: JWT,
  { orm, policy, write, earliestNow, latestNow, operatingNow, publish }: ServiceContext,
) {
  /** Caches the signatures only, which never change. Every request reads again whether the session still counts. */
  const verifiedTokens = new Map<string, TokenClaims>();

  /** @returns null when the session ended, expired or was idle too long, or its account is not active */
  async function resolveId(sessionId: string): Promise<ResolvedUser | null> {
    const at = latestNow();
    const found = await policy.findLiveSession(orm, sessionId);
    if (!found) return null;
    if (at - found.lastSeenAt > LAST_SEEN_UPDATE_MS) {
      // Not awaited: if it fails, the next request tries again.
      write((tx) => touchSession(tx, sessionId, at)).catch(() => undefined);
    }
    return { ...found.user, sessionId };
  }

  /** For links, sockets and notifications. @returns null also while the account must do something else first */
  async function resolveSession(sessionId: string): Promise<CurrentUser | null> {
    const resolved = await resolveId(sessionId);
    if (!resolved || resolved.firstDuty !== null) return null;
    const { firstDuty: _none, ...currentUser } = resolved;
    return currentUser;
  }

  /** @returns null when this server did not sign the token */
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
  async function resolve(token: string): Promise<ResolvedUser | null> {
    const tokenClaims = readClaims(token);
    if (!tokenClaims || tokenClaims.exp * 1000 <= earliestNow()) return null;
    const currentUser = await resolveId(tokenClaims.jti);
    return currentUser?.id === tokenClaims.sub ? currentUser : null;
  }

  /**
   * Stores a session inside the caller's transaction, which then calls `endReplaced` after its commit. For new accounts, and after
   * the second step; every other way in calls `enter`.
   */
  async function open(
    tx: Transaction,
    userId: string,
    clientInfo: ClientInfo,
    entry: SessionEntry = 'password',
  ): Promise<OpenedSession> {
    const at = latestNow();
    const jti = randomUUID();
    const expiresAt = at + SESSION_MAX_MS;
    await insertSession(tx, {
      id: jti,
      userId,
      createdAt: at,
      lastSeenAt: at,
      expiresAt,
      userAgent: clientInfo.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      address: clientInfo.address,
      entry,
    });
    const replacedIds = await deleteOldestSessions(tx, userId, ACCOUNT_SESSIONS_MAX);
    const token = jwt.sign({ sub: userId, jti, iat: Math.floor(at / 1000), exp: Math.floor(expiresAt / 1000) });
    return { token, replacedIds };
  }

  return {
    resolve,
    resolveSession,
    open,

    /**
     * Opens a session inside the caller's transaction, or makes a ticket where a second factor is on.
     * @param passwordHash a new password that the account gets with the second factor only
     */
    async enter(
      tx: Transaction,
      userId: string,
      clientInfo: ClientInfo,
      entry: SessionEntry,
      passwordHash: string | null = null,
    ): Promise<Entrance> {
      if (!(await findFactor(tx, userId))) return { session: await open(tx, userId, clientInfo, entry) };
      const ticket = randomBytes(32).toString('base64url');
      await insertTicket(tx, { ticketHash: hashTicket(ticket), userId, entry, passwordHash, madeAt: operatingNow() });
      return { ticket };
    },

    endReplaced({ session }: Entrance): void {
      for (const id of session?.replacedIds ?? []) publish.endSession(id);
    },

    async close(sessionId: string): Promise<void> {
      await write((tx) => deleteSession(tx, sessionId));
      publish.endSession(sessionId);
    },
  };
}
export type Sessions = ReturnType<typeof createSessions>;
