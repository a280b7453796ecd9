import { afterEach, expect, it, vi } from 'vitest';
import { page, bindSessionToOtherTabs } from './session-tabs.ts';
import {
  closeSession,
  currentSession,
  onSessionChange,
  openSession,
  reloadSession,
  updateSessionUser,
} from './session.ts';

const testUser = { id: 'u1', name: 'Siti', email: 'siti@contoh.id', is_admin: false };

function writeStorage(token: string | null, user: string | null) {
  if (token === null) window.localStorage.removeItem('token');
  else window.localStorage.setItem('token', token);
  if (user === null) window.localStorage.removeItem('user');
  else window.localStorage.setItem('user', user);
}

function dispatchStorageEvent(key: string | null) {
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

let unbind = () => {};
afterEach(() => {
  unbind();
  vi.restoreAllMocks();
});

it('keeps token and user under their own names', () => {
  openSession('abc', { ...testUser, role: 'user' });
  expect(window.localStorage.getItem('token')).toBe('abc');
  expect(JSON.parse(window.localStorage.getItem('user') ?? '')).toEqual({ ...testUser, role: 'user' });
  expect(currentSession()).toEqual({ token: 'abc', user: testUser });
  closeSession();
  expect(window.localStorage).toHaveLength(0);
});

it.each([
  ['no JSON', '{'],
  ['a text', '"Siti"'],
  ['null', 'null'],
  ['a list', '[]'],
  ['no e-mail', '{"name":"Siti"}'],
  ['no name', '{"email":"siti@contoh.id"}'],
])('discards a stored user that is %s, but stays signed in', (_name, user) => {
  writeStorage('abc', user);
  reloadSession();
  expect(currentSession()).toEqual({ token: 'abc', user: null });
  expect(window.localStorage.getItem('user')).toBeNull();
});

it('is nobody without a token, and administrator only when is_admin is true', () => {
  writeStorage(null, JSON.stringify(testUser));
  reloadSession();
  expect(currentSession()).toBeNull();
  writeStorage('abc', JSON.stringify({ ...testUser, is_admin: 'yes', role: 'admin' }));
  reloadSession();
  expect(currentSession()?.user?.is_admin).toBe(false);
  writeStorage('abc', JSON.stringify({ _id: 7, name: 'Budi', email: 'b@contoh.id', is_admin: true }));
  reloadSession();
  expect(currentSession()?.user).toEqual({ id: '7', name: 'Budi', email: 'b@contoh.id', is_admin: true });
});

it('tells of a change of person, not of a newer name of the same one', () => {
  const changes: (string | undefined)[] = [];
  const stop = onSessionChange((session) => changes.push(session?.token));
  openSession('a', testUser);
  updateSessionUser({ ...testUser, name: 'Siti Aminah' });
  expect(currentSession()?.user?.name).toBe('Siti Aminah');
  closeSession();
  stop();
  openSession('b', testUser);
  expect(changes).toEqual(['a', undefined]);
});

it('signs out when another tab does, also when it clears the whole storage', () => {
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage(null, null);
  dispatchStorageEvent('token');
  expect(currentSession()).toBeNull();

  openSession('b', testUser);
  window.localStorage.clear();
  dispatchStorageEvent(null);
  expect(currentSession()).toBeNull();
});

it('loads the page afresh when somebody else signs in in another tab', () => {
  const reload = vi.spyOn(page, 'reload').mockImplementation(() => {});
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage('b', JSON.stringify({ ...testUser, name: 'Budi' }));
  dispatchStorageEvent('token');
  expect(reload).toHaveBeenCalledOnce();
});

it('takes over a newer name that another tab was told', () => {
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage('a', JSON.stringify({ ...testUser, name: 'Siti Aminah' }));
  dispatchStorageEvent('user');
  expect(currentSession()?.user?.name).toBe('Siti Aminah');
});

it('notices in the foreground what it missed in the background', () => {
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage(null, null);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(currentSession()).toBeNull();
});

it('works for as long as the page lives when there is no storage', () => {
  const throwSecurityError = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(throwSecurityError);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(throwSecurityError);
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(throwSecurityError);
  openSession('a', testUser);
  reloadSession();
  expect(currentSession()).toEqual({ token: 'a', user: testUser });
  closeSession();
  reloadSession();
  expect(currentSession()).toBeNull();
});
