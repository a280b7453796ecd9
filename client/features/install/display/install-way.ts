import {
  type Device,
  isAndroid,
  isAppleTouch,
  isFirefox,
  isInsideOtherApp,
  isMacSafari,
} from '#client/lib/browser/device-kind.ts';

/**
 * The way in which this browser puts the app on the home screen (R-PWA-32). iOS never offers it by itself, and others only
 * sometimes; the steps then name the entries of their menus. `elsewhere`: a window inside another app, which cannot install it.
 */
export type InstallWay =
  | 'ios'
  | 'ios-elsewhere'
  | 'android-chrome'
  | 'android-firefox'
  | 'android-samsung'
  | 'android-elsewhere'
  | 'mac-safari'
  | 'edge'
  | 'chrome'
  | 'none';

export function findInstallWay(device: Device): InstallWay {
  const { userAgent } = device;
  if (isAppleTouch(device)) return isInsideOtherApp(device) ? 'ios-elsewhere' : 'ios';
  if (isAndroid(device)) {
    if (isInsideOtherApp(device)) return 'android-elsewhere';
    if (isFirefox(device)) return 'android-firefox';
    return userAgent.includes('SamsungBrowser/') ? 'android-samsung' : 'android-chrome';
  }
  if (userAgent.includes('Edg/')) return 'edge';
  if (userAgent.includes('Chrome/')) return 'chrome';
  return isMacSafari(device) ? 'mac-safari' : 'none';
}
