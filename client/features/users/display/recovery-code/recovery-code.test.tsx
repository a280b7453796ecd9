import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { CODE_NOTE_MAX } from '#shared/limits.ts';
import { accessTexts } from '#shared/texts.ts';
import { whatsappLink } from './code-texts.ts';
import { RecoveryCodeDialog } from './recovery-code-dialog.tsx';
import type { CodeAccount } from './use-recovery-code.ts';

const MAKE = 'POST /api/admin/users/u1/recovery-code';
const siti: CodeAccount = { id: 'u1', name: 'Siti Aminah', phone: '+6281234567890', phone_proves: true };
const made = { code: 'K7M2-9QXA', url: '/pulih#K7M2-9QXA', expires_at: '2026-06-11T05:00:00.000Z' };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  server.on(MAKE, okAnswer(made));
});

function Opener({ account }: { account: CodeAccount }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Buka</button>
      <RecoveryCodeDialog account={isOpen ? account : null} onClose={() => setIsOpen(false)} />
    </>
  );
}

async function open(account = siti) {
  const view = renderPage(<Opener account={account} />, { path: '/admin/recoveries' });
  await view.user.click(screen.getByRole('button', { name: 'Buka' }));
  const box = within(await screen.findByRole('dialog', { name: 'Kode masuk' }));
  const press = (name: string) => view.user.click(box.getByRole('button', { name }));
  return { ...view, box, press };
}
const sent = () => server.callsOf(MAKE).map(({ body }) => body);
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('a code for somebody at the counter', () => {
  it('comes with one press, and can be read out, printed and copied', async () => {
    const print = vi.spyOn(window, 'print').mockReturnValue();
    const { box, press } = await open();
    await press('Di loket');
    const code = await box.findByLabelText('Kode masuk');
    expect(sent()).toEqual([{ checked: 'counter' }]);
    expect(code.textContent).toBe('K7M2-9QXA');
    await waitFor(() => expect(document.activeElement).toBe(code));
    expect(box.getByText('Berlaku sampai 11 Juni 2026 pukul 12.00, untuk satu kali masuk.')).toBeTruthy();
    // The number was not checked.
    expect(box.queryByRole('link', { name: 'Buka WhatsApp' })).toBeNull();
    await press('Salin kode');
    await box.findByText(/^Kode (disalin|sudah dipilih)/);
    await press('Cetak');
    expect(print).toHaveBeenCalledOnce();
    await press('Sudah saya sampaikan');
    await isClosed();
  });

  it('survives a slip of the hand: Escape does nothing, and leaving asks', async () => {
    const { user, box, press, router } = await open();
    await press('Di loket');
    await box.findByLabelText('Kode masuk');
    await user.keyboard('{Escape}');
    await press('Tutup');
    const question = () => screen.findByRole('dialog', { name: 'Tinggalkan kode ini?' });
    await user.click(within(await question()).getByRole('button', { name: 'Tetap di sini' }));
    expect(box.getByLabelText('Kode masuk')).toBeTruthy();
    void router.navigate('/admin/dashboard');
    await user.click(within(await question()).getByRole('button', { name: 'Tinggalkan' }));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/admin/dashboard');
  });

  it('does not come back at the next opening', async () => {
    const { user, box, press } = await open();
    await press('Di loket');
    await box.findByLabelText('Kode masuk');
    await press('Sudah saya sampaikan');
    await isClosed();
    await user.click(screen.getByRole('button', { name: 'Buka' }));
    await screen.findByRole('button', { name: 'Di loket' });
    expect(screen.queryByText('K7M2-9QXA')).toBeNull();
  });

  it('keeps the choice after an error, and says in place why', async () => {
    server.on(MAKE, networkError);
    const { box, press } = await open();
    await press('Di loket');
    await box.findByText(/^Tidak dapat terhubung ke server/);
    server.on(MAKE, failAnswer(409, accessTexts.withoutEmail));
    await press('Di loket');
    await box.findByText('Akun ini memakai kartu. Buat kartu baru.');
    await press('Batal');
    await isClosed();
  });
});

describe('the note about the check', () => {
  it('reaches the server without the spaces around it, and may be left out', async () => {
    const { user, box, press } = await open();
    await waitFor(() => expect(document.activeElement).toBe(box.getByRole('button', { name: 'Di loket' })));
    const field = box.getByLabelText<HTMLInputElement>('Cara memeriksa');
    expect(field.maxLength).toBe(CODE_NOTE_MAX);
    await user.type(field, ' KTP dicocokkan {Enter}');
    expect(sent()).toEqual([]);
    await press('Di loket');
    await box.findByLabelText('Kode masuk');
    expect(sent()).toEqual([{ checked: 'counter', note: 'KTP dicocokkan' }]);
  });

  it('stays after an error, which is shown at its field', async () => {
    server.on(MAKE, failAnswer(422, 'Keterangan terlalu panjang', { note: ['Keterangan terlalu panjang'] }));
    const { user, box, press } = await open();
    const field = box.getByLabelText<HTMLInputElement>('Cara memeriksa');
    await user.type(field, 'KTP');
    await press('Di loket');
    await box.findByText('Keterangan terlalu panjang');
    expect(field.value).toBe('KTP');
  });
});

describe('a code for somebody on the telephone', () => {
  it('can be sent to the number that was checked, without a name', async () => {
    const { box, press } = await open();
    expect(box.getByText('0812-3456-7890').parentElement?.textContent).toMatch(/Bukan ia yang menelepon Anda\.$/);
    await press('Lewat telepon');
    const link = await box.findByRole('link', { name: 'Buka WhatsApp' });
    expect(sent()).toEqual([{ checked: 'phone' }]);
    const url = new URL(link.getAttribute('href') ?? '');
    expect(url.origin + url.pathname).toBe('https://wa.me/6281234567890');
    expect(url.searchParams.get('text')).toContain('K7M2-9QXA');
    expect(decodeURIComponent(url.href)).not.toMatch(/Siti|localhost/);
    expect(link.getAttribute('rel')).toBe('noreferrer');
  });

  it('says in place that the number proves nothing, and then offers the counter only', async () => {
    server.on(MAKE, failAnswer(409, accessTexts.phoneNotProven));
    const { box, press } = await open();
    await press('Lewat telepon');
    await box.findByText('Nomor HP akun ini baru atau dipakai beberapa akun. Minta datang ke loket.');
    expect(box.queryByRole('button', { name: 'Lewat telepon' })).toBeNull();
    expect(box.getByRole('button', { name: 'Di loket' })).toBeTruthy();
  });

  it.each<[string, CodeAccount]>([
    ['without a number', { ...siti, phone: null, phone_proves: false }],
    ['with a number that is new or of several accounts', { ...siti, phone_proves: false }],
  ])('offers the counter only for an account %s', async (_name, account) => {
    const { box } = await open(account);
    expect(box.queryByRole('button', { name: 'Lewat telepon' })).toBeNull();
    expect(box.getByText(/hanya di loket\. Ia menelepon\?/)).toBeTruthy();
  });

  it('names the address of the page where others can open it', () => {
    const page = { origin: 'http://192.168.1.5:3000', hostname: '192.168.1.5' };
    const text = new URL(whatsappLink('+6281234567890', made, page)).searchParams.get('text');
    expect(text?.split('\n')).toEqual([
      'Kode masuk PBB Kita: K7M2-9QXA',
      'Berlaku sampai 11 Juni 2026 pukul 12.00, untuk satu kali masuk.',
      'Buka http://192.168.1.5:3000/pulih#K7M2-9QXA, ketik kode ini, lalu pilih password baru.',
      'Jangan berikan kode ini kepada siapa pun.',
    ]);
  });
});

describe('a code for an administrator', () => {
  const wrong = failAnswer(422, 'Password salah', { current_password: ['Password salah'] });

  it('needs the own password, also when only the server knows whose account it is', async () => {
    server.on(MAKE, failAnswer(422, ownPasswordTexts.missing, { current_password: [ownPasswordTexts.missing] }));
    const { user, box, press } = await open();
    await press('Di loket');
    await box.findByText('Masukkan password Anda');
    const field = box.getByLabelText<HTMLInputElement>(/^Password Anda/);
    await waitFor(() => expect(document.activeElement).toBe(field));
    server.on(MAKE, wrong);
    await user.type(field, 'salah');
    await press('Di loket');
    await box.findByText('Password salah');
    server.on(MAKE, okAnswer(made));
    await user.clear(field);
    await user.type(field, 'rahasia{Enter}');
    await box.findByLabelText('Kode masuk');
    expect(sent().at(-1)).toEqual({ checked: 'counter', current_password: 'rahasia' });
  });

  it('asks for it at once where the page knows, and shows in place from when on it is possible', async () => {
    server.on(MAKE, failAnswer(403, accessTexts.tooEarly('11 Juni 2026 pukul 12.00')));
    const { user, box, press } = await open({ ...siti, is_admin: true });
    await press('Di loket');
    await box.findByText('Masukkan password Anda');
    expect(sent()).toEqual([]);
    await user.type(box.getByLabelText(/^Password Anda/), 'rahasia');
    await press('Di loket');
    await box.findByText('Anda baru dapat melakukan ini mulai 11 Juni 2026 pukul 12.00.');
  });
});
