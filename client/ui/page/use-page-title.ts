import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { isInstalledApp } from '#client/lib/browser/display-mode.ts';
import { APP_NAME } from '#shared/labels.ts';

const pageTitleAtom = atom('');

/** Sets the title of the tab, as in 'Data Pajak · PBB Kita'. A window of the installed app names the app itself. */
export function usePageTitle(title: string): void {
  const setPageTitle = useSetAtom(pageTitleAtom);
  useEffect(() => {
    document.title = isInstalledApp() ? title : `${title} · ${APP_NAME}`;
    setPageTitle(title);
    return () => setPageTitle('');
  }, [title, setPageTitle]);
}

/** The title of the open page without the name of the app. */
export const useShownPageTitle = (): string => useAtomValue(pageTitleAtom);
