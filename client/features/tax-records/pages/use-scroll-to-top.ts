import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls to the first row after a page change, because the pager stands below the last row. */
export function useScrollToTopOnPageChange(list: RefObject<HTMLElement | null>, page: number): void {
  const lastPage = useRef(page);
  useEffect(() => {
    if (lastPage.current === page) return;
    lastPage.current = page;
    list.current?.scrollIntoView({ block: 'start' });
  }, [list, page]);
}
