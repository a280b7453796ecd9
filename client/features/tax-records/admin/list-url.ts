import { useSearchParams } from 'react-router-dom';
import type { RecordSort } from '#shared/api/tax-records.ts';
import { propertyTypeLabels, statusLabels } from '#shared/texts.ts';
import type { RecordFilter } from './api.ts';

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
const NAMES = {
  search: 'cari',
  status: 'status',
  property_type: 'properti',
  year: 'tahun',
  user_id: 'pemilik',
  sort: 'urut',
} as const satisfies Record<keyof RecordFilter, string>;
const PAGE = 'halaman';

export const noFilter: RecordFilter = {
  search: '',
  status: '',
  property_type: '',
  year: '',
  user_id: '',
  sort: DEFAULT_SORT,
};

function isSort(value: string): value is RecordFilter['sort'] {
  return Object.hasOwn(sortLabels, value);
}

export function asSort(value: string | null): RecordFilter['sort'] {
  return value !== null && isSort(value) ? value : DEFAULT_SORT;
}

function readFilter(params: URLSearchParams): RecordFilter {
  const status = params.get(NAMES.status) ?? '';
  const property = params.get(NAMES.property_type) ?? '';
  const year = params.get(NAMES.year) ?? '';
  return {
    search: params.get(NAMES.search) ?? '',
    status: Object.hasOwn(statusLabels, status) ? status : '',
    property_type: Object.hasOwn(propertyTypeLabels, property) ? property : '',
    year: /^\d{4}$/.test(year) ? year : '',
    user_id: params.get(NAMES.user_id) ?? '',
    sort: asSort(params.get(NAMES.sort)),
  };
}

/** Whether anything narrows the list; the order does not. */
export function isNarrowed({ search, status, property_type, year, user_id }: RecordFilter): boolean {
  return [search, status, property_type, year, user_id].some((value) => value !== '');
}

/** Filter, order and page as the address says, so that back, reload and a shared link show the same; what makes no sense is left out. */
export function useListUrl() {
  const [params, setParams] = useSearchParams();
  const pageText = params.get(PAGE) ?? '';

  /** A new choice begins on its first page. `replace`: typing leaves one step in the history, not one for each word. */
  function change(part: Partial<RecordFilter>, { replace = false } = {}): void {
    setParams(
      (current) => {
        const next = { ...readFilter(current), ...part };
        const named = Object.entries(NAMES).map(([key, name]) => [name, next[key as keyof RecordFilter]] as const);
        return Object.fromEntries(
          named.filter(([name, value]) => value !== '' && !(name === NAMES.sort && value === DEFAULT_SORT)),
        );
      },
      { replace, preventScrollReset: true },
    );
  }

  function setPage(page: number, { replace = false } = {}): void {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (page <= 1) next.delete(PAGE);
        else next.set(PAGE, String(page));
        return next;
      },
      { replace },
    );
  }

  return {
    filter: readFilter(params),
    page: /^[1-9]\d{0,6}$/.test(pageText) ? Number(pageText) : 1,
    change,
    setPage,
    clear: () => change(noFilter),
  };
}
