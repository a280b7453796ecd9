import { api } from '#client/lib/api/api.ts';
import { deviceTokenOf, storeDeviceToken } from '#client/lib/session/device-tokens.ts';
import type { LoginBody, RegisterBody } from '#shared/api/auth.ts';
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

export const logout = () => api.post('/auth/logout');
export const fetchOwnUser = (signal?: AbortSignal) => api.get('/auth/user', { signal });
