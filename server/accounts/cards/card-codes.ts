import { cleanCode } from '#shared/domain/users/access-codes.ts';
import { createLinkSigner, type LinkSigning } from '#server/security/signed-links.ts';

/**
 * Keyed hashes of what is on a card and of its PIN. Six digits are guessed within hours from a stolen copy of the database;
 * with the key of this computer in them they are not (R-ACCESS-40).
 */
export function createCardCodes(signing: LinkSigning) {
  const lookups = createLinkSigner(signing, 'pbb-kita/cards/1');
  const pins = createLinkSigner(signing, 'pbb-kita/card-pins/1');
  return {
    lookupOf: (code: string): string => lookups.sign(cleanCode(code)),
    /** The text whose hash is stored for a PIN. */
    pinText: (lookup: string, pin: string): string => pins.sign(`${lookup}\n${pin.trim()}`),
  };
}
