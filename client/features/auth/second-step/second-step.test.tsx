import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentSession } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { TICKET_MS } from '#shared/limits.ts';
import { factorTexts } from '#shared/texts.ts';
import { CardPage } from '../card/card-page.tsx';
import { LoginPage } from '../login-page.tsx';
import { RecoverPage } from '../recover-page.tsx';

const STEP = 'POST /api/auth/login/second-factor';
const LOGIN = 'POST /api/auth/login';
const CARD = 'POST /api/auth/card';
const ACTIVATE = 'POST /api/auth/card/activate';
const COMPLETE = 'POST /api/auth/recovery/complete';
const siti = { id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id', is_admin: false };
const opened = { token: 'new', user: siti, device_token: 'device-1' };
const wrong = failAnswer(422, factorTexts.wrong, { code: [factorTexts.wrong] });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
  for (const call of [LOGIN, CARD, ACTIVATE, COMPLETE])
    server.on(call, okAnswer({ second_factor: true, ticket: 'ticket-1' }));
  server.on(STEP, okAnswer(opened));
  server.on('GET /api/auth/user', okAnswer(siti));
});

const paste = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const stepHeading = () => screen.findByRole('heading', { level: 1, name: 'Kode dari aplikasi' });
const sent = () => server.callsOf(STEP).map(({ body }) => body);
const field = () => screen.getByLabelText<HTMLInputElement>('Kode 6 angka');

async function signInUntilStep() {
  const view = renderPage(<LoginPage />, { path: '/login' });
  paste('Email', siti.email);
  paste('Password', 'rahasia');
  press('Masuk (Login)');
  await stepHeading();
  return view;
}

async function trySend(code: string) {
  const count = sent().length;
  paste('Kode 6 angka', code);
  press('Masuk (Login)');
  await waitFor(() => expect(sent()).toHaveLength(count + 1));
}

describe('the second step of a login', () => {
  it('asks for the code in a focused field for digits, and opens the session with it', async () => {
    await signInUntilStep();
    expect(currentSession()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect([field().inputMode, field().autocomplete]).toEqual(['numeric', 'one-time-code']);
    await trySend('123 456');
    await screen.findByRole('alertdialog', { name: 'Login Berhasil!' });
    expect(sent()).toEqual([{ ticket: 'ticket-1', code: '123 456' }]);
    expect(currentSession()?.token).toBe('new');
  });

  it('sends with the next entry what makes this browser known to the account', async () => {
    const first = await signInUntilStep();
    await trySend('123456');
    await waitFor(() => expect(currentSession()).not.toBeNull());
    first.unmount();
    window.localStorage.removeItem('token');
    await signInUntilStep();
    await trySend('123456');
    expect(server.callsOf(LOGIN)[1]?.body).toMatchObject({ device_token: 'device-1' });
    expect(sent()[1]).toMatchObject({ device_token: 'device-1' });
  });

  it.each([
    ['', factorTexts.codeRequired],
    ['12345', 'Kode dari aplikasi berisi 6 angka'],
    ['K7M29', 'Kode dari aplikasi berisi 6 angka'],
  ])('sends no code of another length: "%s"', async (code, text) => {
    await signInUntilStep();
    paste('Kode 6 angka', code);
    press('Masuk (Login)');
    await screen.findByText(text);
    expect(sent()).toEqual([]);
  });

  it('empties the focused field after a wrong code, and says so at it', async () => {
    server.on(STEP, wrong);
    await signInUntilStep();
    await trySend('111111');
    await screen.findByText('Kode salah');
    expect(field().value).toBe('');
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it('leads back after five wrong codes, keeps what was typed there, and says why', async () => {
    server.on(STEP, wrong);
    await signInUntilStep();
    for (let count = 0; count < 4; count += 1) {
      await trySend('111111');
      await screen.findByText('Kode salah');
    }
    await trySend('111111');
    await screen.findByRole('heading', { level: 1, name: 'Masuk' });
    expect(screen.getByRole('alert').textContent).toBe('Kode kedua salah lima kali.Masuk sekali lagi.');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(siti.email);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
    press('Masuk (Login)');
    await stepHeading();
  });

  it('leads back when the five minutes are over', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await signInUntilStep();
    await act(() => vi.advanceTimersByTimeAsync(TICKET_MS));
    await screen.findByText('Waktu lima menit untuk kode kedua sudah habis.');
  });

  it('shows in place that there were too many tries, or no answer', async () => {
    server.on(STEP, failAnswer(429, 'Terlalu banyak percobaan. Coba lagi dalam 15 menit.'));
    await signInUntilStep();
    await trySend('123456');
    await screen.findByText('Terlalu banyak percobaan. Coba lagi dalam 15 menit.');
    server.on(STEP, networkError);
    await trySend('123456');
    await screen.findByText(/^Tidak dapat terhubung ke server/);
    expect(field().value).toBe('123456');
  });

  it('says back at the login that the office has just taken the second factor away', async () => {
    server.on(STEP, failAnswer(403, factorTexts.removedEntry));
    await signInUntilStep();
    await trySend('123456');
    await screen.findByText(factorTexts.removedEntry);
  });

  it('takes a spare code in a field for letters, says what it is, and how many are left', async () => {
    server.on('GET /api/auth/user', okAnswer({ ...siti, recovery_codes_left: 9 }));
    await signInUntilStep();
    press('HP hilang atau ganti HP? Pakai kode cadangan');
    await screen.findByRole('heading', { level: 1, name: 'Kode cadangan' });
    expect(screen.getByText(/^Salah satu dari sepuluh kode yang Anda simpan/)).toBeTruthy();
    const spare = screen.getByLabelText<HTMLInputElement>('Kode cadangan Anda');
    await waitFor(() => expect(document.activeElement).toBe(spare));
    expect(spare.inputMode).toBe('text');
    paste('Kode cadangan Anda', 'k7m2');
    press('Masuk (Login)');
    await screen.findByText('Kode cadangan berisi 10 huruf dan angka');
    paste('Kode cadangan Anda', 'k7m29-qxac3');
    press('Masuk (Login)');
    await waitFor(() => expect(currentSession()?.token).toBe('new'));
    expect(sent()).toEqual([{ ticket: 'ticket-1', code: 'k7m29-qxac3' }]);
    await screen.findByText('Kode cadangan itu sudah terpakai. Sisa 9.');
  });

  it('leads back to the login on "Kembali"', async () => {
    await signInUntilStep();
    press('Kembali');
    await screen.findByRole('heading', { level: 1, name: 'Masuk' });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the second step of the other ways in', () => {
  async function recoverUntilStep() {
    const view = renderPage(<RecoverPage />, { path: '/pulih' });
    paste('Kode dari kantor', 'K7M2-9QXA');
    paste('Password baru', 'rahasia-baru');
    paste('Konfirmasi password baru', 'rahasia-baru');
    press('Simpan dan masuk');
    await stepHeading();
    return view;
  }

  it('stores the new password after a code of the office, and leaves the account that was signed in', async () => {
    signIn({ id: 'u9', name: 'Tetangga' });
    await recoverUntilStep();
    expect(currentSession()?.user?.name).toBe('Tetangga');
    expect(screen.getByText('Password baru tersimpan setelah kode ini benar.')).toBeTruthy();
    await trySend('123456');
    await screen.findByRole('alertdialog', { name: 'Password baru tersimpan' });
    expect(currentSession()?.user?.name).toBe('Siti Aminah');
  });

  it('says that a code of the office is used when the step ended', async () => {
    server.on(STEP, failAnswer(403, 'Ditolak'));
    await recoverUntilStep();
    await trySend('123456');
    await screen.findByText('Ditolak');
    expect(screen.getByText(/^Kode dari kantor sudah terpakai dan password lama tetap/)).toBeTruthy();
  });

  it('leads from a code of the office back to the login on "Kembali"', async () => {
    await recoverUntilStep();
    press('Kembali');
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/login');
  });

  it('follows a card with its PIN', async () => {
    renderPage(<CardPage />, { path: '/masuk' });
    paste('Kode kartu', 'K7M2-9QXA');
    paste('PIN', '402918');
    press('Masuk (Login)');
    await stepHeading();
    await trySend('123456');
    await waitFor(() => expect(currentSession()?.token).toBe('new'));
  });

  it('leads after an activation to the PIN that was chosen, because the card is active by then', async () => {
    server.on(STEP, failAnswer(403, 'Ditolak'));
    renderPage(<CardPage />, { path: '/masuk' });
    press('Aktifkan kartu baru');
    paste('Kode kartu', 'K7M2-9QXA');
    paste('Kode aktivasi', 'K7M29-QXAC3');
    paste('PIN baru', '402918');
    paste('Ulangi PIN baru', '402918');
    press('Aktifkan dan masuk');
    await stepHeading();
    await trySend('123456');
    await screen.findByRole('heading', { level: 1, name: 'Masuk dengan kartu warga' });
    expect(screen.getByRole('alert').textContent).toBe('DitolakKetik kode kartu dan PIN Anda lagi.');
  });
});
