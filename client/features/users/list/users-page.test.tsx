import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { errorTexts } from '#shared/texts.ts';
import { buildUser } from '../testing/build-user.ts';
import { UsersPage } from './users-page.tsx';

const LIST = 'GET /api/admin/users';

const ratna = buildUser({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
const siti = buildUser({ id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id' });
const budi = buildUser({ id: 'u2', name: 'Budi Santoso', email: 'budi@contoh.id', is_active: false });

let server: ReturnType<typeof fakeServer>;

/** A server that answers lists and counts. */
function serveUsers(users: UserAnswer[], total = users.length) {
  server.on(LIST, ({ query }) => {
    const { limit, page = '1', is_active, is_admin } = query;
    if (limit !== '1') {
      const last_page = Math.max(1, Math.ceil(total / 25));
      return okAnswer({ data: users, total, per_page: 25, current_page: Number(page), last_page });
    }
    const counted = users.filter((user) => (!is_active || user.is_active) && (!is_admin || user.is_admin)).length;
    return okAnswer({ data: [], total: counted, per_page: 1, current_page: 1, last_page: 1 });
  });
}
const listCalls = () => server.callsOf(LIST).filter(({ query }) => query['limit'] !== '1');

beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  serveUsers([ratna, siti, budi]);
});

const open = (search = '') => renderPage(<UsersPage />, { path: '/admin/users', at: `/admin/users${search}` });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const dialog = (title: string) => screen.findByRole('dialog', { name: title });

describe('user list', () => {
  it('shows the counters, and the users with their badges and actions', async () => {
    open();
    await screen.findByText('Siti Aminah');
    const counts = within(screen.getByRole('region', { name: 'Jumlah pengguna' }));
    for (const [label, count] of [
      ['Total Pengguna', '3'],
      ['Pengguna Aktif', '2'],
      ['Nonaktif', '1'],
      ['Admin', '1'],
    ] as const) {
      expect((await counts.findByRole('button', { name: `${label} ${count}` })).textContent).toBe(`${label} ${count}`);
    }
    expect(screen.getByRole('link', { name: 'Siti Aminah' }).getAttribute('href')).toBe('/admin/users/u1');
    const row = (name: string) => within(screen.getByText(name).closest('li') ?? document.body);
    expect(row('Siti Aminah').getByText('User')).toBeTruthy();
    expect(row('Siti Aminah').getByText('Aktif')).toBeTruthy();
    expect(row('Budi Santoso').getByText('Nonaktif')).toBeTruthy();
    expect(row('Budi Santoso').getByRole('button', { name: 'Edit Budi Santoso' })).toBeTruthy();
    expect(row('Budi Santoso').getByRole('button', { name: 'Hapus (Delete) Budi Santoso' })).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('offers cards to the chosen users, and says that admins have none', async () => {
    const { user } = open();
    await screen.findByText('Siti Aminah');
    expect(screen.queryByRole('button', { name: 'Cetak kartu' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }));
    await user.click(button('Cetak kartu'));
    const box = within(await dialog('Kartu warga'));
    expect(box.getByText('1 pilihan tanpa kartu. Kartu hanya untuk warga.')).toBeTruthy();
    expect(box.getByRole('button', { name: 'Buat 2 kartu' })).toBeTruthy();
  });

  it('shows an account without an e-mail address by its number, and resets no password of it', async () => {
    serveUsers([buildUser({ name: 'Mbah Karto', email: 'w-48217735@tanpa-email.invalid', has_email: false })]);
    const { user } = open();
    await screen.findByText('Tanpa email · no. 4821-7735');
    await user.click(button('Tindakan lain untuk Mbah Karto'));
    await screen.findByRole('menuitem', { name: 'Buka halaman user' });
    expect(screen.queryByRole('menuitem', { name: /^Atur ulang password/ })).toBeNull();
    expect(document.body.textContent).not.toContain('tanpa-email');
  });

  it('shows a table on wide screens', async () => {
    screenWidth.wide = true;
    open();
    const table = await screen.findByRole('table');
    const heads = within(table).getAllByRole('columnheader');
    // The first one holds the choice of the whole page.
    expect(heads.map((cell) => cell.textContent).slice(1)).toEqual([
      'Nama',
      'Email',
      'Peran',
      'Status',
      'Terdaftar',
      'Aksi',
    ]);
    expect(within(table).getAllByRole('row')).toHaveLength(4);
  });

  it('filters by the pressed counter and keeps the search and the page size', async () => {
    const { user, router } = open('?cari=s&per_halaman=50&halaman=1&status=nonaktif');
    await screen.findByText('Siti Aminah');
    expect(listCalls()[0]?.query['limit']).toBe('50');
    await user.click(await screen.findByRole('button', { name: 'Admin 1' }));
    expect(screen.getByRole('button', { name: 'Admin 1' }).getAttribute('aria-pressed')).toBe('true');
    await waitFor(() => expect(listCalls().at(-1)?.query).toMatchObject({ search: 's', is_admin: '1', limit: '50' }));
    expect(listCalls().at(-1)?.query['is_active']).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Pengguna Aktif 2' }));
    expect(router.state.location.search).toBe('?cari=s&status=aktif&per_halaman=50');
    await user.click(screen.getByRole('button', { name: 'Total Pengguna 3' }));
    expect(router.state.location.search).toBe('?cari=s&per_halaman=50');
  });

  it('loads the filter and page of the address, and another page on request', async () => {
    serveUsers([siti], 71);
    const { user, router } = open('?cari=siti&peran=user&status=aktif&halaman=2');
    await screen.findByText('Siti Aminah');
    const query = { search: 'siti', is_admin: '0', is_active: '1', limit: '25' };
    expect(listCalls()[0]?.query).toEqual({ ...query, page: '2' });
    await user.click(button('Berikutnya (Next)'));
    await waitFor(() => expect(listCalls().at(-1)?.query).toEqual({ ...query, page: '3' }));
    // The counters are the only filters of role and status.
    expect(screen.queryByRole('combobox', { name: /Peran|Status/ })).toBeNull();
    await user.click(button(/^Admin/));
    await waitFor(() => expect(router.state.location.search).toBe('?cari=siti&peran=admin'));
    await user.click(button(/^Nonaktif/));
    await waitFor(() => expect(router.state.location.search).toBe('?cari=siti&status=nonaktif'));
  });

  it('searches for what is typed, and focuses the search on a slash', async () => {
    const { user, router } = open('?status=aktif');
    await screen.findByText('Siti Aminah');
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Cari' }));
    await user.paste('budi');
    await waitFor(() => expect(router.state.location.search).toBe('?cari=budi&status=aktif'));
    await waitFor(() => expect(listCalls().map(({ query }) => query['search'])).toEqual([undefined, 'budi']));
  });

  it('says when there are no users, and when none match', async () => {
    serveUsers([]);
    open();
    await screen.findByText('Belum ada pengguna');
  });

  it('offers to clear the filter when no users match', async () => {
    serveUsers([]);
    const { user, router } = open('?cari=x');
    await screen.findByText('Tidak ada pengguna yang cocok');
    await user.click(button('Tampilkan semua'));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('shows an error when the users cannot be loaded, and retries', async () => {
    server.on(LIST, failAnswer(500));
    const { user } = open();
    await screen.findByText('Gagal memuat users');
    serveUsers([siti]);
    await user.click(button('Coba lagi'));
    await screen.findByText('Siti Aminah');
  });
});

/** Opens the menu of rare acts of a row. */
async function openMenu(user: ReturnType<typeof open>['user'], name: string) {
  await user.click(button(`Tindakan lain untuk ${name}`));
  return screen.findByRole('menuitem', { name: new RegExp(`^(Nona|A)ktifkan ${name}`, 'i') });
}

describe('resetting a password', () => {
  it('stands in the menu of each row but the own one, and opens the dialog for that account', async () => {
    const { user } = open();
    await screen.findByText('Siti Aminah');
    await user.click(button('Tindakan lain untuk Ratna Dewi'));
    const own = await screen.findByRole('menuitem', { name: 'Atur ulang password Ratna Dewi' });
    expect(own.getAttribute('aria-disabled')).toBe('true');
    await user.click(own);
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('{Escape}');
    await user.click(button('Tindakan lain untuk Siti Aminah'));
    await user.click(await screen.findByRole('menuitem', { name: 'Atur ulang password Siti Aminah' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('Siti Aminah');
  });
});

describe('deleting a user', () => {
  it('asks with the required text, deletes the user and loads the list again', async () => {
    server.on('DELETE /api/admin/users/u1', okAnswer({}));
    const { user } = open();
    await screen.findByText('Siti Aminah');
    await user.click(button('Hapus (Delete) Siti Aminah'));
    const question = within(await dialog('Hapus Pengguna'));
    expect(
      question.getByText('Apakah Anda yakin ingin menghapus pengguna ini? Tindakan ini tidak dapat dibatalkan.'),
    ).toBeTruthy();
    expect(server.callsOf('DELETE /api/admin/users/u1')).toHaveLength(0);
    serveUsers([ratna, budi]);
    await user.click(question.getByRole('button', { name: 'Hapus' }));
    await screen.findByText('User berhasil dihapus');
    await waitFor(() => expect(screen.queryByText('Siti Aminah')).toBeNull());
    expect(document.activeElement?.textContent).toBe('Kelola Users');
  });

  it('shows why the server rejected the deletion', async () => {
    server.on('DELETE /api/admin/users/u1', failAnswer(409, errorTexts.lastAdmin));
    const { user } = open();
    await screen.findByText('Siti Aminah');
    await user.click(button('Hapus (Delete) Siti Aminah'));
    await user.click(within(await dialog('Hapus Pengguna')).getByRole('button', { name: 'Hapus' }));
    await screen.findByText(errorTexts.lastAdmin);
  });
});

describe('activating a user', () => {
  it('activates at once, and deactivates after a question', async () => {
    server.on('PUT /api/admin/users/u2/toggle-status', okAnswer({ ...budi, is_active: true }));
    server.on('PUT /api/admin/users/u1/toggle-status', okAnswer({ ...siti, is_active: false }));
    const { user } = open();
    await screen.findByText('Siti Aminah');
    await user.click(await openMenu(user, 'Budi Santoso'));
    await screen.findByText('User berhasil diperbarui');
    expect(server.callsOf('PUT /api/admin/users/u2/toggle-status')).toHaveLength(1);
    await user.click(await openMenu(user, 'Siti Aminah'));
    const question = within(await dialog('Nonaktifkan Pengguna'));
    await user.click(question.getByRole('button', { name: 'Nonaktifkan' }));
    await waitFor(() => expect(server.callsOf('PUT /api/admin/users/u1/toggle-status')).toHaveLength(1));
  });

  it('warns when another admin has changed the status first', async () => {
    server.on('PUT /api/admin/users/u2/toggle-status', okAnswer(budi));
    const { user } = open();
    await screen.findByText('Budi Santoso');
    await user.click(await openMenu(user, 'Budi Santoso'));
    await screen.findByText('Status Budi Santoso baru saja diubah admin lain. Sekarang: Nonaktif.');
  });
});

describe('the account of another administrator', () => {
  const dewi = buildUser({ id: 'a2', name: 'Dewi', email: 'dewi@kantor.id', is_admin: true });
  const REMOVE = 'DELETE /api/admin/users/a2';
  const TOGGLE = 'PUT /api/admin/users/a2/toggle-status';
  const wrong = failAnswer(422, 'Password salah', { current_password: ['Password salah'] });

  async function ask(
    account: UserAnswer,
    press: (user: ReturnType<typeof open>['user']) => Promise<void>,
    title: string,
  ) {
    serveUsers([ratna, account]);
    const { user } = open();
    await screen.findByText(account.name);
    await press(user);
    const box = within(await dialog(title));
    return { user, box, field: box.getByLabelText<HTMLInputElement>(/^Password Anda/) };
  }
  const pressDelete = (user: ReturnType<typeof open>['user']) => user.click(button('Hapus (Delete) Dewi'));
  const pressToggle = async (user: ReturnType<typeof open>['user']) => user.click(await openMenu(user, 'Dewi'));

  it('asks for the own password before it deletes, and shows a wrong one at its field', async () => {
    server.on(REMOVE, wrong);
    const { user, box, field } = await ask(dewi, pressDelete, 'Hapus Pengguna');
    expect(field.autocomplete).toBe('current-password');
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.click(box.getByRole('button', { name: 'Hapus' }));
    await box.findByText('Masukkan password Anda');
    expect(server.callsOf(REMOVE)).toEqual([]);
    await user.type(field, 'salah{Enter}');
    await box.findByText('Password salah');
    server.on(REMOVE, okAnswer({}));
    serveUsers([ratna]);
    await user.clear(field);
    await user.type(field, 'rahasia-saya{Enter}');
    await screen.findByText('User berhasil dihapus');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(REMOVE).map(({ body }) => body)).toEqual([
      { current_password: 'salah' },
      { current_password: 'rahasia-saya' },
    ]);
  });

  it('asks for the own password before it deactivates, and reports too many wrong ones in the dialog', async () => {
    server.on(TOGGLE, failAnswer(429, 'Terlalu banyak percobaan. Coba lagi dalam 900 detik.'));
    const { user, box, field } = await ask(dewi, pressToggle, 'Nonaktifkan Pengguna');
    await user.type(field, 'rahasia-saya{Enter}');
    await box.findByText('Terlalu banyak percobaan. Coba lagi dalam 900 detik.');
    server.on(TOGGLE, okAnswer({ ...dewi, is_active: false }));
    await user.click(box.getByRole('button', { name: 'Nonaktifkan' }));
    await screen.findByText('User berhasil diperbarui');
  });

  it('asks for the own password before it activates, and keeps the account when the question is declined', async () => {
    const { user, box } = await ask({ ...dewi, is_active: false }, pressToggle, 'Aktifkan Pengguna');
    await user.click(box.getByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf(TOGGLE)).toEqual([]);
  });

  it('asks also when only the server knows that the account is an administrator', async () => {
    server.on('DELETE /api/admin/users/u1', failAnswer(422, 'Masukkan password', { current_password: ['x'] }));
    const { user } = open();
    await screen.findByText('Siti Aminah');
    await user.click(button('Hapus (Delete) Siti Aminah'));
    await user.click(within(await dialog('Hapus Pengguna')).getByRole('button', { name: 'Hapus' }));
    const field = await screen.findByLabelText(/^Password Anda/);
    server.on('DELETE /api/admin/users/u1', okAnswer({}));
    await user.type(field, 'rahasia-saya{Enter}');
    await screen.findByText('User berhasil dihapus');
    expect(server.callsOf('DELETE /api/admin/users/u1').map(({ body }) => body)).toEqual([
      {},
      { current_password: 'rahasia-saya' },
    ]);
  });

  it('closes the question when the account is gone meanwhile', async () => {
    server.on(REMOVE, failAnswer(404, errorTexts.userMissing));
    const { user, field } = await ask(dewi, pressDelete, 'Hapus Pengguna');
    await user.type(field, 'rahasia-saya{Enter}');
    await screen.findByText(errorTexts.userMissing);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

it('does not deactivate or delete the own account and shows the reason', async () => {
  const { user } = open();
  await screen.findByText('Ratna Dewi');
  const expectProtected = async (control: HTMLElement) => {
    expect(control.getAttribute('aria-disabled')).toBe('true');
    expect(control.getAttribute('aria-description')).toBe(errorTexts.ownAccount);
    await user.click(control);
  };
  await expectProtected(button('Hapus (Delete) Ratna Dewi'));
  await expectProtected(await openMenu(user, 'Ratna Dewi'));
  expect(screen.getByText(`${errorTexts.ownAccount}.`)).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});
