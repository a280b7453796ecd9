import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { deviceTokenOf, storeDeviceToken } from '#client/lib/session/device-tokens.ts';
import type { ChangePasswordBody } from '#shared/api/auth.ts';

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

type PhoneChange = { phone: string; phone_consent: boolean; current_password: string };

/** @param email of the account when the number is another one, which needs the own password */
export function changePhone({ current_password, ...change }: PhoneChange, email: string | null) {
  const own = email === null ? {} : { current_password, ...deviceTokenOf(email) };
  return api.put('/auth/user', { body: { ...change, ...own } });
}
export const changeName = (name: string) => api.put('/auth/user', { body: { name } });
/** The device token of before ends with the old password; the answer has a new one. */
export async function changePassword(body: Omit<ChangePasswordBody, 'device_token'>, email: string): Promise<void> {
  const answer = await api.put('/auth/password', { body: { ...body, ...deviceTokenOf(email) } });
  storeDeviceToken(email, answer.device_token);
}
export const endOtherSessions = () => api.delete('/auth/sessions');
export const endSession = (id: string) => api.delete('/auth/sessions/{id}', { params: { id } });
