import { useSyncExternalStore } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';

/** `insecure`: browsers give desktop notifications only to https addresses; `missing`: this browser has none at all. */
export type DesktopPermission = NotificationPermission | 'insecure' | 'missing';

export const permissionTexts = {
  granted: 'Izin notifikasi desktop diberikan',
  denied: 'Izin notifikasi desktop ditolak',
  deniedBefore: 'Izin notifikasi desktop sebelumnya ditolak',
  unanswered: 'Izin notifikasi desktop belum diberikan',
} as const;

function readPermission(): DesktopPermission {
  if (!window.isSecureContext) return 'insecure';
  if (!('Notification' in window)) return 'missing';
  return Notification.permission;
}

const listeners = new Set<() => void>();
const notifyListeners = () => listeners.forEach((listener) => listener());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The permission is changed in the browser's own settings; nobody tells the page, but it gets the focus back.
  window.addEventListener('focus', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('focus', listener);
  };
}

export function useDesktopPermission(): DesktopPermission {
  return useSyncExternalStore(subscribe, readPermission);
}

/** Asks the person where the browser still allows to ask, and says how it ended. @returns whether it is allowed now */
export async function requestDesktopPermission(): Promise<boolean> {
  if (readPermission() === 'denied') {
    notify.warning(permissionTexts.deniedBefore);
    return false;
  }
  const answer = Notification.permission === 'granted' ? 'granted' : await Notification.requestPermission();
  notifyListeners();
  if (answer === 'granted') notify.success(permissionTexts.granted);
  else if (answer === 'denied') notify.warning(permissionTexts.denied);
  else notify.info(permissionTexts.unanswered);
  return answer === 'granted';
}
