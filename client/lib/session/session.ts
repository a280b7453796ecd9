import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { SESSION_ENDED } from '#shared/labels.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import { endNotificationsOf } from '../notifications/account-left.ts';
import { isPlainObject } from '../storage/is-plain-object.ts';
import { erasePrivateData } from './private-data.ts';
import { readStored, removeStored, writeStored } from '../storage/safe-storage.ts';

const TOKEN_KEY = 'token';
const USER_KEY = 'user';
/** Holds the token of a session that the server ended, only for a moment: its storage event reaches the other tabs. */
export const SESSION_ENDED_KEY = 'pbb-session-ended';
/** Holds the token of a session that its user ended in this browser, only for a moment, as above. */
export const SIGNED_OUT_KEY = 'pbb-signed-out';

/**
 * The fields of the stored user that the client uses (docs/requirements.md R-AUTH-17).
 * The storage holds the whole answer of the server.
 */
export type SessionUser = {
  id: string;
  name: string;
  email: string;
  is_admin: boolean;
  /** Until then the server answers nothing else (docs/requirements.md R-ACCESS-20). */
  must_change_password?: boolean;
  /** As above (docs/requirements.md R-ACCESS-70). */
  must_set_up_second_factor?: boolean;
};
export type Session = { token: string; user: SessionUser | null };

/** Why and on which page the server ended a session, for the login page. */
export type EndedSession = { message: string; email: string | null; returnTo: string };

function parseUser(value: unknown): SessionUser | null {
  if (!isPlainObject(value)) return null;
  const { name, email } = value;
  if (typeof name !== 'string' || typeof email !== 'string' || name === '' || email === '') return null;
  const id = value['id'] ?? value['_id'];
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name,
    email,
    is_admin: value['is_admin'] === true,
    ...(value['must_change_password'] === true && { must_change_password: true }),
    ...(value['must_set_up_second_factor'] === true && { must_set_up_second_factor: true }),
  };
}

function readUser(): SessionUser | null {
  const stored = readStored(USER_KEY);
  if (stored === null) return null;
  let user: SessionUser | null = null;
  try {
    user = parseUser(JSON.parse(stored));
  } catch {
    // Text that is not JSON is removed below, like any other value that is no user.
  }
  if (!user) removeStored(USER_KEY);
  return user;
}

function readSession(): Session | null {
  const token = readStored(TOKEN_KEY);
  const user = readUser();
  return token ? { token, user } : null;
}

const store = getDefaultStore();
const sessionAtom = atom<Session | null>(readSession());
const endedSessionAtom = atom<EndedSession | null>(null);
let tokenOfLogout: string | null = null;

export function currentSession(): Session | null {
  return store.get(sessionAtom);
}

export function useSession(): Session | null {
  return useAtomValue(sessionAtom);
}

/** The name under which a browser keeps what belongs to an account. */
export const accountIdOf = (user: SessionUser): string => user.id || user.email;

/** null unless the server ended the session and no user has signed in since. */
export function endedSession(): EndedSession | null {
  return store.get(endedSessionAtom);
}

export function useEndedSession(): EndedSession | null {
  return useAtomValue(endedSessionAtom);
}

/** Calls `listener` after each login and logout, but not when only the name or role changes. @returns the undo */
export function onSessionChange(listener: (session: Session | null) => void): () => void {
  let token = currentSession()?.token;
  return store.sub(sessionAtom, () => {
    const session = currentSession();
    if (session?.token === token) return;
    token = session?.token;
    listener(session);
  });
}

/** Reads the stored session again: for tests, and after another tab has stored a newer user. */
export function reloadSession(): void {
  store.set(endedSessionAtom, null);
  store.set(sessionAtom, readSession());
}

export function openSession(token: string, user: object): void {
  // The user is stored first, because other tabs react to the token and then read both.
  writeStored(USER_KEY, JSON.stringify(user));
  writeStored(TOKEN_KEY, token);
  store.set(endedSessionAtom, null);
  store.set(sessionAtom, { token, user: readUser() });
}

/** Stores a newer name or role of the signed-in user. */
export function updateSessionUser(user: object): void {
  const session = currentSession();
  if (!session) return;
  writeStored(USER_KEY, JSON.stringify(user));
  store.set(sessionAtom, { ...session, user: readUser() });
}

/** Whether the account of the session that was closed last has an e-mail address. */
let hadEmail = true;
export const lastSessionHadEmail = (): boolean => hadEmail;

export function closeSession(): void {
  const user = currentSession()?.user;
  if (user) hadEmail = hasEmail(user.email);
  if (user) endNotificationsOf(accountIdOf(user), { erase: false });
  removeStored(TOKEN_KEY);
  removeStored(USER_KEY);
  store.set(sessionAtom, null);
}

/** Writes a value only for its storage event in the other tabs. */
function notifyOtherTabs(key: string, value: string): void {
  writeStored(key, value);
  removeStored(key);
}

function eraseDataOf({ user }: Session): void {
  if (user) endNotificationsOf(accountIdOf(user), { erase: true });
  erasePrivateData(user ? { id: accountIdOf(user), email: user.email } : { id: '', email: '' });
}

function leaveBrowser(session: Session): void {
  // First, because what stops with the session may store something. A newer session stays.
  if (currentSession()?.token === session.token) closeSession();
  eraseDataOf(session);
}

/** The user signed out in another tab, whose session had this token. */
export function followSignOut(token: string): void {
  const session = currentSession();
  if (session?.token === token) leaveBrowser(session);
}

/**
 * Begins an own logout, before the call to the server: nothing unsent may leave this browser any more, and the other tabs
 * close at once, since the server's `session:ended` would look like an expired session to them.
 * @returns the session for `finishLogout`
 */
export function beginLogout(): Session | null {
  const session = currentSession();
  tokenOfLogout = session?.token ?? null;
  if (!session) return null;
  notifyOtherTabs(SIGNED_OUT_KEY, session.token);
  eraseDataOf(session);
  return session;
}

/** Closes the session here, and removes what was typed or received since `beginLogout`. */
export function finishLogout(session: Session | null): void {
  if (session) leaveBrowser(session);
}

/** Ends the session of `token`, which the server has rejected. A late answer does not end a newer session. */
export function expireSession(token: string): void {
  const session = currentSession();
  if (session?.token !== token) return;
  if (token !== tokenOfLogout) {
    store.set(endedSessionAtom, {
      message: SESSION_ENDED,
      email: session.user?.email ?? null,
      returnTo: window.location.pathname + window.location.search,
    });
    // Before the token is removed: in another tab that event alone would look like a logout.
    notifyOtherTabs(SESSION_ENDED_KEY, token);
  }
  closeSession();
}
