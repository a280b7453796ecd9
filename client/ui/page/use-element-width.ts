import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * The width of an element in px, for what must be drawn otherwise where there is little room, whatever stands beside it.
 * Null until it was measured.
 */
export function useElementWidth(ref: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = (): void => {
      const measured = element.getBoundingClientRect().width;
      // Hidden, or not laid out.
      if (measured > 0) setWidth(measured);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
