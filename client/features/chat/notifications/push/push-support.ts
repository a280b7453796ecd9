import { isAppleTouch } from '#client/lib/browser/device-kind.ts';
import { isInstalledApp } from '#client/lib/browser/display-mode.ts';

/**
 * Whether this browser can get notifications while no page is open (R-PUSH-40). `install-first`: only the installed app gets them
 * here (iOS). `missing`: this browser never can. `insecure`: not over plain http, so the screen says nothing of it.
 */
export type PushSupport = 'ready' | 'insecure' | 'missing' | 'install-first' | 'denied';

/** Since 16.4 an installed app gets them on an iPhone or iPad, and a page in its browsers never does. */
const FIRST_APPLE_VERSION = 16.4;

/** @returns its version, or null where this is no iPhone or iPad */
function appleTouchVersion(): number | null {
  const { userAgent } = navigator;
  if (!isAppleTouch(navigator)) return null;
  const [, major = '0', minor = '0'] = /(?:OS |Version\/)(\d+)[._](\d+)/.exec(userAgent) ?? [];
  return Number(`${major}.${minor}`);
}

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || typeof Notification === 'undefined') {
    const version = appleTouchVersion();
    return version !== null && version >= FIRST_APPLE_VERSION && !isInstalledApp() ? 'install-first' : 'missing';
  }
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}
