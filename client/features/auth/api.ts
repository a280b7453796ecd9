import { api } from '#client/lib/api.ts';
import type { LoginBody, RegisterBody } from '#shared/api/auth.ts';
import type { UserAnswer } from '#shared/api/users.ts';

export type OpenedSession = { token: string; user: UserAnswer };

export const login = (body: LoginBody) => api.post('/auth/login', { body });
export const register = (body: RegisterBody) => api.post('/auth/register', { body });
export const logout = () => api.post('/auth/logout');
export const fetchOwnUser = (signal?: AbortSignal) => api.get('/auth/user', { signal });
