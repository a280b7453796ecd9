import { paths } from '#client/paths.ts';
import { homeTarget } from './home-target.ts';

type LaunchQueue = { setConsumer: (consumer: (launch: { targetURL?: string }) => void) => void };
export type Navigate = (to: string) => unknown;

/**
 * Opens a shortcut of the installed app in the window that is already there. It is not loaded anew, so nothing typed is lost,
 * and a form with changes asks first (R-PWA-5).
 */
export function bindLaunches(navigate: Navigate): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  const [opening] = performance.getEntriesByType('navigation');
  let isFirst = true;
  launchQueue?.setConsumer(({ targetURL }) => {
    const hasOpenedThisPage = isFirst && targetURL === opening?.name;
    isFirst = false;
    if (!targetURL || hasOpenedThisPage) return;
    const { origin, pathname, search, hash } = new URL(targetURL);
    if (origin !== window.location.origin) return;
    // The icon alone only brings the window to the front.
    if (pathname === paths.home && search === '') return;
    navigate(pathname === paths.home ? homeTarget(search) : pathname + search + hash);
  });
}
