import { createDeviceTokens } from '#server/security/device-tokens.ts';
import type { LinkSigning } from '#server/security/signed-links.ts';
import type { CardRow } from './card-queries.ts';

/** Device tokens of cards; one ends with its card. */
export function createCardDevices(signing: LinkSigning) {
  const tokens = createDeviceTokens(signing, 'pbb-kita/card-devices/1');
  const holderOf = ({ userId, lookup }: CardRow) => ({ id: userId, version: lookup });
  return {
    /** @returns the id of the browser; null when it has not entered with this card */
    read: (token: string | undefined, card: CardRow | undefined): string | null =>
      tokens.read(token, card && holderOf(card)),
    issue: (card: CardRow, offered: string | undefined): string => tokens.issue(holderOf(card), offered),
  };
}
