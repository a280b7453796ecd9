import { useSyncExternalStore } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';

/** `insecure`: browsers offer desktop notifications only over https. `missing`: this browser has none. */
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
  // No event reports a change in the browser's settings, but afterwards the page gets the focus.
  window.addEventListener('focus', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('focus', listener);
  };
}

export function useDesktopPermission(): DesktopPermission {
  return useSyncExternalStore(subscribe, readPermission);
}

/** Requests the permission where the browser still allows that, and shows the result. @returns whether it is granted */
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
