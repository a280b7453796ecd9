import { afterEach, expect, it, vi } from 'vitest';
import { page, watchOtherTabs } from './session-tabs.ts';
import {
  closeSession,
  currentSession,
  onSessionChange,
  openSession,
  reloadSession,
  updateSessionUser,
} from './session.ts';

const siti = { id: 'u1', name: 'Siti', email: 'siti@contoh.id', is_admin: false };

function store(token: string | null, user: string | null) {
  if (token === null) window.localStorage.removeItem('token');
  else window.localStorage.setItem('token', token);
  if (user === null) window.localStorage.removeItem('user');
  else window.localStorage.setItem('user', user);
}

function tellTab(key: string | null) {
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

let unwatch = () => {};
afterEach(() => {
  unwatch();
  vi.restoreAllMocks();
});

it('keeps token and user under their own names', () => {
  openSession('abc', { ...siti, role: 'user' });
  expect(window.localStorage.getItem('token')).toBe('abc');
  expect(JSON.parse(window.localStorage.getItem('user') ?? '')).toEqual({ ...siti, role: 'user' });
  expect(currentSession()).toEqual({ token: 'abc', user: siti });
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
  store('abc', user);
  reloadSession();
  expect(currentSession()).toEqual({ token: 'abc', user: null });
  expect(window.localStorage.getItem('user')).toBeNull();
});

it('is nobody without a token, and administrator only when is_admin is true', () => {
  store(null, JSON.stringify(siti));
  reloadSession();
  expect(currentSession()).toBeNull();
  store('abc', JSON.stringify({ ...siti, is_admin: 'yes', role: 'admin' }));
  reloadSession();
  expect(currentSession()?.user?.is_admin).toBe(false);
  store('abc', JSON.stringify({ _id: 7, name: 'Budi', email: 'b@contoh.id', is_admin: true }));
  reloadSession();
  expect(currentSession()?.user).toEqual({ id: '7', name: 'Budi', email: 'b@contoh.id', is_admin: true });
});

it('tells of a change of person, not of a newer name of the same one', () => {
  const changes: (string | undefined)[] = [];
  const stop = onSessionChange((session) => changes.push(session?.token));
  openSession('a', siti);
  updateSessionUser({ ...siti, name: 'Siti Aminah' });
  expect(currentSession()?.user?.name).toBe('Siti Aminah');
  closeSession();
  stop();
  openSession('b', siti);
  expect(changes).toEqual(['a', undefined]);
});

it('signs out when another tab does, also when it clears the whole storage', () => {
  unwatch = watchOtherTabs();
  openSession('a', siti);
  store(null, null);
  tellTab('token');
  expect(currentSession()).toBeNull();

  openSession('b', siti);
  window.localStorage.clear();
  tellTab(null);
  expect(currentSession()).toBeNull();
});

it('loads the page afresh when somebody else signs in in another tab', () => {
  const reload = vi.spyOn(page, 'reload').mockImplementation(() => {});
  unwatch = watchOtherTabs();
  openSession('a', siti);
  store('b', JSON.stringify({ ...siti, name: 'Budi' }));
  tellTab('token');
  expect(reload).toHaveBeenCalledOnce();
});

it('takes over a newer name that another tab was told', () => {
  unwatch = watchOtherTabs();
  openSession('a', siti);
  store('a', JSON.stringify({ ...siti, name: 'Siti Aminah' }));
  tellTab('user');
  expect(currentSession()?.user?.name).toBe('Siti Aminah');
});

it('notices in the foreground what it missed in the background', () => {
  unwatch = watchOtherTabs();
  openSession('a', siti);
  store(null, null);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(currentSession()).toBeNull();
});

it('works for as long as the page lives when there is no storage', () => {
  const closed = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(closed);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(closed);
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(closed);
  openSession('a', siti);
  reloadSession();
  expect(currentSession()).toEqual({ token: 'a', user: siti });
  closeSession();
  reloadSession();
  expect(currentSession()).toBeNull();
});
