/** Desktop notifications exist only on https and localhost, and never where they were denied; then there is none (specification 8). */
export function canShowDesktopNotification(): boolean {
  return typeof Notification !== 'undefined' && window.isSecureContext && Notification.permission === 'granted';
}

/**
 * Asks for the permission where the browser still lets one ask; to be called from a click. Refused or not there, it is
 * skipped in silence (specification 8).
 */
export function requestDesktopNotifications(): void {
  if (typeof Notification === 'undefined' || !window.isSecureContext || Notification.permission !== 'default') return;
  // Old browsers answer by a callback and return nothing.
  void Promise.resolve(Notification.requestPermission()).catch(() => undefined);
}

/** @returns how to take it away again */
export function showDesktopNotification(title: string, body: string, tag: string, onClick: () => void): () => void {
  if (!canShowDesktopNotification()) return () => {};
  try {
    const notification = new Notification(title, { body, tag });
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      onClick();
    });
    return () => notification.close();
  } catch (error) {
    // Chrome on Android offers the constructor and then refuses it.
    console.warn('Notifikasi desktop tidak dapat ditampilkan', error);
    return () => {};
  }
}
