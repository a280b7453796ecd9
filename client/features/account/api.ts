import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { deviceTokenOf, storeDeviceToken } from '#client/lib/session/device-tokens.ts';
import type { ChangeOwnBody, ChangePasswordBody } from '#shared/api/auth.ts';

type OwnSecretBody = Pick<ChangeOwnBody, 'current_password' | 'pin' | 'device_token'>;

export const accountKeys = {
  user: ownUserQuery.queryKey,
  sessions: ['auth', 'sessions'],
  securityLog: ['auth', 'security-log'],
} as const;

export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => api.get('/auth/sessions', { signal }),
});

/** The 100 newest lines of the own log. */
export const securityLogQuery = queryOptions({
  queryKey: accountKeys.securityLog,
  queryFn: ({ signal }) => api.get('/auth/security-log', { signal }),
});

/** With the own password or PIN when the number is another one. */
export const changePhone = (body: Pick<ChangeOwnBody, 'phone' | 'phone_consent'> & OwnSecretBody) =>
  api.put('/auth/user', { body });
export const changeEmail = (email: string, own: OwnSecretBody) => api.put('/auth/user', { body: { email, ...own } });
export const changeName = (name: string) => api.put('/auth/user', { body: { name } });
/** The device token of before ends with the old password; the answer has a new one. */
export async function changePassword(body: Omit<ChangePasswordBody, 'device_token'>, email: string): Promise<void> {
  const answer = await api.put('/auth/password', { body: { ...body, ...deviceTokenOf(email) } });
  storeDeviceToken(email, answer.device_token);
}
export const endOtherSessions = () => api.delete('/auth/sessions');
export const endSession = (id: string) => api.delete('/auth/sessions/{id}', { params: { id } });
