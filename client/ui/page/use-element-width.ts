import { type RefObject, useLayoutEffect, useState } from 'react';
import { bindSizeChange } from './observe-size.ts';

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
    return bindSizeChange([element], measure);
  }, [ref]);
  return width;
}
