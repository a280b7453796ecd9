import { useSearchParams } from 'react-router-dom';
import type { AuditAction } from '#shared/api/audit.ts';
import { parseCalendarDate } from '#shared/domain/dates/dates.ts';
import { auditActionLabels } from './action-labels.ts';

/** '' means all. `from` and `to` are days, yyyy-mm-dd; both belong to the range. */
export type AuditFilter = { search: string; action: AuditAction | ''; actor_id: string; from: string; to: string };
const PARAM_NAMES = { search: 'cari', action: 'tindakan', actor_id: 'orang', from: 'dari', to: 'sampai' } as const;
const PAGE_PARAM = 'halaman';

export const noAuditFilter: AuditFilter = { search: '', action: '', actor_id: '', from: '', to: '' };

export function toActionFilter(value: string | null): AuditAction | '' {
  return value !== null && Object.hasOwn(auditActionLabels, value) ? (value as AuditAction) : '';
}

function parseFilter(params: URLSearchParams): AuditFilter {
  return {
    search: params.get(PARAM_NAMES.search) ?? '',
    action: toActionFilter(params.get(PARAM_NAMES.action)),
    actor_id: params.get(PARAM_NAMES.actor_id) ?? '',
    from: parseCalendarDate(params.get(PARAM_NAMES.from)) ?? '',
    to: parseCalendarDate(params.get(PARAM_NAMES.to)) ?? '',
  };
}

/** Filter and page in the URL, so that back, reload and a shared link show the same. Invalid values are ignored. */
export function useAuditParams() {
  const [params, setParams] = useSearchParams();
  const pageText = params.get(PAGE_PARAM) ?? '';

  function changeFilter(part: Partial<AuditFilter>, { replace = false } = {}): void {
    setParams(
      (current) => {
        const { search, action, actor_id, from, to } = { ...parseFilter(current), ...part };
        const paramValues = {
          [PARAM_NAMES.search]: search,
          [PARAM_NAMES.action]: action,
          [PARAM_NAMES.actor_id]: actor_id,
          [PARAM_NAMES.from]: from,
          [PARAM_NAMES.to]: to,
        };
        return Object.fromEntries(Object.entries(paramValues).filter(([, value]) => value !== ''));
      },
      { replace, preventScrollReset: true },
    );
  }

  function setPage(page: number): void {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (page <= 1) next.delete(PAGE_PARAM);
        else next.set(PAGE_PARAM, String(page));
        return next;
      },
      { preventScrollReset: true },
    );
  }

  return {
    filter: parseFilter(params),
    page: /^[1-9]\d{0,6}$/.test(pageText) ? Number(pageText) : 1,
    change: changeFilter,
    setPage,
  };
}
