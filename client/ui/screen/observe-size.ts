import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Calls back in the frame after the size of one of the elements has changed, once a frame. What changes sizes at once, in the
 * answer to such a change, is reported as an error by the browser ('ResizeObserver loop …').
 * @returns its undo
 */
export function bindSizeChange(elements: readonly Element[], onChange: () => void): () => void {
  let frame = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(onChange);
  });
  for (const element of elements) observer.observe(element);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}

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
