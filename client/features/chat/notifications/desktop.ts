/** Desktop notifications exist only on https and localhost, and never where they were denied; then there is none (specification 8). */
export function canShowDesktop(): boolean {
  return typeof Notification !== 'undefined' && window.isSecureContext && Notification.permission === 'granted';
}

/** @returns how to take it away again */
export function showDesktop(title: string, body: string, tag: string, onClick: () => void): () => void {
  if (!canShowDesktop()) return () => {};
  try {
    const shown = new Notification(title, { body, tag });
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
      onClick();
    });
    return () => shown.close();
  } catch (error) {
    // Chrome on Android offers the constructor and then refuses it.
    console.warn('Notifikasi desktop tidak dapat ditampilkan', error);
    return () => {};
  }
}
