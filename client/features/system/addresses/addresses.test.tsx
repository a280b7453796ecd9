import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { AddressCard } from './address-card.tsx';
import type { PublicReach } from '#shared/api/system.ts';
import { buildPublicReach, buildSystemInfo } from '../testing/build-system.ts';

const LAN = 'http://192.168.1.10:3000';
const SECOND = 'http://10.0.0.5:3000';

function open(addresses = [LAN], reach: PublicReach | null = null) {
  const server = fakeServer();
  server.on('GET /api/admin/system', okAnswer(buildSystemInfo({ addresses, public: reach })));
  signIn({ is_admin: true });
  return { ...renderPage(<AddressCard />), server };
}

/** Simulates a browser that offers its clipboard in a secure context. */
function mockClipboard(write: (text: string) => Promise<void>) {
  // jsdom has no clipboard; this one is installed by user-event.
  return vi.spyOn(window.navigator.clipboard, 'writeText').mockImplementation(write);
}

function mockExecCommand(answer: boolean) {
  const command = vi.fn(() => answer);
  Object.defineProperty(document, 'execCommand', { value: command, configurable: true });
  return command;
}

const selected = () => window.getSelection()?.toString();
const copyButton = () => screen.findByRole('button', { name: `Salin ${LAN}` });

beforeEach(() => {
  vi.stubGlobal('isSecureContext', false);
});

afterEach(() => {
  window.getSelection()?.removeAllRanges();
  Reflect.deleteProperty(document, 'execCommand');
  document.body.removeAttribute('data-print-sheet');
});

it('copies an address with the clipboard of the browser', async () => {
  vi.stubGlobal('isSecureContext', true);
  const { user } = open();
  const write = mockClipboard(() => Promise.resolve());
  await user.click(await copyButton());
  expect(write).toHaveBeenCalledWith(LAN);
  expect(await screen.findByText('Alamat disalin.')).toBeTruthy();
});

it('copies with execCommand on an http address', async () => {
  const { user } = open();
  const command = mockExecCommand(true);
  await user.click(await copyButton());
  expect(command).toHaveBeenCalledWith('copy');
  expect(await screen.findByText('Alamat disalin.')).toBeTruthy();
});

it.each([
  ['refuses to copy', () => mockExecCommand(false)],
  ['cannot copy', () => undefined],
])('selects the address when the browser %s', async (_name, prepare) => {
  const { user } = open();
  prepare();
  await user.click(await copyButton());
  expect(await screen.findByText(/Alamat sudah dipilih\. Tekan Ctrl\+C/)).toBeTruthy();
  expect(selected()).toBe(LAN);
});

it('selects the address when the browser refuses the clipboard', async () => {
  vi.stubGlobal('isSecureContext', true);
  const { user } = open();
  mockClipboard(() => Promise.reject(new Error('denied')));
  await user.click(await copyButton());
  expect(await screen.findByText(/Alamat sudah dipilih/)).toBeTruthy();
  expect(selected()).toBe(LAN);
});

it('shows a QR code of the first or of the chosen address', async () => {
  const { user } = open([LAN, SECOND]);
  const first = await screen.findByRole('img', { name: `Kode QR untuk ${LAN}` });
  expect(first.getAttribute('src')).toMatch(/^data:image\/svg\+xml,/);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Alamat di kode QR dan lembar cetak' }), SECOND);
  const second = await screen.findByRole('img', { name: `Kode QR untuk ${SECOND}` });
  expect(second.getAttribute('src')).not.toBe(first.getAttribute('src'));
});

it('prints the sheet with the address, and afterwards the page itself again', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const { user, server } = open();
  await screen.findByRole('img');
  await user.click(screen.getByRole('button', { name: 'Cetak lembar untuk warga' }));
  expect(print).toHaveBeenCalledOnce();
  expect(server.callsOf('PUT /api/admin/first-steps/qr_sheet').map(({ body }) => body)).toEqual([{ state: 'done' }]);
  expect(document.body.hasAttribute('data-print-sheet')).toBe(true);
  const sheet = screen.getByText('Buka PBB Kita di HP Anda').parentElement;
  expect(sheet && within(sheet).getByText(LAN)).toBeTruthy();
  await user.keyboard('{Control}');
  expect(document.body.hasAttribute('data-print-sheet')).toBe(false);
});

it('says so when no other device can reach the server', async () => {
  open([]);
  expect(await screen.findByText('Server ini hanya dapat dibuka di komputernya sendiri')).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});

it('prints the public address first, which needs no network of the office', async () => {
  const { user } = open([LAN], buildPublicReach());
  await screen.findByText(/^Alamat pertama dapat dibuka dari mana saja/);
  const sheetText = () => screen.queryByText('Buka PBB Kita di HP Anda')?.parentElement?.textContent;
  await waitFor(() => expect(sheetText()).toMatch(/Dari mana saja, .*https:\/\/pbb\.desa\.idPasang di layar utama/));
  await user.selectOptions(screen.getByRole('combobox', { name: /Alamat di kode QR/ }), LAN);
  await waitFor(() => expect(sheetText()).toMatch(/Sambungkan HP ke Wi-Fi kantor\..*http:\/\/192\.168\.1\.10:3000$/));
});
