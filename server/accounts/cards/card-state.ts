import type { AdminAccountAnswer } from '#shared/api/users.ts';
import { CARD_TRIES, stateOf } from '#shared/domain/users/wrong-tries.ts';
import { CARD_ACTIVATION_MS, CARD_ACTIVATIONS_WRONG_MAX } from '#shared/limits.ts';
import { findTries } from '#server/accounts/wrong-tries-queries.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { cardKey } from './card-keys.ts';
import { type CardRow, findCardOf } from './card-queries.ts';

/** Whether the activation of a card may still be used. */
export const isActivationOpen = (
  { activationHash, issuedAt, wrongActivations }: CardRow,
  operatingMs: number,
): boolean =>
  activationHash !== null &&
  wrongActivations < CARD_ACTIVATIONS_WRONG_MAX &&
  operatingMs - issuedAt < CARD_ACTIVATION_MS;

/** The card of an account, as admins see it. */
export async function readCardState(
  orm: ConnectionOrTransaction,
  userId: string,
  { operatingMs, nowMs }: { operatingMs: number; nowMs: number },
): Promise<AdminAccountAnswer['card']> {
  const card = await findCardOf(orm, userId);
  if (!card) return null;
  const tries = await findTries(orm, cardKey(card.lookup, null));
  const isBlocked = tries !== undefined && stateOf(tries, CARD_TRIES, operatingMs).kind === 'closed';
  const isDead = card.activationHash !== null && card.wrongActivations >= CARD_ACTIVATIONS_WRONG_MAX;
  const expiresAt = nowMs + card.issuedAt + CARD_ACTIVATION_MS - operatingMs;
  return {
    made_at: new Date(card.madeAt).toISOString(),
    activated_at: card.activatedAt === null ? null : new Date(card.activatedAt).toISOString(),
    activation_expires_at: card.activationHash === null ? null : new Date(expiresAt).toISOString(),
    is_blocked: isBlocked || isDead,
  };
}
