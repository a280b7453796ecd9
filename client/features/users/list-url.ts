import { useSearchParams } from 'react-router-dom';
import { SEARCH_MAX } from '#shared/limits.ts';

/** '' is all of them. */
export type UserFilter = {
  search: string;
  role: '' | 'admin' | 'user';
  status: '' | 'aktif' | 'nonaktif';
  /** Counted from 1. */
  page: number;
};

export const noFilter: UserFilter = { search: '', role: '', status: '', page: 1 };

export function asRole(value: string | null): UserFilter['role'] {
  return value === 'admin' || value === 'user' ? value : '';
}

export function asStatus(value: string | null): UserFilter['status'] {
  return value === 'aktif' || value === 'nonaktif' ? value : '';
}

function readFilter(params: URLSearchParams): UserFilter {
  const page = params.get('halaman') ?? '';
  return {
    search: (params.get('cari') ?? '').slice(0, SEARCH_MAX),
    role: asRole(params.get('peran')),
    status: asStatus(params.get('status')),
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** What the list shows as the address says, so that back, reload and a shared link show the same; what makes no sense is 'all'. */
export function useUserFilter() {
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);

  /** Whatever narrows the list begins on its first page. */
  function setFilter(change: Partial<UserFilter>, { replace = false } = {}): void {
    const { search, role, status, page } = { ...filter, page: 1, ...change };
    const named = { cari: search, peran: role, status, halaman: page > 1 ? String(page) : '' };
    setParams(Object.fromEntries(Object.entries(named).filter(([, value]) => value !== '')), { replace });
  }

  return { filter, setFilter };
}
