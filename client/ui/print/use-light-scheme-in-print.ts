import { useEffect } from 'react';

const ATTRIBUTE = 'data-mantine-color-scheme';

/** Uses the light colour scheme while the page is printed, because paper is white. */
export function useLightSchemeInPrint(): void {
  useEffect(() => {
    const printing = window.matchMedia('print');
    const root = document.documentElement;
    let screenScheme: string | null = null;
    const toLight = () => {
      screenScheme ??= root.getAttribute(ATTRIBUTE);
      root.setAttribute(ATTRIBUTE, 'light');
    };
    const toScreen = () => {
      if (screenScheme !== null) root.setAttribute(ATTRIBUTE, screenScheme);
      screenScheme = null;
    };
    const applyMedia = () => (printing.matches ? toLight() : toScreen());
    printing.addEventListener('change', applyMedia);
    // Not every browser reports the change of the medium before it captures the page.
    window.addEventListener('beforeprint', toLight);
    window.addEventListener('afterprint', applyMedia);
    return () => {
      printing.removeEventListener('change', applyMedia);
      window.removeEventListener('beforeprint', toLight);
      window.removeEventListener('afterprint', applyMedia);
    };
  }, []);
}
