import { useEffect } from 'react';

const ATTRIBUTE = 'data-mantine-color-scheme';

/** Uses the light colour scheme while the page is printed, because paper is white. */
export function useLightSchemeInPrint(): void {
  useEffect(() => {
    const printing = window.matchMedia('print');
    const root = document.documentElement;
    let screenScheme: string | null = null;
    const applyScheme = () => {
      if (printing.matches && screenScheme === null) {
        screenScheme = root.getAttribute(ATTRIBUTE);
        root.setAttribute(ATTRIBUTE, 'light');
      } else if (!printing.matches && screenScheme !== null) {
        root.setAttribute(ATTRIBUTE, screenScheme);
        screenScheme = null;
      }
    };
    printing.addEventListener('change', applyScheme);
    return () => printing.removeEventListener('change', applyScheme);
  }, []);
}
