import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { ChangePasswordBody, OwnSession } from '#shared/api/auth.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { UserAnswer } from '#shared/api/users.ts';

export const accountKeys = { user: ['auth', 'user'], sessions: ['auth', 'sessions'] } as const;

export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => api.get<Page<OwnSession>>('/auth/sessions', { signal }),
});

export const changeName = (name: string) => api.put<UserAnswer>('/auth/user', { name });
export const changePassword = (body: ChangePasswordBody) => api.put('/auth/password', body);
export const endOtherSessions = () => api.del('/auth/sessions');
export const endSession = (id: string) => api.del(`/auth/sessions/${encodeURIComponent(id)}`);
