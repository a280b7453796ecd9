import { useEffect } from 'react';
import { APP_NAME } from '#shared/texts.ts';

/** Sets the title of the tab, as in 'Data Pajak · PBB Kita'. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${APP_NAME}`;
  }, [title]);
}
