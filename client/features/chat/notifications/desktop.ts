/** Desktop notifications exist only on https and localhost, and never where they were denied; then there is none (specification 8). */
export function canShowDesktop(): boolean {
  return typeof Notification !== 'undefined' && window.isSecureContext && Notification.permission === 'granted';
}

/**
 * Asks for the permission where the browser still lets one ask; to be called from a click. Refused or not there, it is
 * skipped in silence (specification 8).
 */
export function askForDesktop(): void {
  if (typeof Notification === 'undefined' || !window.isSecureContext || Notification.permission !== 'default') return;
  // Old browsers answer by a callback and return nothing.
  void Promise.resolve(Notification.requestPermission()).catch(() => undefined);
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
