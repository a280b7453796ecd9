import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, it } from 'vitest';
import { useCloseOnBack } from './use-close-on-back.ts';

function Viewer() {
  const [open, setOpen] = useState(false);
  useCloseOnBack(open, () => setOpen(false), 'photo');
  return (
    <button type="button" onClick={() => setOpen(!open)}>
      {open ? 'Tutup' : 'Buka'}
    </button>
  );
}
const press = (name: string) => act(() => screen.getByRole('button', { name }).click());

it.each([
  ['', null],
  [' also after a reload while it was open', { photo: true }],
])('closes with the key for back, and leaves the page behind it alone%s', async (_when, state) => {
  const entries = ['/depan', '/halaman', ...(state ? [{ pathname: '/halaman', state }] : [])];
  const router = createMemoryRouter([{ path: '*', element: <Viewer /> }], { initialEntries: entries });
  render(<RouterProvider router={router} />);
  press('Buka');
  await act(() => router.navigate(-1));
  expect(screen.getByRole('button').textContent).toBe('Buka');
  expect(router.state.location.pathname).toBe('/halaman');
  press('Buka');
  press('Tutup');
  expect(router.state.location.state).toBeNull();
  await act(() => router.navigate(-1));
  expect(router.state.location.pathname).toBe('/depan');
});
