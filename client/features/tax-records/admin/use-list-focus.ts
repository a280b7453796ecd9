import { type RefObject, useEffect, useRef } from 'react';

/** The pages are turned at the bottom of the list and read from its top. */
export function useTopOnChange(list: RefObject<HTMLElement | null>, page: number): void {
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    list.current?.scrollIntoView({ block: 'start' });
  }, [list, page]);
}
