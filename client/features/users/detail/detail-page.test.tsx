import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { rememberPath } from '#client/lib/previous-path.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { accessTexts, errorTexts } from '#shared/texts.ts';
import { buildUser } from '../testing/build-user.ts';
import { AccountSection } from './account-section.tsx';
import { UserDetail } from './detail-page.tsx';

const ONE = 'GET /api/admin/users/u1';
const siti = buildUser({ id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id' });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  server.on(ONE, okAnswer(siti));
});

afterEach(() => window.history.replaceState(null, ''));

const open = (id = 'u1') =>
  renderPage(<UserDetail renderSections={(user) => <AccountSection user={user} />} />, {
    path: '/admin/users/:id',
    at: `/admin/users/${id}`,
  });
const shownHeading = (name: string) => screen.findByRole('heading', { level: 1, name });

async function openMenuItem(user: ReturnType<typeof open>['user'], name: RegExp) {
  await user.click(screen.getByRole('button', { name: /^Tindakan lain/ }));
  await user.click(await screen.findByRole('menuitem', { name }));
}

describe('UserDetail', () => {
  it('shows the user with e-mail and badges, and links to the chat and to a new record', async () => {
    open();
    await shownHeading('Siti Aminah');
    expect(screen.getByText('siti@contoh.id')).toBeTruthy();
    expect(screen.getAllByText('User')).toHaveLength(2);
    expect(screen.getByText('Aktif, dapat masuk')).toBeTruthy();
    const target = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(target('Chat')).toBe('/admin/chat?user=u1');
    expect(target('Tambah Data Pajak')).toBe('/admin/tax-records/create?pemilik=u1');
  });

  it('offers neither chat nor records for an admin, and protects the own account', async () => {
    server.on('GET /api/admin/users/a1', okAnswer(buildUser({ id: 'a1', name: 'Ratna Dewi', is_admin: true })));
    const { user } = open('a1');
    await shownHeading('Ratna Dewi');
    expect(screen.queryByRole('link', { name: 'Chat' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Tambah Data Pajak' })).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Tindakan lain/ }));
    await screen.findByText(`${errorTexts.ownAccount}.`);
    for (const item of screen.getAllByRole('menuitem')) expect(item.hasAttribute('data-disabled')).toBe(true);
  });

  it('edits the account in the dialog of the list', async () => {
    server.on('PUT /api/admin/users/u1', okAnswer({ ...siti, name: 'Siti Rahman' }));
    const { user } = open();
    await shownHeading('Siti Aminah');
    await user.click(screen.getByRole('button', { name: 'Edit Siti Aminah' }));
    const box = within(await screen.findByRole('dialog', { name: 'Edit Pengguna' }));
    server.on(ONE, okAnswer({ ...siti, name: 'Siti Rahman' }));
    await user.click(box.getByRole('button', { name: 'Update' }));
    await shownHeading('Siti Rahman');
  });

  it('deactivates after a question, and shows the new state', async () => {
    const inactive = { ...siti, is_active: false };
    server.on('PUT /api/admin/users/u1/toggle-status', okAnswer(inactive));
    const { user } = open();
    await shownHeading('Siti Aminah');
    await openMenuItem(user, /^Nonaktifkan$/);
    server.on(ONE, okAnswer(inactive));
    const question = within(await screen.findByRole('dialog', { name: 'Nonaktifkan Pengguna' }));
    await user.click(question.getByRole('button', { name: 'Nonaktifkan' }));
    await screen.findByText('Nonaktif, tidak dapat masuk');
  });

  it('opens the dialog for a new password', async () => {
    const { user } = open();
    await shownHeading('Siti Aminah');
    await openMenuItem(user, /^Atur ulang password$/);
    await screen.findByRole('dialog', { name: 'Atur Ulang Password' });
  });

  it('opens the dialog for a code, and ends one that nobody has used', async () => {
    const { user } = open();
    await shownHeading('Siti Aminah');
    await openMenuItem(user, /^Buat kode masuk$/);
    const dialog = within(await screen.findByRole('dialog', { name: 'Kode masuk' }));
    await user.click(dialog.getByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const end = async () => {
      await openMenuItem(user, /^Batalkan kode$/);
      const question = within(await screen.findByRole('dialog', { name: 'Batalkan kode' }));
      await user.click(question.getByRole('button', { name: 'Batalkan kode' }));
    };
    server.on('DELETE /api/admin/users/u1/recovery-code', okAnswer({}));
    await end();
    await screen.findByText('Kode masuk untuk Siti Aminah dibatalkan');
    server.on('DELETE /api/admin/users/u1/recovery-code', failAnswer(404, accessTexts.noOpenCode));
    await end();
    await screen.findByText('Tidak ada kode yang masih berlaku');
  });

  it('returns to the list when the user is deleted', async () => {
    server.on('DELETE /api/admin/users/u1', okAnswer({}));
    const { user, router } = open();
    await shownHeading('Siti Aminah');
    await openMenuItem(user, /^Hapus/);
    const question = within(await screen.findByRole('dialog', { name: 'Hapus Pengguna' }));
    await user.click(question.getByRole('button', { name: 'Hapus' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/users'));
  });

  it.each([
    ['/admin/audit', '/admin/audit'],
    ['/login', '/admin/users'],
  ])('leads back to a page of the admin area, else to the list: %s', async (previous, shown) => {
    window.history.replaceState({ idx: 0 }, '');
    rememberPath(previous);
    window.history.replaceState({ idx: 1 }, '');
    const { user, router } = open();
    await act(() => router.navigate(previous));
    await act(() => router.navigate('/admin/users/u1'));
    await shownHeading('Siti Aminah');
    await user.click(screen.getByRole('link', { name: 'Kembali (Back)' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(shown));
  });

  it('says that an unknown user does not exist', async () => {
    server.on(ONE, failAnswer(404, errorTexts.userMissing));
    open();
    await shownHeading('User tidak ditemukan');
    expect(screen.getByRole('link', { name: 'Kembali ke daftar' }).getAttribute('href')).toBe('/admin/users');
  });

  it('shows an error when the user cannot be loaded, and retries', async () => {
    server.on(ONE, failAnswer(500));
    const { user } = open();
    await screen.findByText('Gagal memuat users');
    server.on(ONE, okAnswer(siti));
    await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await shownHeading('Siti Aminah');
  });
});
