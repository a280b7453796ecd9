import { api } from '#client/lib/api/api.ts';
import { deviceTokenOf, storeDeviceToken } from '#client/lib/session/device-tokens.ts';
import type { CompleteRecoveryBody, LoginBody, RegisterBody } from '#shared/api/auth.ts';
import type { UserAnswer } from '#shared/api/users.ts';

export type OpenedSession = { token: string; user: UserAnswer };

/** The browser stays known to the account, so that strangers' wrong passwords do not lock it out. */
export async function login(body: Pick<LoginBody, 'email' | 'password'>) {
  const opened = await api.post('/auth/login', { body: { ...body, ...deviceTokenOf(body.email) } });
  storeDeviceToken(opened.user.email, opened.device_token);
  return opened;
}

export async function register(body: RegisterBody) {
  const opened = await api.post('/auth/register', { body });
  storeDeviceToken(opened.user.email, opened.device_token);
  return opened;
}

/** Asks the office for a code; the answer is the same for every identifier. */
export const askRecovery = (identifier: string) => api.post('/auth/recovery', { body: { identifier } });

export async function completeRecovery(body: CompleteRecoveryBody) {
  const opened = await api.post('/auth/recovery/complete', { body });
  storeDeviceToken(opened.user.email, opened.device_token);
  return opened;
}

/** Whether a card exists, with which people enter. */
export const areCardsInUse = async () => (await api.get('/auth/card')).in_use;

export const logout = () => api.post('/auth/logout');
