import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, bindSessionToOtherTabs } from './session-tabs.ts';
import {
  beginLogout,
  closeSession,
  currentSession,
  endedSession,
  expireSession,
  finishLogout,
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

function dispatchStorageEvent(key: string | null, newValue: string | null = null) {
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
}

let unbind = () => {};
afterEach(() => unbind());

it('stores token and user under their own keys', () => {
  openSession('abc', { ...testUser, role: 'user' });
  expect(window.localStorage.getItem('token')).toBe('abc');
  expect(JSON.parse(window.localStorage.getItem('user') ?? '')).toEqual({ ...testUser, role: 'user' });
  expect(currentSession()).toEqual({ token: 'abc', user: testUser });
  closeSession();
  expect(window.localStorage).toHaveLength(0);
});

it.each([
  ['invalid JSON', '{'],
  ['a text', '"Siti"'],
  ['null', 'null'],
  ['a list', '[]'],
  ['without an e-mail address', '{"name":"Siti"}'],
  ['without a name', '{"email":"siti@contoh.id"}'],
])('removes a stored user that is %s, but keeps the session', (_name, user) => {
  writeStorage('abc', user);
  reloadSession();
  expect(currentSession()).toEqual({ token: 'abc', user: null });
  expect(window.localStorage.getItem('user')).toBeNull();
});

it('gives no session without a token, and an admin only when is_admin is true', () => {
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

it('reports a change of the user, but not a newer name of the same user', () => {
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

it('signs out when another tab signs out or clears the whole storage', () => {
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

it('keeps the reason when another tab notices the end of the session first', () => {
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  const setItem = vi.spyOn(Storage.prototype, 'setItem');
  expireSession('a');
  const [key = '', token = ''] = setItem.mock.lastCall ?? [];
  expect(window.localStorage).toHaveLength(0);

  // The other tab receives these events.
  openSession('a', testUser);
  writeStorage(null, null);
  dispatchStorageEvent(key, token);
  dispatchStorageEvent(key);
  dispatchStorageEvent('token');
  expect(currentSession()).toBeNull();
  expect(endedSession()?.email).toBe('siti@contoh.id');
});

it('does not end a newer session because of a late report from another tab', () => {
  const reload = vi.spyOn(page, 'reload').mockImplementation(() => {});
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage('b', JSON.stringify(testUser));
  dispatchStorageEvent('pbb-session-ended', 'a');
  expect(window.localStorage.getItem('token')).toBe('b');
  dispatchStorageEvent('token');
  expect(reload).toHaveBeenCalledOnce();
});

it('shows no reason after an own logout, although the server reports the end of the session', () => {
  openSession('a', testUser);
  const setItem = vi.spyOn(Storage.prototype, 'setItem');
  beginLogout();
  expireSession('a');
  expect(currentSession()).toBeNull();
  expect(endedSession()).toBeNull();
  expect(setItem.mock.calls.map(([key]) => key)).not.toContain('pbb-session-ended');
});

it('reloads the page when another tab opens another session', () => {
  const reload = vi.spyOn(page, 'reload').mockImplementation(() => {});
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage('b', JSON.stringify({ ...testUser, name: 'Budi' }));
  dispatchStorageEvent('token');
  expect(reload).toHaveBeenCalledOnce();
});

it('takes over a newer name that another tab stored', () => {
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage('a', JSON.stringify({ ...testUser, name: 'Siti Aminah' }));
  dispatchStorageEvent('user');
  expect(currentSession()?.user?.name).toBe('Siti Aminah');
});

it('follows a change that happened in the background when the page is shown again', () => {
  unbind = bindSessionToOtherTabs();
  openSession('a', testUser);
  writeStorage(null, null);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(currentSession()).toBeNull();
});

it('keeps the session as long as the page when there is no storage', () => {
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

describe('a logout', () => {
  const OTHER_ACCOUNT = 'pbb-outbox:u2:1';
  const kept = {
    'mantine-color-scheme-value': 'dark',
    admin_settings: '{}',
    admin_dashboard_users: 'tabel',
    'pbb-device-tokens': '[]',
    [OTHER_ACCOUNT]: '{}',
    'pbb-draft:u2:u2': 'draf orang lain',
  };
  const erased = {
    'pbb-draft:u1:u1': 'suami saya tidak boleh tahu',
    'pbb-outbox:u1:1': '{"content":"NIK saya 3273"}',
    'pbb-chat-told:u1': '[1]',
    'pbb-chat-reading:u1': '{}',
    'something-of-a-later-version': 'Siti',
  };
  const fillBrowser = () => {
    for (const [key, value] of Object.entries({ ...kept, ...erased })) window.localStorage.setItem(key, value);
    window.sessionStorage.setItem('pbb-scroll', '{"/tax-records/1":10}');
  };
  const storedNow = () => Object.fromEntries(Object.entries(window.localStorage));

  it('leaves nothing of the account in the browser, but what others need', () => {
    openSession('abc', testUser);
    fillBrowser();
    finishLogout(beginLogout());
    expect(currentSession()).toBeNull();
    expect(storedNow()).toEqual(kept);
    expect(Object.entries(window.sessionStorage)).toEqual([['pbb-scroll-guest', '{}']]);
  });

  it('removes what is unsent before the server is called, and what was typed since', () => {
    openSession('abc', testUser);
    fillBrowser();
    const session = beginLogout();
    expect(currentSession()?.token).toBe('abc');
    expect(window.localStorage.getItem('token')).toBe('abc');
    expect(window.localStorage.getItem('pbb-outbox:u1:1')).toBeNull();
    window.localStorage.setItem('pbb-draft:u1:u1', 'masih diketik');
    finishLogout(session);
    expect(storedNow()).toEqual(kept);
  });

  it('does not close a session that was opened while the server was called', () => {
    openSession('abc', testUser);
    const session = beginLogout();
    openSession('def', { ...testUser, id: 'u2', email: 'lain@contoh.id' });
    finishLogout(session);
    expect(currentSession()?.token).toBe('def');
  });

  it('closes the other tabs, removes what they hold, and shows no ended session there', () => {
    openSession('abc', testUser);
    unbind = bindSessionToOtherTabs();
    fillBrowser();
    dispatchStorageEvent('pbb-signed-out', 'abc');
    expect(currentSession()).toBeNull();
    expect(endedSession()).toBeNull();
    expect(storedNow()).toEqual(kept);
    expect(window.sessionStorage.getItem('pbb-scroll')).toBeNull();
  });

  it('tells the other tabs before the server does', () => {
    openSession('abc', testUser);
    const write = vi.spyOn(Storage.prototype, 'setItem');
    beginLogout();
    expect(write.mock.calls[0]).toEqual(['pbb-signed-out', 'abc']);
    expect(window.localStorage.getItem('pbb-signed-out')).toBeNull();
  });

  it('keeps everything when the server ended the session, for the next sign-in', () => {
    openSession('abc', testUser);
    fillBrowser();
    expireSession('abc');
    expect(storedNow()).toEqual({ ...kept, ...erased });
  });
});
