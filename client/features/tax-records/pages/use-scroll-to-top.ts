import { type RefObject, useEffect, useRef } from 'react';

/** The pages are turned at the bottom of the list and read from its top. */
export function useScrollToTopOnPageChange(list: RefObject<HTMLElement | null>, page: number): void {
  const lastPage = useRef(page);
  useEffect(() => {
    if (lastPage.current === page) return;
    lastPage.current = page;
    list.current?.scrollIntoView({ block: 'start' });
  }, [list, page]);
}
