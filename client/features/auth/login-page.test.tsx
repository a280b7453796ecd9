import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { beginLogout, currentSession, expireSession, finishLogout, openSession } from '#client/lib/session/session.ts';
import { storeOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { renderPage } from '#client/testing/render.tsx';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { accessTexts } from '#shared/texts.ts';
import { LoginPage } from './login-page.tsx';

const LOGIN = 'POST /api/auth/login';
const siti = { id: 'u1', name: 'Siti', email: 'siti@contoh.id', is_admin: false };

function type(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

async function submitLogin(email = 'siti@contoh.id', password = 'rahasia') {
  type('Email', email);
  type('Password', password);
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Masuk (Login)' }));
  });
}

const open = () => renderPage(<LoginPage />, { path: '/login' });

it('shows the required text for each missing or invalid field, and sends nothing', async () => {
  const server = fakeServer();
  open();
  await submitLogin('', '');
  expect(screen.getByText('Email wajib diisi')).toBeTruthy();
  expect(screen.getByText('Password wajib diisi')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')));
  await submitLogin('siti', 'x');
  expect(screen.getByText('Email harus valid')).toBeTruthy();
  expect(server.callsOf('POST /api/auth/login')).toEqual([]);
});

it('offers the way in by card once a card exists', async () => {
  fakeServer().on('GET /api/auth/card', okAnswer({ in_use: true }));
  open();
  const link = await screen.findByRole('link', { name: 'Masuk dengan kartu warga' });
  expect(link.getAttribute('href')).toBe('/masuk');
});

const office: OfficeIdentity = {
  name: 'Kantor Desa Sukamaju',
  address: '',
  phone: '(022) 123-4567',
  whatsapp: '0812-3456',
  logo_url: '/uploads/logo/a.png',
};

it('shows name and logo of the office as this browser last knew them, without any call', () => {
  const server = fakeServer();
  storeOfficeIdentity(office);
  const { container } = open();
  expect(screen.getByText('Kantor Desa Sukamaju')).toBeTruthy();
  expect(container.querySelector('main img[src$="/uploads/logo/a.png"]')).toBeTruthy();
  expect(server.calls).toEqual([]);
});

it('leaves no empty place for an office without a name', () => {
  fakeServer();
  const { container } = open();
  expect(container.querySelector('h1')?.previousElementSibling).toBeNull();
});

it('tells a blocked account and who forgot the password the numbers of the office', async () => {
  storeOfficeIdentity(office);
  const server = fakeServer();
  server.on(LOGIN, failAnswer(403, 'Akun Anda tidak aktif. Silakan hubungi administrator.'));
  const { user } = open();
  expect(screen.queryByRole('link', { name: '(022) 123-4567' })).toBeNull();
  await submitLogin();
  expect(screen.getByRole('link', { name: '(022) 123-4567' }).getAttribute('href')).toBe('tel:0221234567');
  expect(screen.getByRole('link', { name: '0812-3456' }).getAttribute('href')).toBe('https://wa.me/628123456');
  server.on(LOGIN, failAnswer(401, 'Email atau password salah'));
  await submitLogin();
  expect(screen.queryByRole('link', { name: '(022) 123-4567' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Lupa password?' }));
  expect(await screen.findByRole('link', { name: '(022) 123-4567' })).toBeTruthy();
});

it.each([
  [false, '/dashboard'],
  [true, '/admin/dashboard'],
])('shows the success for two seconds and then redirects (admin: %s)', async (isAdmin, target) => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.on(LOGIN, okAnswer({ token: 'abc', user: { ...siti, is_admin: isAdmin } }));
  open();
  await submitLogin();
  expect(server.callsOf(LOGIN)[0]?.body).toEqual({ email: 'siti@contoh.id', password: 'rahasia' });
  const overlay = screen.getByRole('alertdialog', { name: 'Login Berhasil!' });
  expect(overlay.textContent).toContain('Mohon tunggu sebentar...');
  expect(window.localStorage.getItem('token')).toBe('abc');
  await act(() => vi.advanceTimersByTimeAsync(1999));
  expect(screen.queryByTestId('elsewhere')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.getByTestId('elsewhere').textContent).toBe(target);
});

it('leaves only when it knows whether a new password must come first', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.on(LOGIN, okAnswer({ token: 'abc', user: siti }));
  let arrive = () => {};
  const answer = okAnswer({ ...siti, must_change_password: true });
  server.on('GET /api/auth/user', () => new Promise((resolve) => (arrive = () => resolve(answer))));
  open();
  await submitLogin();
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(screen.queryByTestId('elsewhere')).toBeNull();
  arrive();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByTestId('elsewhere').textContent).toBe('/dashboard');
  expect(currentSession()?.user?.must_change_password).toBe(true);
});

it.each([
  ['the server’s message', failAnswer(401, 'Email atau password salah'), 'Email atau password salah'],
  [
    'validation lists joined with commas',
    failAnswer(422, 'x', { email: ['Email harus valid'], password: ['Salah'] }),
    'Email harus valid, Salah',
  ],
  ['a rejection without a message', failAnswer(401), 'Login gagal'],
  ['an answer of a broken server', { status: 502, body: '<html>' }, 'Terjadi kesalahan saat login. Silakan coba lagi.'],
])('shows %s and keeps the input', async (_name, answer, text) => {
  fakeServer().on(LOGIN, answer);
  open();
  await submitLogin();
  expect(screen.getByRole('alert').textContent).toBe(text);
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('siti@contoh.id');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('rahasia');
  expect(currentSession()).toBeNull();
});

describe('a forgotten password', () => {
  const HOURS = 'GET /api/office/public';
  const closeTimes = ['15:00', '15:00', '15:00', '15:00', '11:30', null, null];
  const days = closeTimes.map((close, index) => ({ weekday: index + 1, open: close === null ? null : '08:00', close }));
  const serveHours = (answer: Parameters<ReturnType<typeof fakeServer>['on']>[1]) => {
    const server = fakeServer();
    server.on(HOURS, answer);
    return server;
  };
  const closed = { open: false, until: null, opens_at: null, days };
  const ASK = 'POST /api/auth/recovery';
  const identifier = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email, nomor HP, atau kode kartu' });
  const region = () => screen.findByRole('region', { name: 'Lupa password' });

  it('asks the office for a code in one field that is ready to type, and shows its hours', async () => {
    const server = serveHours(okAnswer(closed));
    server.on(ASK, okAnswer({}));
    const { user } = open();
    expect(server.calls).toEqual([]);
    const button = screen.getByRole('button', { name: 'Lupa password?' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    button.focus();
    await user.keyboard('{Enter}');
    const help = await region();
    expect(button.getAttribute('aria-expanded')).toBe('true');
    await waitFor(() => expect(document.activeElement).toBe(identifier()));
    await screen.findByText('Jam layanan kantor: Senin–Kamis 08.00–15.00, Jumat 08.00–11.30.');
    expect(screen.getByText('Sekarang tutup.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sudah punya kode?' }).getAttribute('href')).toBe('/pulih');
    await user.keyboard('0812-3456-7890{Enter}');
    await screen.findByText(accessTexts.asked);
    expect(server.callsOf(ASK).map(({ body }) => body)).toEqual([{ identifier: '0812-3456-7890' }]);
    await waitFor(() => expect(document.activeElement).toBe(help));
    expect(screen.getByRole('link', { name: 'Sudah punya kode?' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Salah ketik? Minta lagi' }));
    expect(identifier().value).toBe('0812-3456-7890');
    await user.click(button);
    expect(screen.queryByRole('region', { name: 'Lupa password' })).toBeNull();
  });

  it.each([
    [
      'too many requests',
      failAnswer(429, 'Terlalu banyak percobaan. Coba lagi dalam 3600 detik.'),
      'Terlalu banyak percobaan. Coba lagi dalam 3600 detik.',
    ],
    ['a lost connection', networkError, /^Tidak dapat terhubung ke server/],
    ['a missing answer', failAnswer(500), 'Permintaan belum terkirim'],
  ])('says in place what to do after %s, and keeps what was typed', async (_name, answer, text) => {
    const server = serveHours(okAnswer(closed));
    server.on(ASK, answer);
    const { user } = open();
    type('Email', ' siti@contoh.id');
    await user.click(screen.getByRole('button', { name: 'Lupa password?' }));
    const help = within(await region());
    // The address of the login is there already.
    expect(identifier().value).toBe('siti@contoh.id');
    await user.click(help.getByRole('button', { name: 'Minta kode' }));
    expect(await help.findByText(text)).toBeTruthy();
    expect(identifier().value).toBe('siti@contoh.id');
  });

  it('asks for something to know the account by', async () => {
    const server = serveHours(okAnswer(closed));
    const { user } = open();
    await user.click(screen.getByRole('button', { name: 'Lupa password?' }));
    await region();
    await user.click(screen.getByRole('button', { name: 'Minta kode' }));
    expect(await screen.findByText(accessTexts.identifierRequired)).toBeTruthy();
    expect(server.callsOf(ASK)).toEqual([]);
  });

  it.each([
    ['no hours were set', okAnswer({ open: true, until: null, opens_at: null, days: null })],
    ['the hours cannot be read', failAnswer(429, 'Terlalu banyak percobaan. Coba lagi dalam 60 detik.')],
  ])('says what to do without hours when %s', async (_name, answer) => {
    const server = serveHours(answer);
    const { user } = open();
    await user.click(screen.getByRole('button', { name: 'Lupa password?' }));
    const help = await region();
    await waitFor(() => expect(server.callsOf(HOURS)).toHaveLength(1));
    expect(identifier()).toBeTruthy();
    expect(help.textContent).not.toMatch(/Jam layanan|Sekarang/);
  });

  it.each([
    ['a wrong password', failAnswer(401, 'Email atau password salah')],
    ['too many wrong ones', failAnswer(429, 'Terlalu banyak percobaan. Coba lagi dalam 900 detik.')],
  ])('offers the help after %s', async (_name, answer) => {
    serveHours(okAnswer(closed)).on(LOGIN, answer);
    const { user } = open();
    expect(screen.queryByRole('button', { name: 'Lupa password? Lihat caranya' })).toBeNull();
    await submitLogin();
    await user.click(screen.getByRole('button', { name: 'Lupa password? Lihat caranya' }));
    await region();
    expect(screen.queryByRole('button', { name: 'Lupa password? Lihat caranya' })).toBeNull();
  });

  it('offers no help after another failure', async () => {
    fakeServer().on(LOGIN, failAnswer(403, 'Akun Anda tidak aktif. Silakan hubungi administrator.'));
    open();
    await submitLogin();
    await screen.findByRole('alert');
    expect(screen.queryByRole('button', { name: 'Lupa password? Lihat caranya' })).toBeNull();
  });
});

it('says what to do when the connection is lost', async () => {
  fakeServer().on(LOGIN, networkError);
  open();
  await submitLogin();
  expect(screen.getByText('Terjadi kesalahan saat login. Silakan coba lagi.')).toBeTruthy();
  expect(screen.getByText('Tidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.')).toBeTruthy();
});

it('sends one call, however often the button is clicked', async () => {
  const server = fakeServer();
  server.on(LOGIN, neverAnswer);
  const { container } = open();
  await submitLogin();
  const form = container.querySelector('form');
  await act(async () => {
    if (form) fireEvent.submit(form);
    fireEvent.click(screen.getByRole('button', { name: 'Memeriksa...' }));
  });
  expect(server.callsOf(LOGIN)).toHaveLength(1);
});

it('shows and hides the password with the button', async () => {
  fakeServer();
  const { user } = open();
  const password = screen.getByLabelText<HTMLInputElement>('Password');
  expect(password.type).toBe('password');
  await user.click(screen.getByRole('button', { name: 'Tampilkan password (Show)' }));
  expect(password.type).toBe('text');
  await user.click(screen.getByRole('button', { name: 'Sembunyikan password (Hide)' }));
  expect(password.type).toBe('password');
});

it.each([
  ['redirects the same user to the page on which it ended', 'siti@contoh.id', '/tax-records?page=2'],
  ['redirects another user to the dashboard', 'budi@contoh.id', '/dashboard'],
])('after the server ended a session, shows the reason and %s', async (_name, email, target) => {
  vi.useFakeTimers();
  fakeServer().on(LOGIN, okAnswer({ token: 'new', user: { ...siti, email } }));
  openSession('old', siti);
  window.history.replaceState(null, '', '/tax-records?page=2');
  expireSession('old');
  window.history.replaceState(null, '', '/');
  open();
  expect(screen.getByRole('alert').textContent).toBe('Sesi Anda telah berakhir. Silakan login kembali.');
  await submitLogin(email);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(screen.getByTestId('elsewhere').textContent).toBe(target);
});

it('sends the device token of an account at the next login, also after a logout, and with no other account', async () => {
  const server = fakeServer();
  server.on(LOGIN, okAnswer({ token: 'abc', user: siti, device_token: 'device-1' }));
  const first = open();
  await submitLogin('siti@contoh.id');
  first.unmount();
  finishLogout(beginLogout());
  expect(currentSession()).toBeNull();
  const second = open();
  await submitLogin('budi@contoh.id');
  second.unmount();
  finishLogout(beginLogout());
  open();
  await submitLogin('SITI@contoh.id');
  expect(server.callsOf(LOGIN).map(({ body }) => body)).toEqual([
    { email: 'siti@contoh.id', password: 'rahasia' },
    { email: 'budi@contoh.id', password: 'rahasia' },
    { email: 'SITI@contoh.id', password: 'rahasia', device_token: 'device-1' },
  ]);
  finishLogout(beginLogout());
  expect(JSON.stringify(window.localStorage)).not.toContain('siti@contoh.id');
});
