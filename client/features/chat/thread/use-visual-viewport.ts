import { useEffect, useState } from 'react';

type ViewportArea = { top: number; height: number };

/** The part of the screen above a phone's keyboard; null where the browser does not support it or `active` is false. */
export function useVisualViewport(active: boolean): ViewportArea | null {
  const [area, setArea] = useState<ViewportArea | null>(null);
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!active || !viewport) return undefined;
    const measure = (): void => setArea({ top: viewport.offsetTop, height: viewport.height });
    measure();
    viewport.addEventListener('resize', measure);
    viewport.addEventListener('scroll', measure);
    return () => {
      viewport.removeEventListener('resize', measure);
      viewport.removeEventListener('scroll', measure);
    };
  }, [active]);
  return active ? area : null;
}
