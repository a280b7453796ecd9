import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';

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

export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];
export type PageSizeState = ReturnType<typeof usePageSize>;

const SIZE_PARAM = 'per_halaman';
const SIZE_KEY = 'list_page_size';

function toPageSize(text: string | null): PageSize | undefined {
  return PAGE_SIZES.find((size) => String(size) === text);
}

/** The rows on a page of a list: from the URL, else as last chosen in this browser, else 25 (R-UI-20). */
export function usePageSize() {
  const [params, setParams] = useSearchParams();
  const [stored, setStored] = useState(() => toPageSize(readStored(SIZE_KEY)));

  /** Starts on the first page again. */
  function choose(size: PageSize): void {
    writeStored(SIZE_KEY, String(size));
    setStored(size);
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.set(SIZE_PARAM, String(size));
        next.delete(PAGE_PARAM);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }

  return { pageSize: toPageSize(params.get(SIZE_PARAM)) ?? stored ?? PAGE_SIZES[0], choose };
}
