import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';
import { PAGE_PARAM } from './page-params.ts';

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
