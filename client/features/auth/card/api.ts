import { api } from '#client/lib/api/api.ts';
import { deviceTokenOf } from '#client/lib/session/device-tokens.ts';
import type { ActivateCardBody, EnterByCardBody } from '#shared/api/cards.ts';
import { cleanCode } from '#shared/domain/users/access-codes.ts';
import { toEntrance } from '../api.ts';

/** The card keeps a device token of its own, so that strangers' wrong PINs do not lock its holder out. */
export async function enterByCard({ code, pin }: Pick<EnterByCardBody, 'code' | 'pin'>) {
  const owner = cleanCode(code);
  return toEntrance(await api.post('/auth/card', { body: { code, pin, ...deviceTokenOf(owner) } }), owner);
}

export const activateCard = async (body: ActivateCardBody) =>
  toEntrance(await api.post('/auth/card/activate', { body }), cleanCode(body.code));
