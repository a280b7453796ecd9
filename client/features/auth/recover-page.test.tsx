import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { currentSession } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { accessTexts } from '#shared/texts.ts';
import bootScript from '../../public/boot.js?raw';
import { RecoverPage } from './recover-page.tsx';

const COMPLETE = 'POST /api/auth/recovery/complete';
const siti = { id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id', is_admin: false };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
  server.on(COMPLETE, okAnswer({ token: 'new', user: siti, device_token: 'device-1' }));
});

const holder = globalThis as { pbbCode?: string | undefined };
afterEach(() => {
  delete holder.pbbCode;
});

const open = () => renderPage(<RecoverPage />, { path: '/pulih' });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const paste = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });

async function fill(user: ReturnType<typeof open>['user'], code: string, again = 'rahasia-baru') {
  paste('Kode dari kantor', code);
  paste('Password baru', 'rahasia-baru');
  paste('Konfirmasi password baru', again);
  await user.click(screen.getByRole('button', { name: 'Simpan dan masuk' }));
}

it('enters with a code as it was typed, as a login does', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user, router } = open();
  await fill(user, 'k7m2 9qxa');
  await screen.findByRole('alertdialog', { name: 'Password baru tersimpan' });
  expect(server.callsOf(COMPLETE).map(({ body }) => body)).toEqual([
    { code: 'k7m2 9qxa', password: 'rahasia-baru', password_confirmation: 'rahasia-baru' },
  ]);
  expect(currentSession()?.token).toBe('new');
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(router.state.location.pathname).toBe('/dashboard');
});

it('shows the code of the address once, and that of another address that is opened here', async () => {
  holder.pbbCode = 'k7m29qxa';
  open();
  expect(field('Kode dari kantor').value).toBe('K7M2-9QXA');
  expect(holder.pbbCode).toBeUndefined();
  holder.pbbCode = 'HHHH-7777';
  act(() => void window.dispatchEvent(new Event('pbb-code')));
  await waitFor(() => expect(field('Kode dari kantor').value).toBe('HHHH-7777'));
});

it.each([
  ['nothing', '', 'Isi kode dari kantor'],
  ['a code that is too short', 'K7M2-9QX', 'Kode berisi 8 huruf dan angka'],
])('sends nothing after %s, which would cost a try', async (_name, code, text) => {
  const { user } = open();
  await fill(user, code, 'lain');
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByText('Password harus sama')).toBeTruthy();
  expect(server.calls).toEqual([]);
});

it('shows at its field that a code opens nothing, and keeps what was typed', async () => {
  server.on(COMPLETE, failAnswer(422, accessTexts.codeInvalid, { code: [accessTexts.codeInvalid] }));
  const { user } = open();
  await fill(user, 'K7M2-9QXA');
  await screen.findByText(accessTexts.codeInvalid);
  await waitFor(() => expect(document.activeElement).toBe(field('Kode dari kantor')));
  expect(field('Password baru').value).toBe('rahasia-baru');
});

it.each([
  ['too many tries', failAnswer(429, 'Terlalu banyak percobaan. Coba lagi dalam 900 detik.'), /dalam 900 detik/],
  ['a lost connection', networkError, /Tidak dapat terhubung ke server/],
])('says what to do after %s', async (_name, answer, text) => {
  server.on(COMPLETE, answer);
  const { user } = open();
  await fill(user, 'K7M2-9QXA');
  expect((await screen.findByRole('alert')).textContent).toMatch(text);
  expect(field('Kode dari kantor').value).toBe('K7M2-9QXA');
});

it('says who is signed in here, because the device then enters the account of the code', async () => {
  signIn({ id: 'u2', name: 'Budi', email: 'budi@contoh.id' });
  const { user } = open();
  expect(screen.getByRole('status').textContent).toContain('Anda sedang masuk sebagai Budi.');
  await fill(user, 'K7M2-9QXA');
  await waitFor(() => expect(currentSession()?.user?.name).toBe('Siti Aminah'));
});

it.each(['/pulih#K7M2-9QXA', '/PULIH/#K7M2-9QXA'])('the first script takes the code out of %s', (address) => {
  const before = window.history.length;
  window.history.replaceState({ idx: 3 }, '', address);
  // As the page does it: the first of all scripts.
  // oxlint-disable-next-line no-eval, no-implied-eval, typescript/no-implied-eval -- the file that the page runs
  new Function(bootScript)();
  expect(window.location.href).not.toContain('#');
  expect(window.history.state).toEqual({ idx: 3 });
  expect(window.history.length).toBe(before);
  expect(holder.pbbCode).toBe('K7M2-9QXA');
  window.history.replaceState(null, '', '/');
});
