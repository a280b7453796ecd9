import { useSearchParams } from 'react-router-dom';

const NAME = 'halaman';

/** The page of a list as the address says, counted from 1; what makes no sense is the first. */
export function usePageNumber() {
  const [params, setParams] = useSearchParams();
  const value = params.get(NAME) ?? '';
  const page = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 1;

  function setPage(next: number, { replace = false } = {}): void {
    setParams(
      (current) => {
        const changed = new URLSearchParams(current);
        if (next <= 1) changed.delete(NAME);
        else changed.set(NAME, String(next));
        return changed;
      },
      { replace },
    );
  }

  return { page, setPage };
}
