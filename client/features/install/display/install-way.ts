/**
 * How this browser puts the app on the home screen (R-PWA-32). iOS never offers it by itself, and others only sometimes; what
 * stands in their menus is then described. `elsewhere`: a window inside another app, which cannot.
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

/** Windows inside other apps, where links of messages open. */
const INSIDE_APP = /FBAN|FBAV|Instagram|\bLine\/|; wv\)|GSA\/|TikTok|MicroMessenger/;

export type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** An iPad says that it is a Mac, and no Mac has a touch screen. */
export function isAppleTouchDevice({ userAgent, maxTouchPoints }: Device): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

export function findInstallWay(device: Device): InstallWay {
  const { userAgent } = device;
  const isInsideApp = INSIDE_APP.test(userAgent);
  if (isAppleTouchDevice(device)) return isInsideApp ? 'ios-elsewhere' : 'ios';
  if (userAgent.includes('Android')) {
    if (isInsideApp) return 'android-elsewhere';
    if (userAgent.includes('Firefox/')) return 'android-firefox';
    return userAgent.includes('SamsungBrowser/') ? 'android-samsung' : 'android-chrome';
  }
  if (userAgent.includes('Edg/')) return 'edge';
  if (userAgent.includes('Chrome/')) return 'chrome';
  return userAgent.includes('Macintosh') && userAgent.includes('Safari/') ? 'mac-safari' : 'none';
}
