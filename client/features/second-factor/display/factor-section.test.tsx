import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { factorTexts } from '#shared/texts.ts';
import { FactorSection } from './factor-section.tsx';

const savedFiles: { blob: Blob; name: string }[] = [];
vi.mock('#client/exports/save-file.ts', () => ({
  saveFile: (blob: Blob, name: string) => void savedFiles.push({ blob, name }),
}));

const OWN = 'GET /api/auth/user';
const START = 'POST /api/auth/second-factor';
const CONFIRM = 'POST /api/auth/second-factor/confirm';
const END = 'DELETE /api/auth/second-factor';
const account = {
  email: 'siti@contoh.id',
  has_password: true,
  is_admin: false,
  has_second_factor: false,
  recovery_codes_left: 0,
};
const codes = ['K7M29-QXAC3', ...Array.from({ length: 9 }, (_, index) => `H${index + 2}M29-QXAC3`)];
const started = { secret: 'JBSWY3DPEHPK3PXP', otpauth_url: 'otpauth://totp/PBB%20Kita:siti?secret=JBSWY3DPEHPK3PXP' };
const wrong = failAnswer(422, factorTexts.wrong, { code: [factorTexts.wrong] });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  savedFiles.length = 0;
  signIn();
  server = fakeServer();
  server.on(OWN, okAnswer(account));
  server.on(START, okAnswer(started));
  server.on(CONFIRM, () => {
    server.on(OWN, okAnswer({ ...account, has_second_factor: true, recovery_codes_left: 10 }));
    return okAnswer({ recovery_codes: codes });
  });
});

const open = () => renderPage(<FactorSection />, { path: '/account' });
const sent = (call: string) => server.callsOf(call).map(({ body }) => body);

async function openDialog(button: string, name: string) {
  const view = open();
  await view.user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog', { name }));
  const press = (label: string) => view.user.click(dialog.getByRole('button', { name: label }));
  const paste = (label: string, value: string) =>
    fireEvent.change(dialog.getByLabelText(label, { selector: 'input' }), { target: { value } });
  return { ...view, dialog, press, paste };
}

async function setUpUntilCodes() {
  const state = await openDialog('Pasang kode kedua', 'Pasang kode kedua');
  state.paste('Password Anda', 'rahasia');
  await state.press('Lanjut');
  await state.dialog.findByLabelText('Kode 6 angka');
  state.paste('Kode 6 angka', '123456');
  await state.press('Pasang');
  await state.dialog.findByRole('button', { name: 'Saya sudah menyimpannya' });
  return state;
}

describe('setting a second factor up', () => {
  it('asks for the own password, and shows a wrong one at its field', async () => {
    server.on(START, failAnswer(422, 'Password salah', { current_password: ['Password salah'] }));
    const { dialog, press, paste } = await openDialog('Pasang kode kedua', 'Pasang kode kedua');
    await press('Lanjut');
    await dialog.findByText('Masukkan password Anda');
    expect(sent(START)).toEqual([]);
    paste('Password Anda', 'salah');
    await press('Lanjut');
    await dialog.findByText('Password salah');
    expect(sent(START)).toEqual([{ current_password: 'salah' }]);
  });

  it('takes the PIN of a person without a password', async () => {
    server.on(OWN, okAnswer({ ...account, has_password: false }));
    const { dialog, press, paste } = await openDialog('Pasang kode kedua', 'Pasang kode kedua');
    paste('PIN Anda', '402918');
    await press('Lanjut');
    await dialog.findByLabelText('Kode 6 angka');
    expect(sent(START)).toEqual([{ pin: '402918' }]);
  });

  it('gives the key to the app as an image, as a link and in groups of four', async () => {
    const { dialog, press, paste } = await openDialog('Pasang kode kedua', 'Pasang kode kedua');
    paste('Password Anda', 'rahasia');
    await press('Lanjut');
    const image = await dialog.findByRole('img', { name: 'Kode QR untuk aplikasi kode' });
    expect(image.getAttribute('src')).toMatch(/^data:image\/svg\+xml,/);
    expect(dialog.getByRole('link', { name: 'Buka di aplikasi' }).getAttribute('href')).toBe(started.otpauth_url);
    expect(dialog.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
    server.on(CONFIRM, wrong);
    paste('Kode 6 angka', '12345');
    await press('Pasang');
    await dialog.findByText('Kode dari aplikasi berisi 6 angka');
    expect(sent(CONFIRM)).toEqual([]);
    paste('Kode 6 angka', '111111');
    await press('Pasang');
    await dialog.findByText('Kode salah');
  });

  it('stays open while the answer with the spare codes is on its way', async () => {
    let answer = (_made: Answer): void => {};
    server.on(CONFIRM, () => new Promise((resolve) => (answer = resolve)));
    const { dialog, press, paste, user } = await openDialog('Pasang kode kedua', 'Pasang kode kedua');
    paste('Password Anda', 'rahasia');
    await press('Lanjut');
    await dialog.findByLabelText('Kode 6 angka');
    paste('Kode 6 angka', '123456');
    await press('Pasang');
    await user.keyboard('{Escape}');
    await press('Tutup');
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Batal' }).disabled).toBe(true);
    answer(okAnswer({ recovery_codes: codes }));
    await dialog.findByRole('button', { name: 'Saya sudah menyimpannya' });
  });

  it('shows the spare codes once, to copy, to print and to keep as a file', async () => {
    const print = vi.spyOn(window, 'print').mockReturnValue();
    const { dialog, press } = await setUpUntilCodes();
    const list = dialog.getByLabelText('Kode cadangan');
    expect(list.textContent).toBe(codes.join('\n'));
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Kode kedua sudah terpasang/));
    await press('Salin kode');
    await dialog.findByText(/^Kode (disalin|sudah dipilih)/);
    await press('Cetak');
    expect(print).toHaveBeenCalledOnce();
    await press('Unduh');
    expect(savedFiles.map(({ name }) => name)).toEqual(['kode-cadangan-pbb-kita.txt']);
    expect(await savedFiles[0]?.blob.text()).toContain('K7M29-QXAC3');
    await press('Saya sudah menyimpannya');
    await screen.findByText('Terpasang');
    expect(screen.getByText(/^Sisa 10 dari 10 kode cadangan/)).toBeTruthy();
    expect(screen.queryByText(/K7M29-QXAC3/)).toBeNull();
  });

  it('asks before the spare codes are left', async () => {
    const { user, dialog, press } = await setUpUntilCodes();
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Kode kedua sudah terpasang/));
    await user.keyboard('{Escape}');
    expect(dialog.getByLabelText('Kode cadangan')).toBeTruthy();
    await press('Tutup');
    const question = within(await screen.findByRole('dialog', { name: 'Tinggalkan kode cadangan ini?' }));
    await user.click(question.getByRole('button', { name: 'Tetap di sini' }));
    expect(dialog.getByLabelText('Kode cadangan')).toBeTruthy();
  });
});

describe('a second factor that is on', () => {
  beforeEach(() => server.on(OWN, okAnswer({ ...account, has_second_factor: true, recovery_codes_left: 2 })));

  it('warns when few spare codes are left, and says what to do after the phone is lost', async () => {
    open();
    await screen.findByText('Kode cadangan hampir habis.');
    expect(screen.getByText(/Datang ke loket dengan KTP Anda\.$/).textContent).toMatch(/^Sisa 2 dari 10 kode cadangan/);
  });

  it('ends with the own password and a code', async () => {
    server.on(END, wrong);
    const { dialog, press, paste } = await openDialog('Matikan', 'Matikan kode kedua');
    await press('Matikan');
    await dialog.findByText('Masukkan password Anda');
    expect(dialog.getByText(factorTexts.codeRequired)).toBeTruthy();
    paste('Password Anda', 'rahasia');
    paste('Kode', '123456');
    await press('Matikan');
    await dialog.findByText('Kode salah');
    server.on(END, () => {
      server.on(OWN, okAnswer(account));
      return okAnswer({});
    });
    paste('Kode', 'k7m29qxac3');
    await press('Matikan');
    await screen.findByText('Kode kedua dimatikan');
    await screen.findByRole('button', { name: 'Pasang kode kedua' });
    expect(sent(END).at(-1)).toEqual({ code: 'k7m29qxac3', current_password: 'rahasia' });
  });
});

it('tells an admin other ways back than the counter', async () => {
  server.on(OWN, okAnswer({ ...account, is_admin: true }));
  open();
  await screen.findByText(/Minta administrator lain, atau orang yang mengurus komputer server\.$/);
});
