import { useCallback } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * For a heading that an address names behind '#': brings it into view and gives it the focus once it is there, also when its
 * card loads late.
 * @returns the ref of the heading, which needs `tabIndex={-1}`
 */
export function useHashTarget(id: string): (heading: HTMLElement | null) => void {
  const { hash } = useLocation();
  const isTarget = hash === `#${id}`;
  return useCallback(
    (heading) => {
      if (!heading || !isTarget) return;
      heading.scrollIntoView();
      heading.focus({ preventScroll: true });
    },
    [isTarget],
  );
}
