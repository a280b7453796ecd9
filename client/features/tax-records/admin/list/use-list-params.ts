import { useSearchParams } from 'react-router-dom';
import type { PropertyType, RecordSort, RecordStatus } from '#shared/api/tax-records.ts';
import { propertyTypeLabels, statusLabels } from '#shared/texts.ts';
import type { AdminRecordFilter } from '../api.ts';

export const sortLabels: Record<RecordSort | `-${RecordSort}`, string> = {
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
const DEFAULT_SORT = '-created_at';
const PARAM_NAMES = {
  search: 'cari',
  status: 'status',
  property_type: 'properti',
  year: 'tahun',
  user_id: 'pemilik',
  sort: 'urut',
} as const satisfies Record<keyof AdminRecordFilter, string>;
const PAGE_PARAM = 'halaman';

export const noAdminRecordFilter: AdminRecordFilter = {
  search: '',
  status: '',
  property_type: '',
  year: '',
  user_id: '',
  sort: DEFAULT_SORT,
};

function isSort(value: string): value is AdminRecordFilter['sort'] {
  return Object.hasOwn(sortLabels, value);
}

export function toSort(value: string | null): AdminRecordFilter['sort'] {
  return value !== null && isSort(value) ? value : DEFAULT_SORT;
}

export function toStatusFilter(value: string | null): RecordStatus | '' {
  return value !== null && Object.hasOwn(statusLabels, value) ? (value as RecordStatus) : '';
}

export function toPropertyFilter(value: string | null): PropertyType | '' {
  return value !== null && Object.hasOwn(propertyTypeLabels, value) ? (value as PropertyType) : '';
}

function parseFilter(params: URLSearchParams): AdminRecordFilter {
  const year = params.get(PARAM_NAMES.year) ?? '';
  return {
    search: params.get(PARAM_NAMES.search) ?? '',
    status: toStatusFilter(params.get(PARAM_NAMES.status)),
    property_type: toPropertyFilter(params.get(PARAM_NAMES.property_type)),
    year: /^\d{4}$/.test(year) ? year : '',
    user_id: params.get(PARAM_NAMES.user_id) ?? '',
    sort: toSort(params.get(PARAM_NAMES.sort)),
  };
}

/** Whether anything narrows the list; the order does not. */
export function hasActiveFilter({ search, status, property_type, year, user_id }: AdminRecordFilter): boolean {
  return [search, status, property_type, year, user_id].some((value) => value !== '');
}

/** Filter, order and page as the address says, so that back, reload and a shared link show the same; what makes no sense is left out. */
export function useAdminListParams() {
  const [params, setParams] = useSearchParams();
  const pageText = params.get(PAGE_PARAM) ?? '';

  /** A new choice begins on its first page. `replace`: typing leaves one step in the history, not one for each word. */
  function changeFilter(part: Partial<AdminRecordFilter>, { replace = false } = {}): void {
    setParams(
      (current) => {
        const next = { ...parseFilter(current), ...part };
        const paramEntries = Object.entries(PARAM_NAMES).map(
          ([key, name]) => [name, next[key as keyof AdminRecordFilter]] as const,
        );
        return Object.fromEntries(
          paramEntries.filter(
            ([name, value]) => value !== '' && !(name === PARAM_NAMES.sort && value === DEFAULT_SORT),
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
