import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { CreateUserBody, ResetPasswordBody, UpdateUserBody, UserAnswer } from '#shared/api/users.ts';
import { userKeys } from './keys.ts';
import type { UserFilter } from './use-user-list-params.ts';

export type UserPage = Page<UserAnswer>;

const USERS_PER_PAGE = 20;

const flagValues = { admin: 1, user: 0, aktif: 1, nonaktif: 0 } as const;

/** One page of accounts, newest first; searched, filtered and cut by the server. */
export function userListQuery({ search, role, status, page }: UserFilter) {
  const query = {
    search,
    is_admin: role ? flagValues[role] : undefined,
    is_active: status ? flagValues[status] : undefined,
    limit: USERS_PER_PAGE,
    page,
  };
  return queryOptions({
    queryKey: userKeys.list(query),
    queryFn: ({ signal }) => api.get<UserPage>('/admin/users', { query, signal }),
  });
}

async function countUsers(query: Record<string, number>, signal: AbortSignal): Promise<number> {
  const { total } = await api.get<UserPage>('/admin/users', { query: { ...query, limit: 1 }, signal });
  return total;
}

/** How many accounts there are, how many of them are active, and how many belong to administrators. */
export const userCountsQuery = queryOptions({
  queryKey: userKeys.counts,
  queryFn: async ({ signal }) => {
    const [all, active, admins] = await Promise.all([
      countUsers({}, signal),
      countUsers({ is_active: 1 }, signal),
      countUsers({ is_admin: 1 }, signal),
    ]);
    return { all, active, admins };
  },
});

function userPath(id: string): string {
  return `/admin/users/${encodeURIComponent(id)}`;
}

export const fetchUser = (id: string) => api.get<UserAnswer>(userPath(id));
export const createUser = (body: CreateUserBody) => api.post<UserAnswer>('/admin/users', body);
export const updateUser = (id: string, body: UpdateUserBody) => api.put<UserAnswer>(userPath(id), body);
export const toggleUserActive = (id: string) => api.put<UserAnswer>(`${userPath(id)}/toggle-status`);
export const resetPassword = (id: string, body: ResetPasswordBody) => api.put(`${userPath(id)}/password`, body);
export const deleteUser = (id: string) => api.del(userPath(id));
