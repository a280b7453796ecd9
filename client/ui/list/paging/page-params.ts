import { useSearchParams } from 'react-router-dom';

export const PAGE_PARAM = 'halaman';

/** The page number of a list in the address, from 1; an invalid value counts as 1. */
export function usePageParam() {
  const [params, setParams] = useSearchParams();
  const value = params.get(PAGE_PARAM) ?? '';
  const page = /^[1-9]\d{0,6}$/.test(value) ? Number(value) : 1;

  function setPage(next: number, { replace = false } = {}): void {
    setParams(
      (current) => {
        const changed = new URLSearchParams(current);
        if (next <= 1) changed.delete(PAGE_PARAM);
        else changed.set(PAGE_PARAM, String(next));
        return changed;
      },
      // The list itself scrolls to its first row.
      { replace, preventScrollReset: true },
    );
  }

  return { page, setPage };
}
