import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { fakeServer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { CommandPalette } from './command-palette.tsx';

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
  server.on('GET /api/admin/users', okListAnswer([{ id: 'u7', name: 'Budi', email: 'budi@contoh.id' }]));
  server.on('GET /api/admin/tax-records', okListAnswer([buildRecord({ id: recordId(4), name: 'Budi' })]));
});

async function open() {
  const view = renderPage(<CommandPalette />, { path: '/admin/dashboard' });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: /^Cari halaman/ }, { timeout: 10_000 });
  return { ...view, field };
}

describe('CommandPalette', { timeout: 20_000 }, () => {
  it('finds screens at once, without a call to the server', async () => {
    const { user, field } = await open();
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.type(field, 'l');
    const names = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(names).toContain('Laporan');
    expect(names).not.toContain('Chat');
    expect(server.calls).toEqual([]);
  });

  it('searches users and records, and goes to the selected one on Enter', async () => {
    const { user, field } = await open();
    await user.type(field, 'budi');
    await screen.findByRole('option', { name: /budi@contoh.id/ });
    expect(server.calls.map(({ query }) => query)).toEqual([
      { search: 'budi', limit: '5' },
      { search: 'budi', limit: '5' },
    ]);
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    await user.keyboard('{ArrowDown}{Enter}');
    expect((await screen.findByTestId('elsewhere')).textContent).toBe(`/admin/tax-records/${recordId(4)}`);
  });

  it('closes on Escape', async () => {
    const { user } = await open();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
