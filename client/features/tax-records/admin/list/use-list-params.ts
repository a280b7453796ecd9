import { useSearchParams } from 'react-router-dom';
import {
  adminRecordParams,
  adminRecordProofs,
  adminRecordSearch,
  adminRecordViews,
  type AdminRecordsWhere,
} from '#client/paths.ts';
import { SIZE_PARAM } from '#client/ui/data/page-size.ts';
import { parseCalendarDate } from '#shared/domain/dates.ts';
import { VERIFICATION_FILTERS } from '#shared/domain/verification-states.ts';
import { type AdminRecordFilter, noAdminRecordFilter } from '../../api.ts';
import { parseSharedFilter } from '../../pages/list-filter.ts';

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
const VIEWS = ['overdue', 'unpaid'] as const;
const PROOFS = ['with', 'without'] as const;
const PAGE_PARAM = 'halaman';

function isSort(value: string): value is AdminRecordFilter['sort'] {
  return Object.hasOwn(sortLabels, value);
}

export function toSort(value: string | null): AdminRecordFilter['sort'] {
  return value !== null && isSort(value) ? value : noAdminRecordFilter.sort;
}

export function toView(value: string): AdminRecordFilter['view'] {
  return VIEWS.find((view) => view === value) ?? '';
}

export function toProof(value: string): AdminRecordFilter['proof'] {
  return PROOFS.find((proof) => proof === value) ?? '';
}

/** The known values of a list with commas, each once and in the order of the choices. */
export function toVerification(value: string): string {
  const values = value.split(',');
  return VERIFICATION_FILTERS.filter((state) => values.includes(state)).join(',');
}

function parseFilter(params: URLSearchParams): AdminRecordFilter {
  const text = (part: keyof AdminRecordsWhere) => params.get(adminRecordParams[part]) ?? '';
  const date = (part: keyof AdminRecordsWhere) => (parseCalendarDate(text(part)) === text(part) ? text(part) : '');
  return {
    search: text('search'),
    ...parseSharedFilter(params),
    user_id: text('user_id'),
    view: VIEWS.find((view) => adminRecordViews[view] === text('view')) ?? '',
    proof: PROOFS.find((proof) => adminRecordProofs[proof] === text('proof')) ?? '',
    verification: toVerification(text('verification')),
    due_from: date('due_from'),
    due_to: date('due_to'),
    payment_from: date('payment_from'),
    payment_to: date('payment_to'),
    sort: toSort(text('sort')),
  };
}

/** Whether the filter can hide records; the sort order cannot. */
export function hasActiveFilter({ sort: _sort, ...parts }: AdminRecordFilter): boolean {
  return Object.values(parts).some((value) => value !== '');
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
        const changed = adminRecordSearch({ ...next, sort: next.sort === noAdminRecordFilter.sort ? '' : next.sort });
        const size = current.get(SIZE_PARAM);
        if (size !== null) changed.set(SIZE_PARAM, size);
        return changed;
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
      { replace, preventScrollReset: true },
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
