import { useSearchParams } from 'react-router-dom';
import type { AuditAction } from '#shared/api/audit.ts';
import { auditActionLabels } from './action-labels.ts';

/** '' means all. */
export type AuditFilter = { search: string; action: AuditAction | ''; actor_id: string };
const PARAM_NAMES = { search: 'cari', action: 'tindakan', actor_id: 'orang' } as const;
const PAGE_PARAM = 'halaman';

export const noAuditFilter: AuditFilter = { search: '', action: '', actor_id: '' };

export function toActionFilter(value: string | null): AuditAction | '' {
  return value !== null && Object.hasOwn(auditActionLabels, value) ? (value as AuditAction) : '';
}

function parseFilter(params: URLSearchParams): AuditFilter {
  return {
    search: params.get(PARAM_NAMES.search) ?? '',
    action: toActionFilter(params.get(PARAM_NAMES.action)),
    actor_id: params.get(PARAM_NAMES.actor_id) ?? '',
  };
}

/** Filter and page in the URL, so that back, reload and a shared link show the same. Invalid values are ignored. */
export function useAuditParams() {
  const [params, setParams] = useSearchParams();
  const pageText = params.get(PAGE_PARAM) ?? '';

  function changeFilter(part: Partial<AuditFilter>, { replace = false } = {}): void {
    setParams(
      (current) => {
        const { search, action, actor_id } = { ...parseFilter(current), ...part };
        const paramValues = {
          [PARAM_NAMES.search]: search,
          [PARAM_NAMES.action]: action,
          [PARAM_NAMES.actor_id]: actor_id,
        };
        return Object.fromEntries(Object.entries(paramValues).filter(([, value]) => value !== ''));
      },
      { replace, preventScrollReset: true },
    );
  }

  function setPage(page: number): void {
    setParams((current) => {
      const next = new URLSearchParams(current);
      if (page <= 1) next.delete(PAGE_PARAM);
      else next.set(PAGE_PARAM, String(page));
      return next;
    });
  }

  return {
    filter: parseFilter(params),
    page: /^[1-9]\d{0,6}$/.test(pageText) ? Number(pageText) : 1,
    change: changeFilter,
    setPage,
  };
}
