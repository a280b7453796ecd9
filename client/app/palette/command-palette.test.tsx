import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { today } from '#client/lib/format.ts';
import { CommandPalette } from './command-palette.tsx';
import { openOverlayAtom } from './palette-state.ts';
import { SearchButton, ShortcutsButton } from './palette-buttons.tsx';

afterEach(() => getDefaultStore().set(openOverlayAtom, null));

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
  server.on(
    'GET /api/admin/users',
    okListAnswer([{ id: 'u7', name: 'Budi', email: 'budi@contoh.id', is_admin: false }]),
  );
  server.on(
    'GET /api/admin/tax-records',
    okListAnswer([buildRecord({ id: recordId(4), name: 'Budi', spt_number: 'SPT-1' })]),
  );
});

const buildResult = (id: string) => ({
  id,
  _id: id,
  changed: true,
  message: null,
  updated_at: '2026-01-02T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
});

async function open() {
  const view = renderPage(<CommandPalette />, { path: '/admin/dashboard' });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: /^Cari halaman/ });
  return { ...view, field };
}

describe('CommandPalette', () => {
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
    const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent?.slice(0, 16).trim());
    await waitFor(() =>
      expect(names()).toEqual([
        'Budibudi@contoh.',
        'Chat dengan Budi',
        'Budi · 2025SPT-1',
        'Tandai Lunas Bud',
        'Cari pesan “budi',
      ]),
    );
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect((await screen.findByTestId('elsewhere')).textContent).toBe(`/admin/tax-records/${recordId(4)}`);
  });

  it('says the status of a record, and its owner where only their name was found', async () => {
    const owner = { id: 'u7', _id: 'u7', name: 'Budi', email: 'budi@contoh.id', has_email: true };
    server.on(
      'GET /api/admin/tax-records',
      okListAnswer([
        buildRecord({ id: recordId(4), name: 'Siti', spt_number: 'SPT-1', status: 'proses', user: owner }),
        buildRecord({ id: recordId(5), name: 'Budi', spt_number: 'SPT-2', status: 'lunas', user: owner }),
      ]),
    );
    const { user, field } = await open();
    await user.type(field, 'bUDi');
    await screen.findByRole('option', { name: /^Siti · 2025 ?pemilik: Budi · SPT-1 · Proses · Rp/ });
    expect(screen.getByRole('option', { name: /^Budi · 2025 ?SPT-2 · Lunas · Rp/ })).toBeTruthy();
  });

  it('goes to the page of the first user on Enter', async () => {
    const { user, field } = await open();
    await user.type(field, 'budi');
    await screen.findByRole('option', { name: /budi@contoh.id/ });
    await user.keyboard('{Enter}');
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/admin/users/u7');
  });

  it('finds the conversation with a user after the word chat', async () => {
    const { user, field } = await open();
    await user.type(field, 'chat budi');
    await user.click(await screen.findByRole('option', { name: 'Chat dengan Budi' }));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/admin/chat?user=u7');
    expect(server.callsOf('GET /api/admin/users').at(-1)?.query['search']).toBe('budi');
  });

  it('marks a found record as paid after a question, and offers that for unpaid records only', async () => {
    const paid = buildRecord({ id: recordId(5), name: 'Budi Lunas', status: 'lunas' });
    const unpaid = buildRecord({ id: recordId(4), name: 'Budi', status: 'proses' });
    server.on('GET /api/admin/tax-records', ({ query }) =>
      okListAnswer(query['unpaid'] === '1' ? [unpaid] : [paid, unpaid]),
    );
    server.on('POST /api/admin/tax-records/bulk', okAnswer({ results: [buildResult(unpaid.id)] }));
    const { user, field } = await open();
    await user.type(field, 'budi');
    await screen.findByRole('option', { name: /^Tandai Lunas Budi · 2025/ });
    expect(screen.queryByRole('option', { name: /^Tandai Lunas Budi Lunas/ })).toBeNull();

    await user.clear(field);
    await user.type(field, 'lunas budi');
    expect(screen.queryByRole('option', { name: /^Cari pesan/ }), 'before the search has begun').toBeNull();
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.keyboard('{Enter}');
    const question = within(await screen.findByRole('dialog', { name: 'Tandai 1 data lunas' }));
    expect(screen.queryByRole('combobox', { name: /^Cari halaman/ })).toBeNull();
    await user.click(question.getByRole('button', { name: 'Hari ini' }));
    await user.click(question.getByRole('button', { name: 'Tandai Lunas' }));
    await screen.findByText(/^1 data ditandai lunas · Rp/);
    expect(server.callsOf('POST /api/admin/tax-records/bulk').map(({ body }) => body)).toEqual([
      {
        changes: [{ id: unpaid.id, updated_at: unpaid.updated_at, status: 'lunas', payment_date: today() }],
      },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf('GET /api/admin/users').map(({ query }) => query['search'])).not.toContain('lunas budi');
  });

  it('gives the focus back on Escape', async () => {
    const { user } = renderPage(
      <>
        <CommandPalette />
        <SearchButton />
      </>,
    );
    const button = screen.getByRole('button', { name: /^Cari/ });
    await user.click(button);
    await screen.findByRole('combobox', { name: /^Cari halaman/ });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('closes on Escape', async () => {
    const { user } = await open();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the list of keys', () => {
  const list = () => screen.findByRole('dialog', { name: 'Pintasan keyboard' });

  it('opens on ?, names the screen of each key, and closes on Escape', async () => {
    const { user } = renderPage(<CommandPalette />, { path: '/admin/dashboard' });
    await user.keyboard('?');
    const shown = within(await list());
    const screens = shown.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(screens).toContain('Chat: daftar percakapan');
    expect(shown.getByText('mencari halaman, pengguna, atau data PBB')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('does not open while a text is typed', async () => {
    const { user } = renderPage(
      <>
        <CommandPalette />
        <input aria-label="Nama" />
      </>,
    );
    await user.type(screen.getByRole('textbox'), 'Berapa?');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('opens from its button and from the palette, and the palette from its own button', async () => {
    const { user } = renderPage(
      <>
        <CommandPalette />
        <SearchButton />
        <ShortcutsButton />
      </>,
    );
    await user.click(screen.getByRole('button', { name: /^Pintasan keyboard/ }));
    await list();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: /^Cari/ }));
    await user.type(await screen.findByRole('combobox', { name: /^Cari halaman/ }), 'pintasan');
    await user.keyboard('{Enter}');
    await list();
  });
});
