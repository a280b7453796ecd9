import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { deviceTokenOf, storeDeviceToken } from '#client/lib/session/device-tokens.ts';
import type { ChangePasswordBody } from '#shared/api/auth.ts';

export const accountKeys = { user: ['auth', 'user'], sessions: ['auth', 'sessions'] } as const;

export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => api.get('/auth/sessions', { signal }),
});

export const changeName = (name: string) => api.put('/auth/user', { body: { name } });
/** The device token of before ends with the old password; the answer has a new one. */
export async function changePassword(body: Omit<ChangePasswordBody, 'device_token'>, email: string): Promise<void> {
  const answer = await api.put('/auth/password', { body: { ...body, ...deviceTokenOf(email) } });
  storeDeviceToken(email, answer.device_token);
}
export const endOtherSessions = () => api.delete('/auth/sessions');
export const endSession = (id: string) => api.delete('/auth/sessions/{id}', { params: { id } });
