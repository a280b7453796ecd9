import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { deviceTokenOf } from '#client/lib/session/device-tokens.ts';
import { currentSession } from '#client/lib/session/session.ts';
import type { AssistedBody } from '#shared/api/cards.ts';
import type { Page } from '#shared/api/envelope.ts';
import type {
  CreateUserBody,
  OwnPasswordBody,
  RecoveryCodeBody,
  ResetPasswordBody,
  UpdateUserBody,
  UserAnswer,
} from '#shared/api/users.ts';
import { userKeys } from './keys.ts';

export type UserPage = Page<UserAnswer>;
/** '' means all. */
export type UserFilter = {
  search: string;
  role: '' | 'admin' | 'user';
  status: '' | 'aktif' | 'nonaktif';
};

const flagValues = { admin: 1, user: 0, aktif: 1, nonaktif: 0 } as const;

/** One page of accounts, newest first. The server searches and filters. */
export function userListQuery({ search, role, status }: UserFilter, page: number, pageSize: number) {
  const query = {
    search,
    is_admin: role ? flagValues[role] : undefined,
    is_active: status ? flagValues[status] : undefined,
    limit: pageSize,
    page,
  };
  return queryOptions({
    queryKey: userKeys.list(query),
    queryFn: ({ signal }) => api.get('/admin/users', { query, signal }),
    // The rows on screen stay until the next answer arrives.
    placeholderData: keepPreviousData,
  });
}

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: userKeys.user(id),
    queryFn: ({ signal }) => api.get('/admin/users/{id}', { params: { id }, signal }),
  });

/** The quota of an account and its use (R-REC-28). */
export const userQuotaQuery = (userId: string) =>
  queryOptions({
    queryKey: ['user-quota', userId],
    queryFn: ({ signal }) => api.get('/admin/users/{id}/quota', { params: { id: userId }, signal }),
    staleTime: 0,
  });

async function countUsers(query: { is_active?: 1; is_admin?: 1 }, signal: AbortSignal): Promise<number> {
  const { total } = await api.get('/admin/users', { query: { ...query, limit: 1 }, signal });
  return total;
}

/** The numbers of all accounts, of active accounts and of admins. */
export const userCountsQuery = queryOptions({
  queryKey: userKeys.counts,
  queryFn: async ({ signal }) => {
    const [all, active, admins] = await Promise.all([
      countUsers({}, signal),
      countUsers({ is_active: 1 }, signal),
      countUsers({ is_admin: 1 }, signal),
    ]);
    return { all, active, inactive: all - active, admins };
  },
});

export const fetchUser = (id: string) => api.get('/admin/users/{id}', { params: { id } });
export const createUser = (body: CreateUserBody) => api.post('/admin/users', { body });
export const updateUser = (id: string, body: UpdateUserBody) => api.put('/admin/users/{id}', { params: { id }, body });
export const toggleUserActive = (id: string, body: OwnPasswordBody) =>
  api.put('/admin/users/{id}/toggle-status', { params: { id }, body });
export const resetPassword = (id: string, body: ResetPasswordBody) =>
  api.put('/admin/users/{id}/password', { params: { id }, body });
export const makeRecoveryCode = (id: string, body: RecoveryCodeBody) =>
  api.post('/admin/users/{id}/recovery-code', { params: { id }, body });
export const endRecoveryCode = (id: string) => api.delete('/admin/users/{id}/recovery-code', { params: { id } });
export const makeCard = (id: string, body: OwnPasswordBody) =>
  api.post('/admin/users/{id}/card', { params: { id }, body });
export const endCard = (id: string) => api.delete('/admin/users/{id}/card', { params: { id } });
/** Removes the second factor of a user who stands at the counter. */
export const removeFactor = (id: string, body: OwnPasswordBody) =>
  api.delete('/admin/users/{id}/second-factor', { params: { id }, body: { checked: 'counter', ...body } });
/** The code with which another admin may set up a second factor; it is shown once. */
export const makeSetupCode = (id: string, body: OwnPasswordBody) =>
  api.post('/admin/users/{id}/second-factor-code', { params: { id }, body });
export const createAssisted = (body: AssistedBody) => api.post('/admin/users/assisted', { body });
export const deleteUser = (id: string, body: OwnPasswordBody) =>
  api.delete('/admin/users/{id}', { params: { id }, body });

/** The fields of a call that makes or takes an administrator (docs/requirements.md R-USER-16). */
export const ownPasswordFields = (password: string) => ({
  current_password: password,
  ...deviceTokenOf(currentSession()?.user?.email),
});
