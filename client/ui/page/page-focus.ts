import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router-dom';

let pendingPath: string | null = null;

/** A new page is on its way: its heading is to take the focus, so that screen readers begin there. */
export function requestPageFocus(pathname: string): void {
  pendingPath = pathname;
}

/** Gives the heading the focus after a navigation; never on the first page of a visit, where the browser's own start is right. */
export function usePageFocus(heading: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  useEffect(() => {
    // The page that is being left may be drawn once more before the new one comes.
    if (pendingPath !== pathname) return;
    pendingPath = null;
    heading.current?.focus({ preventScroll: true });
  }, [heading, pathname]);
}
