import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { ChangePasswordBody } from '#shared/api/auth.ts';

export const accountKeys = { user: ['auth', 'user'], sessions: ['auth', 'sessions'] } as const;

export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => api.get('/auth/sessions', { signal }),
});

export const changeName = (name: string) => api.put('/auth/user', { body: { name } });
export const changePassword = (body: ChangePasswordBody) => api.put('/auth/password', { body });
export const endOtherSessions = () => api.delete('/auth/sessions');
export const endSession = (id: string) => api.delete('/auth/sessions/{id}', { params: { id } });
