import { act, screen, waitFor } from '@testing-library/react';
import { Link, Outlet } from 'react-router-dom';
import { expect, it } from 'vitest';
import { RequireSession } from '#client/app/guards.tsx';
import { renderRoutes, signIn } from '#client/testing/render.tsx';
import { expireSession } from '#client/lib/session/session.ts';
import { confirmLeave, useUnsavedWarning } from './use-unsaved-warning.ts';

function Form() {
  useUnsavedWarning(true);
  return (
    <>
      <Link to="/list">Daftar</Link>
      <Link to="/form?tab=2">Tab</Link>
    </>
  );
}

function open() {
  signIn();
  return renderRoutes(
    [
      {
        Component: RequireSession,
        children: [
          { path: '/form', Component: Form },
          { path: '/list', element: <p>Isi daftar</p> },
        ],
      },
      { path: '/login', element: <p>Masuk</p> },
      { path: '*', Component: Outlet },
    ],
    '/form',
  );
}

const click = (role: 'link' | 'button', name: string) => act(() => screen.getByRole(role, { name }).click());

it('asks before leaving, and stays or leaves as answered', async () => {
  const { router } = open();
  click('link', 'Daftar');
  expect(await screen.findByRole('dialog', { name: 'Perubahan belum disimpan' })).toBeTruthy();
  click('button', 'Tetap di sini');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.pathname).toBe('/form');
  click('link', 'Daftar');
  await screen.findByRole('dialog');
  click('button', 'Tinggalkan halaman');
  expect(await screen.findByText('Isi daftar')).toBeTruthy();
  expect(await confirmLeave()).toBe(true);
});

it('does not ask when only the query changes, and prevents beforeunload', () => {
  const { router } = open();
  click('link', 'Tab');
  expect(router.state.location.search).toBe('?tab=2');
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
});

it('does not block the redirect to the login page when the session ends', async () => {
  open();
  act(() => expireSession('test-token'));
  expect(await screen.findByText('Masuk')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});
