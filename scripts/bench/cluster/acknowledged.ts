import { CLAIM_ABSENCE_MS } from '#shared/limits.ts';

export type SentMessage = { id: string; userId: string; clientId: string; content: string; attachmentIds: string[] };
export type SentFile = { id: string; userId: string; bytes: number };
/** `atMs`: by the clock of `performance.now`. */
export type Claim = { holderId: string; atMs: number };

/** All that the processes have acknowledged so far. The stored data must agree with it. */
export type Acknowledged = {
  messages: SentMessage[];
  files: SentFile[];
  /** The last claim of each conversation, by user; without those of which the last call got no answer. */
  claims: Map<string, Claim>;
  /** By user: the claims by which an administrator took the conversation from another one. */
  takeovers: Map<string, number>;
  /** Every claim that was acknowledged. */
  claimCount: number;
};

export const createAcknowledged = (): Acknowledged => ({
  messages: [],
  files: [],
  claims: new Map(),
  takeovers: new Map(),
  claimCount: 0,
});

/** Notes a claim that was acknowledged. @param before the claim that stood when its call began */
export function noteClaim(acknowledged: Acknowledged, userId: string, claim: Claim, before: Claim | undefined): void {
  acknowledged.claims.set(userId, claim);
  acknowledged.claimCount += 1;
  const isTakeover = before && before.holderId !== claim.holderId && claim.atMs - before.atMs < CLAIM_ABSENCE_MS;
  if (isTakeover) acknowledged.takeovers.set(userId, (acknowledged.takeovers.get(userId) ?? 0) + 1);
}
