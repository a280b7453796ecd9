import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { suggestPassword } from './suggest-password.ts';
import { buildUser } from '../testing/build-user.ts';
import { UsersPage } from '../list/users-page.tsx';

const RESET = 'PUT /api/admin/users/u1/password';

const ratna = buildUser({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
const siti = buildUser({ id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id' });

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  server.on('GET /api/admin/users', okListAnswer([ratna, siti]));
  server.on(RESET, okAnswer({}));
});

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const names = () => screen.getAllByRole('dialog').map((box) => within(box).getByRole('heading').textContent);
const sent = () => server.callsOf(RESET).map(({ body }) => body);

async function openEdit(userName: string) {
  const { user } = renderPage(<UsersPage />, { path: '/admin/users', at: '/admin/users' });
  await screen.findByText(userName);
  await user.click(screen.getByRole('button', { name: `Edit ${userName}` }));
  return { user, edit: await dialog('Edit Pengguna') };
}

async function openReset() {
  const { user, edit } = await openEdit('Siti Aminah');
  await user.click(edit.getByRole('button', { name: 'Atur ulang password' }));
  const box = await dialog('Atur Ulang Password');
  const press = () => user.click(box.getByRole('button', { name: 'Ganti password' }));
  const type = async (password: string) => {
    await user.click(box.getByRole('radio', { name: 'Ketik sendiri' }));
    if (password) await user.type(box.getByLabelText(/^Ketik password baru/), password);
  };
  const answer = async (name: string) => user.click((await dialog('Ganti password?')).getByRole('button', { name }));
  return { user, edit, box, press, type, answer };
}

it('offers a password reset below the edit form, which keeps its fields and buttons', async () => {
  const { edit } = await openEdit('Siti Aminah');
  const buttons = edit.getAllByRole('button').map((button) => button.textContent);
  expect(buttons.slice(-3)).toEqual(['Batal', 'Update', 'Atur ulang password']);
  expect(edit.getByText('Lupa password?')).toBeTruthy();
});

it('links to the account page for the own password', async () => {
  const { edit } = await openEdit('Ratna Dewi');
  expect(edit.queryByRole('button', { name: 'Atur ulang password' })).toBeNull();
  expect(edit.getByRole('link', { name: 'Akun Saya' }).getAttribute('href')).toBe('/admin/account');
});

describe('suggested password', () => {
  it('stores the suggestion after a question and shows it until the dialog is closed', async () => {
    const { user, edit, box, press, answer } = await openReset();
    await user.type(edit.getByRole('textbox', { name: 'Nama', hidden: true }), '!');
    const first = box.getByLabelText('Password baru', { selector: 'code' }).textContent;
    await user.click(box.getByRole('button', { name: 'Saran lain' }));
    const shown = box.getByLabelText('Password baru', { selector: 'code' }).textContent;
    expect(shown).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    expect(shown).not.toBe(first);
    await press();
    expect((await dialog('Ganti password?')).getByText(/^Semua sesi Siti Aminah akan berakhir/)).toBeTruthy();
    expect(sent()).toEqual([]);
    await answer('Ganti password');
    await screen.findByText('Password Siti Aminah sudah diganti');
    expect(sent()).toEqual([{ password: shown, must_change: true }]);
    expect(box.getByText(shown)).toBeTruthy();
    const done = box.getByRole('button', { name: 'Selesai' });
    await waitFor(() => expect(document.activeElement).toBe(done));
    await user.click(done);
    await waitFor(() => expect(names()).toEqual(['Edit Pengguna']));
    // The input of the form behind the dialog is kept.
    expect(edit.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).value).toBe('Siti Aminah!');
    await user.click(edit.getByRole('button', { name: 'Atur ulang password' }));
    expect((await dialog('Atur Ulang Password')).queryByText(shown)).toBeNull();
  });

  it('copies the suggestion on plain http too, and removes the result text with it', async () => {
    const { user, box } = await openReset();
    const copy = vi.fn(() => true);
    Object.defineProperty(document, 'execCommand', { value: copy, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'));
    vi.stubGlobal('isSecureContext', false);
    await user.click(box.getByRole('button', { name: 'Salin password' }));
    expect(await box.findByText('Password disalin.')).toBeTruthy();
    expect(copy).toHaveBeenCalledWith('copy');
    expect(window.getSelection()?.toString()).toBe(
      box.getByLabelText('Password baru', { selector: 'code' }).textContent,
    );
    await user.click(box.getByRole('button', { name: 'Saran lain' }));
    expect(box.queryByText('Password disalin.')).toBeNull();
    copy.mockReturnValue(false);
    await user.click(box.getByRole('button', { name: 'Salin password' }));
    expect(await box.findByText(/Password sudah dipilih\. Tekan Ctrl\+C/)).toBeTruthy();
  });

  it('suggests no letters that look alike and another password each time', () => {
    const made = Array.from({ length: 300 }, suggestPassword);
    expect(new Set(made).size).toBe(300);
    expect(new Set(made.join('').replaceAll('-', ''))).toEqual(new Set('abcdefghjkmnpqrstuvwxyz23456789'));
  });
});

describe('typed password', () => {
  it('can be shown, is stored as typed, and closes the dialog', async () => {
    const { user, box, type, answer } = await openReset();
    await type(' enam ');
    const field = box.getByLabelText<HTMLInputElement>(/^Ketik password baru/);
    expect(field.type).toBe('password');
    await user.click(box.getByRole('button', { name: /^Tampilkan/ }));
    expect(field.type).toBe('text');
    await user.click(box.getByRole('checkbox', { name: 'Harus diganti saat masuk' }));
    await user.type(field, '{Enter}');
    await answer('Ganti password');
    await screen.findByText('Password Siti Aminah sudah diganti');
    await waitFor(() => expect(names()).toEqual(['Edit Pengguna']));
    expect(sent()).toEqual([{ password: ' enam ', must_change: false }]);
  });

  it('shows an error at its field when it is missing or too short, without a question', async () => {
    const { box, user, press, type } = await openReset();
    await type('');
    await press();
    expect(await box.findByText('Password wajib diisi')).toBeTruthy();
    await user.type(box.getByLabelText(/^Ketik password baru/), 'abcde');
    await press();
    expect(await box.findByText('Password minimal 6 karakter')).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Ganti password?' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(box.getByLabelText(/^Ketik password baru/)));
    expect(sent()).toEqual([]);
  });
});

describe('the password of another administrator', () => {
  const dewi = buildUser({ id: 'u1', name: 'Siti Aminah', email: 'siti@kantor.id', is_admin: true });

  it('needs the own password, and a wrong one is shown at its field', async () => {
    server.on('GET /api/admin/users', okListAnswer([ratna, dewi]));
    server.on(RESET, failAnswer(422, 'Password salah', { current_password: ['Password salah'] }));
    const { user, box, press, answer } = await openReset();
    await press();
    await box.findByText('Masukkan password Anda');
    expect(screen.queryByRole('dialog', { name: 'Ganti password?' })).toBeNull();
    const field = box.getByLabelText<HTMLInputElement>(/^Password Anda/);
    await user.type(field, 'salah');
    await press();
    await answer('Ganti password');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    server.on(RESET, okAnswer({}));
    await user.clear(field);
    await user.type(field, 'rahasia-saya{Enter}');
    await answer('Ganti password');
    await screen.findByText('Password Siti Aminah sudah diganti');
    const [wrong, right] = sent();
    expect(right).toEqual({ ...(wrong as object), current_password: 'rahasia-saya' });
  });
});

describe('errors of a password reset', () => {
  it('asks for the own password when only the server knows that the account was an administrator of late', async () => {
    server.on(RESET, failAnswer(422, ownPasswordTexts.missing, { current_password: [ownPasswordTexts.missing] }));
    const { user, box, press, answer } = await openReset();
    await press();
    await answer('Ganti password');
    await box.findByText('Masukkan password Anda');
    server.on(RESET, okAnswer({}));
    await user.type(box.getByLabelText(/^Password Anda/), 'rahasia-saya{Enter}');
    await answer('Ganti password');
    await screen.findByText('Password Siti Aminah sudah diganti');
    expect(sent().at(-1)).toMatchObject({ current_password: 'rahasia-saya' });
  });

  it('sends nothing and keeps the dialog when the question is declined; Escape closes one dialog at a time', async () => {
    const { user, box, press, answer } = await openReset();
    await press();
    await answer('Batal');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Ganti password?' })).toBeNull());
    expect(box.getByRole('button', { name: 'Ganti password' })).toBeTruthy();
    await press();
    await dialog('Ganti password?');
    for (const left of [['Edit Pengguna', 'Atur Ulang Password'], ['Edit Pengguna']]) {
      await user.keyboard('{Escape}');
      await waitFor(() => expect(names()).toEqual(left));
    }
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([]);
  });

  it('shows a lost connection in the dialog, and the same password can be sent again', async () => {
    server.on(RESET, networkError);
    const { box, press, answer } = await openReset();
    await press();
    await answer('Ganti password');
    expect(await box.findByText('Gagal mengganti password')).toBeTruthy();
    expect(box.getByText(/^Tidak dapat terhubung ke server/)).toBeTruthy();
    server.on(RESET, okAnswer({}));
    await press();
    await answer('Ganti password');
    await screen.findByText('Password Siti Aminah sudah diganti');
    const [first, second] = sent();
    expect(second).toEqual(first);
  });

  it('shows an error of the server at the field', async () => {
    server.on(RESET, failAnswer(422, fieldTexts.passwordMin6, { password: [fieldTexts.passwordMin6] }));
    const { box, press, type, answer } = await openReset();
    await type('cukup-panjang');
    await press();
    await answer('Ganti password');
    const field = box.getByLabelText<HTMLInputElement>(/^Ketik password baru/);
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(field.value).toBe('cukup-panjang');
  });

  it('closes both dialogs and loads the list again when the account no longer exists', async () => {
    server.on(RESET, failAnswer(404, errorTexts.userMissing));
    const { press, answer } = await openReset();
    server.on('GET /api/admin/users', okListAnswer([ratna]));
    await press();
    await answer('Ganti password');
    await screen.findByText('User tidak ditemukan');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.queryByText('Siti Aminah')).toBeNull());
  });

  it('keeps the dialog open until the answer comes, because it may have a password to show', async () => {
    let arrive = () => {};
    server.on(RESET, () => new Promise((resolve) => (arrive = () => resolve(okAnswer({})))));
    const { user, box, press, answer } = await openReset();
    await press();
    await answer('Ganti password');
    await waitFor(() => expect(sent()).toHaveLength(1));
    await user.keyboard('{Escape}');
    await user.click(box.getByRole('button', { name: 'Batal (Cancel)' }));
    arrive();
    expect(await box.findByRole('button', { name: 'Selesai' })).toBeTruthy();
  });
});
