import { isInstalledApp, onInstalledWindow } from '#client/lib/browser/display-mode.ts';
import type { Navigate } from './launches.ts';

/** Opens shortcuts in this window, if it is one of the installed app or becomes one. A tab of a browser gets none. */
export function bindLaunchesOfInstalledApp(navigate: Navigate): void {
  const bind = (): void => {
    import('./launches.ts').then(
      ({ bindLaunches }) => bindLaunches(navigate),
      // A shortcut then only brings the window to the front.
      () => {},
    );
  };
  if (isInstalledApp()) bind();
  // The browser makes the tab from which the app is installed its window, without loading it anew.
  else onInstalledWindow(bind);
}
