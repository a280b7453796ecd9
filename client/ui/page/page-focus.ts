import { type RefObject, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';

let pendingPath: string | null = null;

/** Makes the heading of the next page take the focus, so that screen readers begin there. */
export function requestPageFocus(pathname: string): void {
  pendingPath = pathname;
}

/** Focuses the heading after a navigation, but not on the first page, where the browser's own start is right. */
export function usePageFocus(heading: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  // Before the page is painted: a later one would take the focus from a user that has begun to type.
  useLayoutEffect(() => {
    // The previous page may be rendered once more before the new one.
    if (pendingPath !== pathname) return;
    pendingPath = null;
    heading.current?.focus({ preventScroll: true });
  }, [heading, pathname]);
}

/** Focuses the heading of the page, for when the focused element disappears. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
}
