import { api } from '#client/lib/api/api.ts';
import { deviceTokenOf, storeDeviceToken } from '#client/lib/session/device-tokens.ts';
import type { ActivateCardBody, EnterByCardBody } from '#shared/api/cards.ts';
import { cleanCode } from '#shared/domain/users/access-codes.ts';

type OpenedByCard = Awaited<ReturnType<typeof postCard>>;

const postCard = (body: EnterByCardBody) => api.post('/auth/card', { body });

/** Keeps what makes this browser known to the card, so that strangers' wrong PINs do not lock its holder out. */
function withStoredToken(code: string, opened: OpenedByCard): OpenedByCard {
  storeDeviceToken(cleanCode(code), opened.device_token);
  return opened;
}

export const enterByCard = async ({ code, pin }: Pick<EnterByCardBody, 'code' | 'pin'>) =>
  withStoredToken(code, await postCard({ code, pin, ...deviceTokenOf(cleanCode(code)) }));

export const activateCard = async (body: ActivateCardBody) =>
  withStoredToken(body.code, await api.post('/auth/card/activate', { body }));
