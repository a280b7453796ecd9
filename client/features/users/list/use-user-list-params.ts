import { useSearchParams } from 'react-router-dom';
import { SEARCH_MAX } from '#shared/limits.ts';
import type { UserFilter } from '../api.ts';

export const noUserFilter: UserFilter = { search: '', role: '', status: '', page: 1 };

export function toRoleFilter(value: string | null): UserFilter['role'] {
  return value === 'admin' || value === 'user' ? value : '';
}

export function toStatusFilter(value: string | null): UserFilter['status'] {
  return value === 'aktif' || value === 'nonaktif' ? value : '';
}

function parseFilter(params: URLSearchParams): UserFilter {
  const page = params.get('halaman') ?? '';
  return {
    search: (params.get('cari') ?? '').slice(0, SEARCH_MAX),
    role: toRoleFilter(params.get('peran')),
    status: toStatusFilter(params.get('status')),
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/**
 * Filter and page, kept in the address so that back, reload and a shared link show the same.
 * Invalid values mean all.
 */
export function useUserListParams() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params);

  /** A new filter starts at the first page. */
  function setFilter(change: Partial<UserFilter>, { replace = false } = {}): void {
    setParams(
      (current) => {
        const { search, role, status, page } = { ...parseFilter(current), page: 1, ...change };
        const paramValues = { cari: search, peran: role, status, halaman: page > 1 ? String(page) : '' };
        const others = [...current].filter(([name]) => !Object.hasOwn(paramValues, name));
        const next = new URLSearchParams([
          ...Object.entries(paramValues).filter(([, value]) => value !== ''),
          ...others,
        ]);
        return next;
      },
      { replace, preventScrollReset: true },
    );
  }

  return { filter, setFilter };
}
