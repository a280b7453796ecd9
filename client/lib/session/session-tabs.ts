import {
  closeSession,
  currentSession,
  expireSession,
  followSignOut,
  reloadSession,
  SESSION_ENDED_KEY,
  SIGNED_OUT_KEY,
} from './session.ts';
import { bindToOtherTabs } from './other-tabs.ts';
import { readStored } from '../storage/safe-storage.ts';

/** Reloads the page. An object, so that tests can replace the function. */
export const page = { reload: () => window.location.reload() };

/** Makes this tab follow the stored session. @returns whether both already had the same one */
function syncWithStorage(): boolean {
  const storedToken = readStored('token');
  const currentToken = currentSession()?.token ?? null;
  if (storedToken === currentToken) return true;
  if (storedToken === null) closeSession();
  // Data of the previous user must not stay on the screen. Their form must not be sent as the new user.
  else page.reload();
  return false;
}

/** Another tab noticed that the server ended the session of `token`. A session that is stored since then is newer. */
function followSessionEnd(token: string): void {
  const storedToken = readStored('token');
  if (storedToken === null || storedToken === token) expireSession(token);
}

/**
 * Follows other tabs: a logout there signs out here, and a login there reloads this page. When the server ended the session,
 * this tab knows the reason too, even before its own `session:ended`.
 * @returns the undo
 */
export function bindSessionToOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === SIGNED_OUT_KEY && event.newValue !== null) followSignOut(event.newValue);
    if (event.key === SESSION_ENDED_KEY && event.newValue !== null) followSessionEnd(event.newValue);
    // A null key means that the whole storage was cleared.
    if (event.key !== null && event.key !== 'token' && event.key !== 'user') return;
    if (syncWithStorage() && event.key === 'user' && currentSession()) reloadSession();
  };
  return bindToOtherTabs(onStorage, () => void syncWithStorage());
}
