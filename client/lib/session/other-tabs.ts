/**
 * Follows the storage that the tabs share.
 * @param onStorage called when another tab changed it
 * @param onReturn called when this tab is visible again: phones freeze background tabs, which then miss the event
 * @returns the undo
 */
export function bindToOtherTabs(onStorage: (event: StorageEvent) => void, onReturn: () => void): () => void {
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') onReturn();
  };
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onVisible);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onVisible);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
