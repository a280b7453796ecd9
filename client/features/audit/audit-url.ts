import { useSearchParams } from 'react-router-dom';
import type { AuditAction } from '#shared/api/audit.ts';
import { actionLabels } from './action-labels.ts';

/** '' means all. */
export type AuditFilter = { search: string; action: AuditAction | ''; actor_id: string };
const NAMES = { search: 'cari', action: 'tindakan', actor_id: 'orang' } as const;
const PAGE = 'halaman';

export const noFilter: AuditFilter = { search: '', action: '', actor_id: '' };

export function asAction(value: string | null): AuditAction | '' {
  return value !== null && Object.hasOwn(actionLabels, value) ? (value as AuditAction) : '';
}

function readFilter(params: URLSearchParams): AuditFilter {
  return {
    search: params.get(NAMES.search) ?? '',
    action: asAction(params.get(NAMES.action)),
    actor_id: params.get(NAMES.actor_id) ?? '',
  };
}

/** Filter and page as the address says, so that back, reload and a shared link show the same; what makes no sense is left out. */
export function useAuditUrl() {
  const [params, setParams] = useSearchParams();
  const pageText = params.get(PAGE) ?? '';

  function change(part: Partial<AuditFilter>, { replace = false } = {}): void {
    setParams(
      (current) => {
        const { search, action, actor_id } = { ...readFilter(current), ...part };
        const named = { [NAMES.search]: search, [NAMES.action]: action, [NAMES.actor_id]: actor_id };
        return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''));
      },
      { replace, preventScrollReset: true },
    );
  }

  function setPage(page: number): void {
    setParams((current) => {
      const next = new URLSearchParams(current);
      if (page <= 1) next.delete(PAGE);
      else next.set(PAGE, String(page));
      return next;
    });
  }

  return {
    filter: readFilter(params),
    page: /^[1-9]\d{0,6}$/.test(pageText) ? Number(pageText) : 1,
    change,
    setPage,
  };
}
