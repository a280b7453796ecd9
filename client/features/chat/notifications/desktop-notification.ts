/**
 * Desktop notifications need https or localhost, and a permission that was not denied; otherwise there are none (R-CHAT-26).
 */
export function canShowDesktopNotification(): boolean {
  return typeof Notification !== 'undefined' && window.isSecureContext && Notification.permission === 'granted';
}

/** @returns a function that closes the notification */
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
    // Chrome on Android has the constructor, but it throws.
    console.warn('Notifikasi desktop tidak dapat ditampilkan', error);
    return () => {};
  }
}
