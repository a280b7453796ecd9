import { useSearchParams } from 'react-router-dom';
import { type AdminRecordFilter, noAdminRecordFilter } from '../../api.ts';
import { parseSharedFilter, sharedFilterParams } from '../../pages/list-filter.ts';

export const sortLabels: Record<AdminRecordFilter['sort'], string> = {
  '-created_at': 'Terbaru dicatat',
  created_at: 'Terlama dicatat',
  name: 'Nama A–Z',
  '-name': 'Nama Z–A',
  '-amount': 'Jumlah terbesar',
  amount: 'Jumlah terkecil',
  '-year': 'Tahun terbaru',
  year: 'Tahun terlama',
  due_date: 'Jatuh tempo terdekat',
  '-due_date': 'Jatuh tempo terjauh',
};
const PARAM_NAMES = {
  search: 'cari',
  ...sharedFilterParams,
  user_id: 'pemilik',
  sort: 'urut',
} as const satisfies Record<keyof AdminRecordFilter, string>;
const PAGE_PARAM = 'halaman';

function isSort(value: string): value is AdminRecordFilter['sort'] {
  return Object.hasOwn(sortLabels, value);
}

export function toSort(value: string | null): AdminRecordFilter['sort'] {
  return value !== null && isSort(value) ? value : noAdminRecordFilter.sort;
}

function parseFilter(params: URLSearchParams): AdminRecordFilter {
  return {
    search: params.get(PARAM_NAMES.search) ?? '',
    ...parseSharedFilter(params),
    user_id: params.get(PARAM_NAMES.user_id) ?? '',
    sort: toSort(params.get(PARAM_NAMES.sort)),
  };
}

/** Whether the filter can hide records; the sort order cannot. */
export function hasActiveFilter({ search, status, property_type, year, user_id }: AdminRecordFilter): boolean {
  return [search, status, property_type, year, user_id].some((value) => value !== '');
}

/** Filter, sort order and page of the list, kept in the URL: back, reload and a shared link show the same rows. */
export function useAdminListParams() {
  const [params, setParams] = useSearchParams();
  const pageText = params.get(PAGE_PARAM) ?? '';

  /**
   * Starts on the first page again.
   * @param replace replaces the browser's history entry, so that a search leaves one entry and not one for each pause
   */
  function changeFilter(part: Partial<AdminRecordFilter>, { replace = false } = {}): void {
    setParams(
      (current) => {
        const next = { ...parseFilter(current), ...part };
        const paramEntries = Object.entries(PARAM_NAMES).map(
          ([key, name]) => [name, next[key as keyof AdminRecordFilter]] as const,
        );
        return Object.fromEntries(
          paramEntries.filter(
            ([name, value]) => value !== '' && !(name === PARAM_NAMES.sort && value === noAdminRecordFilter.sort),
          ),
        );
      },
      { replace, preventScrollReset: true },
    );
  }

  function setPage(page: number, { replace = false } = {}): void {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (page <= 1) next.delete(PAGE_PARAM);
        else next.set(PAGE_PARAM, String(page));
        return next;
      },
      { replace },
    );
  }

  return {
    filter: parseFilter(params),
    page: /^[1-9]\d{0,6}$/.test(pageText) ? Number(pageText) : 1,
    change: changeFilter,
    setPage,
    clear: () => changeFilter(noAdminRecordFilter),
  };
}
