import { useEffect } from 'react';

const ATTRIBUTE = 'data-mantine-color-scheme';

/** Paper is white: while the page is printed it wears the light scheme, whatever the screen wears. */
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
