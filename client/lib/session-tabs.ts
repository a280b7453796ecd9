import { closeSession, currentSession, reloadSession } from './session.ts';
import { readStored } from './safe-storage.ts';

/** Loads the page afresh; a module object so that tests can watch it. */
export const page = { reload: () => window.location.reload() };

/** Whether this tab and the storage agree on the session; brings this tab in line when they do not. */
function syncWithStorage(): boolean {
  const storedToken = readStored('token');
  const currentToken = currentSession()?.token ?? null;
  if (storedToken === currentToken) return true;
  if (storedToken === null) closeSession();
  // Somebody else's data must not stay on this screen, and no half-typed form may be sent in their name.
  else page.reload();
  return false;
}

/** Follows what other tabs do: signing out there signs out here, signing in there loads this page afresh. Returns the undo. */
export function bindSessionToOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key !== null && event.key !== 'token' && event.key !== 'user') return;
    if (syncWithStorage() && event.key === 'user' && currentSession()) reloadSession();
  };
  // Phones freeze background tabs, which then miss the event.
  const onVisible = () => {
    if (document.visibilityState === 'visible') syncWithStorage();
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
