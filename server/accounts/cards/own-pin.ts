import { CARD_TRIES } from '#shared/domain/users/wrong-tries.ts';
import { cardTexts } from '#shared/texts.ts';
import { verifyPassword, DUMMY_HASH } from '#server/accounts/passwords.ts';
import { AppError, invalid, tooMany } from '#server/http/errors.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { LinkSigning } from '#server/security/signed-links.ts';
import type { WrongTries } from '#server/accounts/wrong-tries.ts';
import { createCardCodes } from './card-codes.ts';
import { ownPinKey } from './card-keys.ts';
import type { CardRow } from './card-queries.ts';

/**
 * The PIN in place of the own password, for an account without one (R-ACCESS-45). The rule of cards counts it: with the one of
 * passwords, a stolen session would guess a PIN within months.
 */
export function createOwnPinRule(context: LinkSigning & { wrongTries: WrongTries }) {
  const { pinText } = createCardCodes(context);

  /** @throws 403 for a blocked card, 422, 429, 503 */
  return async (
    { lookup, pinHash }: CardRow,
    pin: string | undefined,
    { address, signal }: { address: string; signal?: AbortSignal | undefined },
  ): Promise<void> => {
    if (!pin) throw invalid('pin', cardTexts.ownPinRequired);
    const waiting = { holder: addressKey(address), signal, isPreferred: true };
    const look = async (): Promise<true | null> =>
      (await verifyPassword(pinText(lookup, pin), pinHash ?? DUMMY_HASH, waiting)) ? true : null;
    const result = await context.wrongTries.attempt(ownPinKey(lookup), CARD_TRIES, look);
    if (result.kind === 'closed') throw new AppError(403, cardTexts.blocked);
    if (result.kind === 'locked') throw tooMany(Math.ceil(result.forMs / 1000));
    if (result.kind === 'wrong') throw invalid('pin', cardTexts.ownPinWrong);
  };
}
