import { useEffect } from 'react';
import { isInstalledApp } from '#client/lib/display-mode.ts';
import { APP_NAME } from '#shared/labels.ts';

/** Sets the title of the tab, as in 'Data Pajak · PBB Kita'. A window of the installed app names the app itself. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = isInstalledApp() ? title : `${title} · ${APP_NAME}`;
  }, [title]);
}
