import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentSession, expireSession } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { SESSION_ENDED } from '#shared/labels.ts';
import { accessTexts, cardTexts } from '#shared/texts.ts';
import { CardPage } from './card-page.tsx';

const ENTER = 'POST /api/auth/card';
const ACTIVATE = 'POST /api/auth/card/activate';
const karto = { id: 'u1', name: 'Mbah Karto', email: 'w-48217735@tanpa-email.invalid', is_admin: false };
const opened = { token: 'new', user: karto, device_token: 'device-1' };

const holder = globalThis as { pbbCode?: string | undefined };
let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
  server.on(ENTER, okAnswer(opened));
  server.on(ACTIVATE, okAnswer(opened));
});
afterEach(() => {
  delete holder.pbbCode;
});

const open = () => renderPage(<CardPage />, { path: '/masuk' });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const paste = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const key = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const press = (keys: string) => {
  for (const digit of keys) key(digit);
};
const send = (name = 'Masuk (Login)') => fireEvent.click(screen.getByRole('button', { name }));
const sent = (call: string) => server.callsOf(call).map(({ body }) => body);

describe('a card with its PIN', () => {
  it('enters with the code of the address and the keys of the page, and says how many digits there are', async () => {
    holder.pbbCode = 'k7m29qxa';
    open();
    expect(field('Kode kartu').value).toBe('K7M2-9QXA');
    expect(holder.pbbCode).toBeUndefined();
    press('4029');
    expect(screen.getByText('PIN: 4 dari 6 angka')).toBeTruthy();
    expect(document.body.textContent).not.toContain('4029');
    key('Hapus angka terakhir');
    press('9187');
    expect(field('PIN').value).toBe('402918');
    expect(field('PIN').type).toBe('password');
    send();
    await waitFor(() => expect(currentSession()?.token).toBe('new'));
    expect(sent(ENTER)).toEqual([{ code: 'K7M2-9QXA', pin: '402918' }]);
  });

  it('sends with the next entry what makes this browser known to the card', async () => {
    const first = open();
    paste('Kode kartu', 'K7M2-9QXA');
    paste('PIN', '402918');
    send();
    await waitFor(() => expect(sent(ENTER)).toHaveLength(1));
    first.unmount();
    open();
    paste('Kode kartu', 'k7m2 9qxa');
    paste('PIN', '402918');
    send();
    await waitFor(() => expect(sent(ENTER)[1]).toMatchObject({ device_token: 'device-1' }));
  });

  it('keeps the code and empties the PIN after a wrong one, and says the next step', async () => {
    server.on(ENTER, failAnswer(401, cardTexts.wrong));
    open();
    paste('Kode kartu', 'K7M2-9QXA');
    paste('PIN', '402918');
    send();
    await screen.findByText('Kode atau PIN salah');
    expect(screen.getByText(/Lupa PIN\? Minta kartu baru di kantor\.$/)).toBeTruthy();
    expect([field('Kode kartu').value, field('PIN').value]).toEqual(['K7M2-9QXA', '']);
  });

  it('asks the office for a new card with the code that was typed, in two presses', async () => {
    server.on('POST /api/auth/recovery', okAnswer(null, accessTexts.asked));
    server.on('GET /api/office', okAnswer({ contact: {}, hours: null }));
    open();
    paste('Kode kartu', 'K7M2-9QXA');
    fireEvent.blur(field('Kode kartu'));
    key('Lupa PIN?');
    const help = within(await screen.findByRole('region', { name: 'Lupa PIN' }));
    expect(help.getByText(/Dengan kartu itu Anda memilih PIN baru sendiri/)).toBeTruthy();
    expect(help.queryByText('Sudah punya kode?')).toBeNull();
    expect(document.activeElement).toBe(help.getByLabelText('Email, nomor HP, atau kode kartu'));
    key('Minta kartu baru');
    expect(await help.findByText(accessTexts.asked)).toBeTruthy();
    expect(sent('POST /api/auth/recovery')).toEqual([{ identifier: 'K7M2-9QXA' }]);
  });

  it('says that the server has ended the session', () => {
    signIn(karto);
    act(() => expireSession(currentSession()?.token ?? ''));
    open();
    expect(screen.getByRole('alert').textContent).toContain(SESSION_ENDED);
  });

  it.each([
    [429, cardTexts.locked(15)],
    [403, cardTexts.blocked],
  ])('shows in place why a card opens nothing: %i', async (status, text) => {
    server.on(ENTER, failAnswer(status, text));
    open();
    paste('Kode kartu', 'K7M2-9QXA');
    paste('PIN', '402918');
    send();
    await screen.findByText(text);
  });

  it('sends nothing while a code or a PIN is too short', async () => {
    open();
    paste('Kode kartu', 'K7M2-9QX');
    paste('PIN', '4029');
    send();
    await screen.findByText('Harus 8 huruf dan angka');
    expect(screen.getByText('PIN berisi 6 angka')).toBeTruthy();
    expect(sent(ENTER)).toEqual([]);
  });

  it('tells one who is signed in that the device enters another account', () => {
    signIn();
    open();
    expect(screen.getByText('Anda sedang masuk sebagai Siti Aminah.')).toBeTruthy();
  });
});

describe('a new card', () => {
  async function openNew() {
    const view = open();
    paste('Kode kartu', 'K7M2-9QXA');
    fireEvent.blur(field('Kode kartu'));
    fireEvent.click(screen.getByRole('button', { name: 'Aktifkan kartu baru' }));
    await waitFor(() => expect(document.activeElement).toBe(field('Kode aktivasi')));
    return view;
  }

  it('opens after both codes and a PIN that is typed twice on the same keys', async () => {
    await openNew();
    expect(field('Kode kartu').value).toBe('K7M2-9QXA');
    paste('Kode aktivasi', 'k7m29 qxac3');
    press('402918402918');
    expect([field('PIN baru').value, field('Ulangi PIN baru').value]).toEqual(['402918', '402918']);
    send('Aktifkan dan masuk');
    await waitFor(() => expect(currentSession()?.token).toBe('new'));
    expect(sent(ACTIVATE)).toEqual([
      { code: 'K7M2-9QXA', activation: 'k7m29 qxac3', pin: '402918', pin_confirmation: '402918' },
    ]);
  });

  it('refuses a PIN that is easy to guess or differs, at its field', async () => {
    await openNew();
    paste('Kode aktivasi', 'K7M29-QXAC3');
    paste('PIN baru', '123456');
    paste('Ulangi PIN baru', '123457');
    send('Aktifkan dan masuk');
    await screen.findByText('Pilih PIN yang tidak mudah ditebak');
    paste('PIN baru', '402918');
    send('Aktifkan dan masuk');
    await screen.findByText('PIN harus sama');
    expect(sent(ACTIVATE)).toEqual([]);
  });

  it('takes new PINs on its keys after a refusal, and asks for the second one when the first is full', async () => {
    await openNew();
    paste('Kode aktivasi', 'K7M29-QXAC3');
    press('123456');
    await screen.findByText('Ulangi PIN baru: 0 dari 6 angka');
    press('123456');
    send('Aktifkan dan masuk');
    await screen.findByText('Pilih PIN yang tidak mudah ditebak');
    key('4');
    expect([field('PIN baru').value, field('Ulangi PIN baru').value]).toEqual(['4', '']);
    press('02918402917');
    send('Aktifkan dan masuk');
    await screen.findByText('PIN harus sama');
    press('402918402918');
    send('Aktifkan dan masuk');
    await waitFor(() => expect(sent(ACTIVATE)).toMatchObject([{ pin: '402918', pin_confirmation: '402918' }]));
  });

  it('takes the code of an address that is opened in this tab', async () => {
    await openNew();
    holder.pbbCode = 'HHHH7777';
    act(() => void window.dispatchEvent(new Event('pbb-code')));
    await waitFor(() => expect(field('Kode kartu').value).toBe('HHHH-7777'));
  });
});
